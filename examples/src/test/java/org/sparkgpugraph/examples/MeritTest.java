package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.examples.algorithms.Algorithm;

/** The summary's line that says what a result comes to, of every algorithm. */
@Tag("any-spark")
class MeritTest {
  private static final String KARATE = "../examples/data/karate.txt";

  @TempDir Path folder;

  private String outText;
  private String errText;

  @BeforeAll
  static void start() {
    SparkSession.builder()
        .master("local[2]")
        .appName("examples tests")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  private String result(String arguments) throws IOException {
    Path output = Files.createTempDirectory(folder, "run").resolve("out");
    List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(List.of("--output", output.toString()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        GraphJob.run(
            all.toArray(new String[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    outText = out.toString(StandardCharsets.UTF_8);
    errText = err.toString(StandardCharsets.UTF_8);
    assertThat(status).as(errText).isZero();
    List<String> lines = outText.lines().filter(line -> line.startsWith("  result: ")).toList();
    assertThat(lines).as(outText).hasSize(1);
    return lines.get(0).substring("  result: ".length());
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "graph", ".txt"), text).toString();
  }

  /** Arguments behind the graph, and the line as a pattern. */
  private record Case(String algorithm, String arguments, String pattern) {}

  private static Case of(String algorithm, String arguments, String pattern) {
    return new Case(algorithm, arguments, pattern);
  }

  /** Of the karate club; NetworkX says the same of triangles, cores, clustering and Louvain. */
  private static final List<Case> CASES =
      List.of(
          of(
              "pagerank",
              "--iterations 100",
              "ranks add up to 34.0000, largest 3.43\\d+ \\(vertex 34\\)"),
          of(
              "pagerank",
              "--engine graphx",
              "ranks add up to 34.\\d+, largest 3\\.\\d+ \\(vertex 34\\)"),
          of("pagerank", "--output-format parquet", "ranks add up to 34.\\d+, largest 3.*"),
          of(
              "personalized-pagerank",
              "--sources 1,34",
              "ranks add up to 1.00000, 1.00000, largest 0\\.\\d+ \\(vertex 1\\)"),
          of("weighted-pagerank", "", "ranks add up to 34.0000, largest 3.*"),
          of("graphalytics-pr", "", "ranks add up to 1.00000, largest 0.1\\d+ \\(vertex 34\\)"),
          of("connected-components", "", "1 components"),
          of("connected-components", "--engine graphx", "1 components"),
          of("strongly-connected-components", "", "1 components"),
          of("graphalytics-wcc", "", "1 components"),
          of("sssp", "--source 1", "34 of 34 vertices reached, farthest 3.00000 \\(vertex 15\\)"),
          of("sssp", "--source 1 --engine graphx", "34 of 34 vertices reached, farthest 3.00000.*"),
          of(
              "graphalytics-sssp",
              "--source 1",
              "34 of 34 vertices reached, farthest 3.00000 \\(vertex 15\\)"),
          of("bfs", "--source 1", "34 of 34 vertices reached, at most 3 edges away"),
          of("bfs", "--source 1 --engine graphx", "34 of 34 vertices reached, at most 3 edges.*"),
          of("graphalytics-bfs", "--source 1", "34 of 34 vertices reached, at most 3 edges away"),
          of(
              "shortest-paths",
              "--landmarks 1,17",
              "34 of 34 vertices reached, at most 3 edges away; 34 of 34 vertices reached, at most 5"
                  + " edges away"),
          of("multi-source-bfs", "--sources 1,2", "34 of 34 vertices reached"),
          of("label-propagation", "", "\\d+ communities"),
          of("graphalytics-cdlp", "", "\\d+ communities"),
          of("louvain", "", "modularity 0.41979, 4 communities, \\d levels"),
          of("louvain", "--refine", "modularity 0.4\\d+, \\d communities, \\d levels"),
          of("triangle-count", "", "45 triangles, most at a vertex 18.0000 \\(vertex 1\\)"),
          of("triangle-count", "--engine graphx", "45 triangles, most at a vertex 18.*"),
          of("clustering-coefficient", "", "mean coefficient 0.570638"),
          of("graphalytics-lcc", "", "mean coefficient 0.570638"),
          of("k-core", "--k 4", "10 of 34 vertices in the core"),
          of("coreness", "", "largest core 4, of 10 vertices"),
          of("maximal-independent-set", "", "\\d\\d of 34 vertices in the set"),
          of("maximal-matching", "", "1\\d pairs, \\d+ of 34 vertices alone"),
          of("graph-colouring", "", "[5-9] colours"),
          of("minimum-spanning-forest", "", "1 trees of 33 edges, weight 33.0000000"),
          of(
              "hits",
              "--iterations 50",
              "largest authority 0.373\\d+ \\(vertex 34\\), largest hub 0.373\\d+ \\(vertex 34\\)"),
          of("katz", "", "largest 1.\\d+ \\(vertex 34\\), last change \\d\\.\\d+e-\\d+, converged"),
          of(
              "katz",
              "--iterations 2",
              "largest .*, last change .*, not converged after 2 supersteps: raise --iterations or"
                  + " --tolerance"),
          of("betweenness", "--sample 34", "largest 462.143 \\(vertex 1\\)"),
          of("sswp", "--source 1", "34 of 34 vertices reached, narrowest path 1.00000"),
          of("nn", "", "activations from 0.\\d+ to 1.00000, converged"),
          of("hs", "--source 1 --iterations 1", "heats from .* to .*, not converged after 1 .*"),
          of("cs", "--source 1 --ground 34", "voltages from 0.00000 to 1.00000, converged"));

  @Test
  void everyAlgorithmSaysWhatItsResultComesTo() throws IOException {
    TreeSet<String> without = new TreeSet<>(Algorithm.names());
    List<String> others = new ArrayList<>();
    for (Case each : CASES) {
      without.remove(each.algorithm());
      String arguments = each.arguments().isEmpty() ? "" : " " + each.arguments();
      String line = result(each.algorithm() + " --input " + KARATE + " --undirected" + arguments);
      if (!line.matches(each.pattern())) {
        others.add(each + ": " + line);
      }
    }
    assertThat(others).isEmpty();
    // Tested below and by LearningJobTest.
    assertThat(without)
        .containsExactly(
            "als",
            "belief-propagation",
            "manifold-ranking",
            "multi-modal",
            "soft-labels",
            "svd-plus-plus");
  }

  /** Edges of three users and three items. */
  private static final String RATINGS = "1 11 5\n1 12 1\n2 11 4\n2 13 2\n3 12 1\n3 13 3\n";

  /** The lines that the only run has written, in their cells. */
  private List<String[]> written() throws IOException {
    Path written;
    try (Stream<Path> runs = Files.list(folder)) {
      written = runs.filter(Files::isDirectory).findFirst().orElseThrow().resolve("out");
    }
    List<String[]> lines = new ArrayList<>();
    try (Stream<Path> parts = Files.list(written)) {
      for (Path part : parts.filter(f -> f.getFileName().toString().startsWith("part")).toList()) {
        for (String each : Files.readAllLines(part)) {
          lines.add(each.split("\t"));
        }
      }
    }
    return lines;
  }

  @Test
  void predictionsOfFactorsAreAsFarFromRatingsAsTheLineSays() throws IOException {
    String line = result("als --weighted --rank 2 --input " + file(RATINGS));
    assertThat(line).startsWith("root of the mean squared error of 6 ratings ");
    Map<String, String[]> factors = new HashMap<>();
    written().forEach(cells -> factors.put(cells[0], cells));
    assertThat(factors).hasSize(6);
    double squares = 0;
    for (String rating : RATINGS.split("\n")) {
      String[] cells = rating.split(" ");
      double error = Double.parseDouble(cells[2]);
      for (int i = 1; i <= 2; i++) {
        error -=
            Double.parseDouble(factors.get(cells[0])[i])
                * Double.parseDouble(factors.get(cells[1])[i]);
      }
      squares += error * error;
    }
    assertThat(squares).isPositive();
    assertThat(line)
        .endsWith(String.format(java.util.Locale.ROOT, " %.5f", Math.sqrt(squares / 6)));
  }

  @Test
  void ratingsAreAsFarFromPredictionsAsTheirErrorsSay() throws IOException {
    String line = result("svd-plus-plus --weighted --rank 2 --input " + file(RATINGS));
    assertThat(line).startsWith("root of the mean squared error of 6 ratings ");
    double squares = 0;
    for (String[] cells : written()) {
      squares += cells[0].length() == 2 ? Double.parseDouble(cells[cells.length - 1]) : 0;
    }
    assertThat(squares).isPositive();
    assertThat(line)
        .endsWith(String.format(java.util.Locale.ROOT, " %.5f", Math.sqrt(squares / 6)));
  }

  /** What is not reached does not count; values of vertices that nobody leads to do. */
  @Test
  void unreachedVerticesDoNotCount() throws IOException {
    String two = file("1 2 3\n2 3 1e3\n7 8 1\n");
    String input = " --input " + two;
    assertThat(result("bfs --source 1" + input))
        .isEqualTo("3 of 5 vertices reached, at most 2 edges away");
    assertThat(result("graphalytics-bfs --source 1" + input))
        .isEqualTo("3 of 5 vertices reached, at most 2 edges away");
    assertThat(result("shortest-paths --landmarks 3" + input))
        .isEqualTo("3 of 5 vertices reached, at most 2 edges away");
    assertThat(result("sssp --weighted --source 1" + input))
        .isEqualTo("3 of 5 vertices reached, farthest 1003.00 (vertex 3)");
    assertThat(result("sswp --weighted --source 1" + input))
        .isEqualTo("3 of 5 vertices reached, narrowest path 3.00000");
    assertThat(result("multi-source-bfs --sources 2,7" + input))
        .isEqualTo("4 of 5 vertices reached");
    assertThat(result("connected-components" + input)).isEqualTo("2 components");
    assertThat(result("strongly-connected-components" + input)).isEqualTo("5 components");
    assertThat(errText).doesNotContain("warning");
  }

  /** Behind the edge that makes it infinite everything reads as not reached. */
  @Test
  void pathsThatAreTooLongForANumberAreWarnedOf() throws IOException {
    String far = file("1 2 1e308\n2 3 1e308\n3 4 1\n");
    for (String algorithm : List.of("sssp", "graphalytics-sssp")) {
      assertThat(result(algorithm + " --weighted --source 1 --input " + far))
          .isEqualTo("2 of 4 vertices reached, farthest 1.00000e+308 (vertex 2)");
      assertThat(errText)
          .contains(
              "warning: vertex 2 is 1.0E308 away: longer paths may be too long for a number, and"
                  + " read as no path; multiply all weights by the same small number");
    }
  }
}
