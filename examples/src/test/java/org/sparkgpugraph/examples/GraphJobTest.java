package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.SparkException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.files.input.BadInputException;

/** The command line, run in this JVM. */
class GraphJobTest extends CommandTrial {
  private static final String KARATE = Path.of("data/karate.txt").toAbsolutePath().toString();

  /** Runs with an output that does not exist yet, and reads it. */
  private Map<Long, String> values(String... args) throws IOException {
    Path output = Files.createTempDirectory(folder, "run").resolve("out");
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--output", output.toString()));
    assertThat(run(all.toArray(new String[0]))).as(() -> errText).isZero();
    assertThat(output.resolve("_SUCCESS")).exists();
    return lines(output);
  }

  private static Map<Long, String> lines(Path output) throws IOException {
    Map<Long, String> values = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .forEach(
              file -> {
                try {
                  for (String line : Files.readAllLines(file)) {
                    String[] parts = line.split("\t");
                    assertThat(values.put(Long.parseLong(parts[0]), parts[1])).isNull();
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return values;
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** The only line on the error stream that is no progress. */
  private String error() {
    List<String> lines = errText.lines().filter(line -> line.startsWith("GraphJob: ")).toList();
    assertThat(lines).as(errText).hasSize(1);
    assertThat(errText).doesNotContain("\tat ");
    return lines.get(0).substring("GraphJob: ".length());
  }

  @Test
  void ranksTheKarateClubAsNetworkxDoes() throws IOException {
    Map<Long, String> ranks =
        values("pagerank", "--input", KARATE, "--undirected", "--iterations", "100");
    assertThat(ranks).hasSize(34);
    // networkx.pagerank(karate_club_graph(), weight=None), times 34; the graph has no dead ends, so
    // that GraphX's definition is the same.
    assertThat(Double.parseDouble(ranks.get(34L)) / 34).isBetween(0.1009, 0.1010);
    assertThat(Double.parseDouble(ranks.get(1L)) / 34).isBetween(0.0969, 0.0971);
    assertThat(ranks.values().stream().mapToDouble(Double::parseDouble).sum())
        .isBetween(33.999, 34.001);
    assertThat(outText)
        .containsPattern("pagerank, engine cpu \\(no usable GPU: .*\\): 34 vertices, 156 edges")
        .containsPattern("load .* run .* s \\(transfer 0.00 s, kernels [0-9.]+ s\\), write ")
        .contains("run ")
        .contains("write ")
        .containsPattern("write [0-9.]+ s, total [0-9.]+ s")
        .contains("supersteps 100")
        .contains("edges/s")
        .contains("peak heap")
        .containsPattern(
            "executor driver on \\S+: heap [0-9,]+ MB while loading, [0-9,]+ MB while running, at"
                + " most, of [0-9,]+ MB; edges: 1 kB on it, 0 kB off it, 0 kB in mapped files");
  }

  /** Weights of 1 are put to edges that have none. */
  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(strings = {"pagerank", "louvain"})
  void aGeneratedGraphThatCannotFitIsRefusedAtOnceWithTheBytesItNeeds(String algorithm) {
    Path output = folder.resolve("huge");
    assertThat(run(algorithm, "--rmat", "36", "--output", output.toString())).isEqualTo(1);
    assertThat(error())
        .contains("does not fit executor driver: it needs at least 8796093022208 bytes, and ")
        .contains("spark.driver.memory");
    assertThat(output).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void toleranceRunsUntilConvergence() throws IOException {
    Map<Long, String> ranks =
        values("pagerank", "--input", KARATE, "--undirected", "--tolerance", "1e-9");
    assertThat(Double.parseDouble(ranks.get(34L)) / 34).isBetween(0.1009, 0.1010);
    assertThat(outText).contains("(converged)");
  }

  @Tag("any-spark")
  @Test
  void labelsComponents() throws IOException {
    String path = file("a.txt", "5 3\n3 9\n-4 7\n2 2\n");
    assertThat(values("connected-components", "--input", path))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(3L, "3", 5L, "3", 9L, "3", -4L, "-4", 7L, "-4", 2L, "2"));
  }

  @Tag("any-spark")
  @Test
  void findsShortestPaths() throws IOException {
    String path = file("a.txt", "1 2 5\n1 3 1\n3 2 1.5\n2 4 1\n7 1 1\n");
    assertThat(values("sssp", "--input", path, "--weighted", "--source", "1"))
        .isEqualTo(Map.of(1L, "0.0", 2L, "2.5", 3L, "1.0", 4L, "3.5", 7L, "Infinity"));
    assertThat(values("sssp", "--input", path, "--source", "1"))
        .isEqualTo(Map.of(1L, "0.0", 2L, "1.0", 3L, "1.0", 4L, "2.0", 7L, "Infinity"));
  }

  @Tag("any-spark")
  @Test
  void findsLevels() throws IOException {
    String path = file("a.txt", "1 2\n1 3\n3 2\n2 4\n7 1\n");
    assertThat(values("bfs", "--input", path, "--source", "1"))
        .isEqualTo(Map.of(1L, "0", 2L, "1", 3L, "1", 4L, "2", 7L, "-1"));
    assertThat(values("bfs", "--input", path, "--source", "1", "--iterations", "1"))
        .isEqualTo(Map.of(1L, "0", 2L, "1", 3L, "1", 4L, "-1", 7L, "-1"));
    assertThat(values("bfs", "--input", path, "--source", "4", "--undirected"))
        .isEqualTo(Map.of(1L, "2", 2L, "1", 3L, "2", 4L, "0", 7L, "3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pagerank", "connected-components", "sssp", "bfs"})
  void stockGraphxAgrees(String algorithm) throws IOException {
    boolean traversal = algorithm.equals("sssp") || algorithm.equals("bfs");
    List<String> args =
        new ArrayList<>(
            traversal
                ? List.of(algorithm, "--lattice", "6", "--source", "8")
                : List.of(algorithm, "--rmat", "7", "--edge-factor", "3"));
    if (algorithm.equals("sssp")) {
      args.add("--weighted");
    }
    String[] ours = args.toArray(new String[0]);
    args.addAll(List.of("--engine", "graphx"));
    Map<Long, String> expected = values(args.toArray(new String[0]));
    assertThat(outText).contains(algorithm + ", engine graphx");
    Map<Long, String> actual = values(ours);
    assertThat(outText).contains(algorithm + ", engine cpu");
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    for (Long id : actual.keySet()) {
      double a = Double.parseDouble(actual.get(id));
      double b = Double.parseDouble(expected.get(id));
      if (a != b) {
        assertThat(Math.abs(a - b)).as("vertex " + id).isLessThan(1e-9 * Math.abs(b));
      }
    }
  }

  @Tag("any-spark")
  @Test
  void partitionsAndGraphsDoNotChangeTheResult() throws IOException {
    Map<Long, String> one =
        values("connected-components", "--rmat", "9", "--edge-factor", "1", "--partitions", "1");
    Map<Long, String> five =
        values("connected-components", "--rmat", "9", "--edge-factor", "1", "--partitions", "5");
    assertThat(five).isEqualTo(one).hasSizeGreaterThan(100);
  }

  @Test
  void readsCsvAndParquetAndWritesThem() throws IOException {
    String csv = file("a.csv", "weight,dst,src\n2.5,2,1\n0.5,3,2\n");
    Path parquet = folder.resolve("out.parquet");
    int status =
        run(
            "sssp",
            "--input",
            csv,
            "--format",
            "csv",
            "--weighted",
            "--source",
            "1",
            "--output",
            parquet.toString(),
            "--output-format",
            "parquet");
    assertThat(status).as(() -> errText).isZero();
    // Its columns are (id, distance): read back as edges from a vertex to where its distance says.
    SparkSession spark = SparkSession.active();
    assertThat(spark.read().parquet(parquet.toString()).orderBy("id").collectAsList())
        .hasToString("[[1,0.0], [2,2.5], [3,3.0]]");
    Path edges = folder.resolve("edges.parquet");
    spark.range(5).selectExpr("id as a", "id + 1 as b").write().parquet(edges.toString());
    assertThat(
            values(
                "bfs",
                "--input",
                edges.toString(),
                "--format",
                "parquet",
                "--columns",
                "a,b",
                "--source",
                "2"))
        .containsEntry(5L, "3")
        .containsEntry(0L, "-1");
    Path out = folder.resolve("out.csv");
    assertThat(
            run(
                "bfs",
                "--input",
                csv,
                "--format",
                "csv",
                "--columns",
                "3,2",
                "--source",
                "1",
                "--output",
                out.toString(),
                "--output-format",
                "csv"))
        .isZero();
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.map(Path::toString)).anyMatch(name -> name.endsWith(".csv"));
    }
  }

  @Tag("any-spark")
  @Test
  void verticesWithoutEdgesAreThere() throws IOException {
    String edges = file("g.e", "2 3\n3 4\n");
    String vertices = file("g.v", "# ids\n1\n2\n3 name\n\n4\n-7\n");
    Map<Long, String> expected = Map.of(-7L, "-7", 1L, "1", 2L, "2", 3L, "2", 4L, "2");
    for (String engine : List.of("cpu", "graphx")) {
      assertThat(
              values(
                  "connected-components",
                  "--input",
                  edges,
                  "--vertices",
                  vertices,
                  "--engine",
                  engine))
          .isEqualTo(expected);
    }
    String bad = file("bad.v", "1\n2x\n");
    Path output = folder.resolve("out");
    assertThat(
            run(
                "connected-components",
                "--input",
                edges,
                "--vertices",
                bad,
                "--output",
                output.toString()))
        .isEqualTo(1);
    assertThat(error())
        .isEqualTo(
            "file:" + bad + ", line 2: the vertex id '2x' is not an integer; the line is \"2x\"");
  }

  @Test
  void controlCharactersOfArgumentsAreEscaped() {
    String escape = Character.toString(0x1b) + "c\n";
    String input = folder.resolve("a" + escape + ".e").toString();
    String output = folder.resolve("out").toString();
    assertThat(run("pagerank", "--input", input, "--output", output))
        .as(() -> errText)
        .isEqualTo(1);
    assertThat(error()).contains("a\\u001bc\\n").doesNotContain(escape);
    assertThat(run("pagerank", "--in" + escape)).isEqualTo(2);
    assertThat(error()).contains("no option '--in\\u001bc\\n'");
  }

  /** 1 → 2 → 4, 1 → 3 → 4, 6 → 1; 4 and the isolated 5 are sinks. */
  @Tag("any-spark")
  @Test
  void graphalyticsValuesAreThoseOfItsSpecification() throws IOException {
    String edges = file("g.e", "1 2 0.5\n1 3 0.25\n2 4 0.125\n3 4 1\n6 1 2\n");
    String vertices = file("g.v", "1\n2\n3\n4\n5\n6\n");
    String[] graph = {"--input", edges, "--vertices", vertices, "--directed"};
    assertThat(graphalytics("bfs", graph, "true", "--source", "1"))
        .containsExactlyInAnyOrder(
            "1 0", "2 1", "3 1", "4 2", "5 9223372036854775807", "6 9223372036854775807");
    assertThat(graphalytics("bfs", graph, "false", "--source", "1"))
        .containsExactlyInAnyOrder("1 0", "2 1", "3 1", "4 2", "5 9223372036854775807", "6 1");
    assertThat(graphalytics("wcc", graph, "true"))
        .containsExactlyInAnyOrder("1 1", "2 1", "3 1", "4 1", "5 5", "6 1");
    // After one: 1 has 2, 2, 3 and 6 have 1, 4 has 2.
    for (String directed : List.of("true", "false")) {
      assertThat(graphalytics("cdlp", graph, directed, "--iterations", "2"))
          .containsExactlyInAnyOrder("1 1", "2 2", "3 2", "4 1", "5 5", "6 2");
    }
    assertThat(graphalytics("sssp", graph, "true", "--source", "1", "--weighted"))
        .containsExactlyInAnyOrder(
            "1 0.0", "2 0.5", "3 0.25", "4 0.625", "5 Infinity", "6 Infinity");
    assertThat(graphalytics("sssp", graph, "false", "--source", "1", "--weighted"))
        .containsExactlyInAnyOrder("1 0.0", "2 0.5", "3 0.25", "4 0.625", "5 Infinity", "6 2.0");
    // 1 has the neighbours 2, 3 and 6, with no edge among them: a square has no triangle.
    assertThat(graphalytics("lcc", graph, "true"))
        .containsExactlyInAnyOrder("1 0.0", "2 0.0", "3 0.0", "4 0.0", "5 0.0", "6 0.0");
    String[] closed = graph.clone();
    closed[1] = file("h.e", "1 2 1\n2 1 1\n1 3 1\n2 3 1\n3 4 1\n");
    assertThat(graphalytics("lcc", closed, "true"))
        .containsExactlyInAnyOrder(
            "1 0.5", "2 0.5", "3 0.3333333333333333", "4 0.0", "5 0.0", "6 0.0");
    closed[1] = file("i.e", "1 2 1\n1 3 1\n2 3 1\n3 4 1\n");
    assertThat(graphalytics("lcc", closed, "false"))
        .containsExactlyInAnyOrder(
            "1 1.0", "2 1.0", "3 0.3333333333333333", "4 0.0", "5 0.0", "6 0.0");
    // By hand: 1/6 everywhere; the sinks 4 and 5 hold 1/3 of it, and 1/2 of 1's goes to each.
    double base = 0.15 / 6 + 0.85 / 6 / 3;
    double[] ranks = {base + 0.85 / 6, base + 0.85 / 12, base + 0.85 / 12, base + 0.85 / 3, base};
    List<String> lines = graphalytics("pr", graph, "true", "--iterations", "1");
    assertThat(lines).hasSize(6);
    for (String line : lines) {
      int id = Integer.parseInt(line.split(" ")[0]);
      assertThat(Double.parseDouble(line.split(" ")[1]))
          .isCloseTo(ranks[id == 6 ? 4 : id - 1], within(1e-15));
    }
  }

  /** The lines that a run writes. */
  private List<String> graphalytics(String name, String[] graph, String... more)
      throws IOException {
    Path output = Files.createTempDirectory(folder, "run").resolve("out");
    List<String> all = new ArrayList<>(List.of("graphalytics-" + name));
    all.addAll(List.of(graph));
    all.addAll(List.of(more));
    all.addAll(List.of("--output", output.toString()));
    assertThat(run(all.toArray(new String[0]))).as(() -> errText).isZero();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path part :
          files.filter(file -> file.getFileName().toString().startsWith("part-")).toList()) {
        lines.addAll(Files.readAllLines(part));
      }
    }
    return lines;
  }

  /** 1 → 2 → 3 → 1 with weights 2, 1, 4, and 3 → 4 with weight 3. */
  @Tag("any-spark")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shortest-paths --landmarks 3,4|1\t2\t3; 2\t1\t2; 3\t0\t1; 4\t2147483647\t0",
        "personalized-pagerank --sources 1,4 --iterations 1|1\t0.15\t0.0; 2\t0.85\t0.0; 3\t0.0\t0.0; 4\t0.0\t1.0",
        "strongly-connected-components|1\t1; 2\t1; 3\t1; 4\t4",
        "label-propagation --iterations 1|1\t2; 2\t1; 3\t1; 4\t3",
        "multi-source-bfs --sources 1,2|1\t3\t2; 2\t3\t1; 3\t3\t3; 4\t3\t5",
        "betweenness --sources 1,2,3,4|1\t1.0; 2\t2.0; 3\t3.0; 4\t0.0",
        "louvain --weighted --resolution 0.1|1\t1; 2\t1; 3\t1; 4\t1",
        "louvain --resolution 50 --tolerance 0 --iterations 3|1\t1; 2\t2; 3\t3; 4\t4",
        "k-core --k 2 --undirected|1\t2; 2\t2; 3\t2; 4\t0",
        "coreness --undirected|1\t2; 2\t2; 3\t2; 4\t1",
        "sswp --source 1 --weighted|1\tInfinity; 2\t2.0; 3\t1.0; 4\t1.0",
        "nn --weighted --iterations 1|1\t0.999; 2\t0.964; 3\t0.761; 4\t0.995",
        "hs --source 1 --iterations 1|1\t0.0; 2\t1.0; 3\t0.0; 4\t0.0",
        "cs --source 1 --ground 3|1\t1.0; 2\t1.0; 3\t0.0; 4\t0.0",
        "hits --iterations 1|1\t0.5\t0.408; 2\t0.5\t0.408; 3\t0.5\t0.816; 4\t0.5\t0.0",
        "triangle-count|1\t1; 2\t1; 3\t1; 4\t0",
        "clustering-coefficient|1\t1.0; 2\t1.0; 3\t0.333; 4\t0.0",
        "katz --iterations 2|1\t1.010; 2\t1.010; 3\t1.010; 4\t1.010",
        "weighted-pagerank --weighted --iterations 1|1\t0.807; 2\t1.269; 3\t1.269; 4\t0.653",
        "minimum-spanning-forest --weighted|1\t1\t1\t0.0; 2\t1\t1\t2.0; 3\t1\t2\t1.0; 4\t1\t3\t3.0",
        "minimum-spanning-forest|1\t1\t1\t0.0; 2\t1\t1\t1.0; 3\t1\t1\t1.0; 4\t1\t3\t1.0",
        "maximal-matching --seed 5|1\t3; 2\t2; 3\t1; 4\t4",
        "graph-colouring --seed 5|1\t2; 2\t0; 3\t1; 4\t0",
        "maximal-independent-set --seed 5|"
      })
  void theLibrarysAlgorithmsRun(String arguments, String expected) throws IOException {
    String graph = file("g.txt", "1 2 2\n2 3 1\n3 1 4\n3 4 3\n");
    Path output = Files.createTempDirectory(folder, "run").resolve("out");
    List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(List.of("--input", graph, "--output", output.toString()));
    assertThat(run(all.toArray(new String[0]))).as(() -> errText).isZero();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path part :
          files.filter(file -> file.getFileName().toString().startsWith("part-")).toList()) {
        for (String line : Files.readAllLines(part)) {
          lines.add(line.replaceAll("(\\.\\d{3})\\d+", "$1"));
        }
      }
    }
    lines.sort(null);
    if (expected != null) {
      assertThat(String.join("; ", lines)).isEqualTo(expected);
    } else {
      assertThat(lines).hasSize(4).anyMatch(line -> line.endsWith("true"));
    }
  }

  @Test
  void aBatchRunsItsLinesAndTellsWhichFailed() throws IOException {
    String graph = file("a b.txt", "5 3\n3 9\n");
    String ones = folder.resolve("ones").toString();
    String twos = folder.resolve("twos").toString();
    String jobs =
        file(
            "jobs.txt",
            "# two good ones\nconnected-components --input '"
                + graph
                + "' --output "
                + ones
                + "\n\npagerang --rmat 4 --output x\n"
                + "bfs --input \""
                + graph
                + "\" --source 77 --output "
                + twos
                + "x\n--batch other.txt\n"
                + "bfs --input '"
                + graph
                + " --output x\n"
                + "bfs --input \""
                + graph
                + "\" --source 5 --output "
                + twos
                + "\n");
    assertThat(run("--batch", jobs)).isEqualTo(1);
    assertThat(lines(Path.of(ones))).isEqualTo(Map.of(3L, "3", 5L, "3", 9L, "3"));
    assertThat(lines(Path.of(twos))).isEqualTo(Map.of(3L, "1", 5L, "0", 9L, "2"));
    assertThat(outText).contains(jobs + ": 6 jobs, 4 failed: lines [4, 5, 6, 7]");
    assertThat(errText.lines().filter(line -> line.startsWith("GraphJob: ")))
        .satisfiesExactly(
            line -> assertThat(line).contains(jobs + ", line 4: 'pagerang' is not an algorithm"),
            line -> assertThat(line).contains(jobs + ", line 5: source 77 is not a vertex"),
            line -> assertThat(line).contains(jobs + ", line 6: a job of a batch cannot be"),
            line -> assertThat(line).contains(jobs + ", line 7: a quote ' is not closed"));
    String good = file("good.txt", "connected-components --rmat 4 --output " + ones + "2\n");
    assertThat(run("--batch", good)).as(() -> errText).isZero();
    assertThat(outText).contains(good + ": 1 jobs, all done");
    assertThat(run("--batch", folder + "/none.txt")).isEqualTo(1);
    assertThat(error()).startsWith("cannot read the jobs in '" + folder + "/none.txt'");
  }

  @Tag("any-spark")
  @Test
  void explainsWithoutRunning() {
    assertThat(run("pagerank", "--rmat", "5", "--explain")).as(() -> errText).isZero();
    assertThat(outText)
        .contains("engine: cpu")
        .contains("every vertex in every superstep (dense)")
        .contains("not updated in place because")
        .contains("partition 0: ");
    assertThat(outText).doesNotContain("load ").doesNotContain("SGG_KERNEL");
  }

  @Tag("any-spark")
  @Test
  void explainsWithTheGeneratedSource() {
    assertThat(run("bfs", "--rmat", "4", "--source", "0", "--explain=source"))
        .as(() -> errText)
        .isZero();
    assertThat(outText).contains("engine: ", "CUDA source:", "SGG_KERNEL_OF(gather_dense");
    assertThat(run("bfs", "--rmat", "4", "--source", "0", "--explain=sauce")).isEqualTo(2);
    assertThat(errText).contains("'sauce' is not an explanation; did you mean 'source'?");
  }

  @Tag("any-spark")
  @Test
  void helpNamesEverything() {
    assertThat(run("--help")).isZero();
    assertThat(outText)
        .contains("ALGORITHM", "--input", "--rmat", "--engine", "--explain", "Exit status");
  }

  @Tag("any-spark")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pagerang --rmat 4|'pagerang' is not an algorithm; did you mean 'pagerank'?",
        "pagerank --rmat 4 --engine cuba|'cuba' is not an engine; did you mean 'cuda'?",
        "pagerank --rmat 4 --iteration 3 --outptu x|there is no option '--iteration'; did you mean '--iterations'?",
        "pagerank --rmat 4 --output-format txt|'txt' is not an output format; did you mean 'text'?",
        "pagerank --input a --format edgelst|'edgelst' is not an input format; did you mean 'edgelist'?",
        "pagerank --rmat 4 --fallback nevr|'nevr' is not a fallback; did you mean 'never'?",
        "--rmat 4 --output o|no algorithm is given: name one of",
        "bfs --rmat 4 --source 1 --undirected --directed true|--undirected contradicts --directed true",
        "bfs --rmat 4 --source 1 --directed perhaps|'perhaps' is not a boolean",
        "bfs --rmat 4 --source 1 --damping 0.5|bfs has no damping factor: leave --damping out",
        "graphalytics-pr --rmat 4 --damping 1.5|--damping must be from 0 to 1, not 1.5",
        "graphalytics-wcc --rmat 4 --iterations 2|graphalytics-wcc runs to its end",
        "graphalytics-bfs --rmat 4|graphalytics-bfs starts from a vertex",
        "graphalytics-pr --rmat 4 --output o --engine graphx|stock GraphX has no graphalytics-pr; it has pagerank,",
        "betweenness --rmat 4|betweenness needs several vertices: give it with --sources ID,ID",
        "pagerank --rmat 4 --landmarks 1,2|pagerank does not take several vertices: leave --sources out",
        "betweenness --rmat 4 --sample 3 --sources 1|--sources names sources and --sample draws them",
        "betweenness --rmat 4 --sample 0|--sample must be at least 1, not 0",
        "bfs --rmat 4 --source 1 --sample 2|bfs does not take a sample of sources: leave --sample out",
        "svd-plus-plus --rmat 4|svd-plus-plus learns from ratings, the weights of the edges: add --weighted",
        "svd-plus-plus --rmat 4 --weighted --rank 0|rank must be from 1 to 64, but got 0",
        "svd-plus-plus --rmat 4 --weighted --lambda 1|svd-plus-plus has no lambda: leave --lambda and",
        "als --rmat 4|als learns from ratings, the weights of the edges: add --weighted",
        "als --rmat 4 --weighted --rank 33|als: rank must be from 1 to 32, but got 33",
        "als --rmat 4 --weighted --lambda -1|als: lambda must be a finite number of 0 or more",
        "als --rmat 4 --weighted --range 0,5|als takes ratings of any range and has no learning rates",
        "svd-plus-plus --rmat 4 --weighted --range 1|--range takes 2 numbers, not 1",
        "svd-plus-plus --rmat 4 --weighted --range 0,5,|'0,5,' has an empty item: put a number before and behind",
        "svd-plus-plus --rmat 4 --weighted --gammas 1,x|'x' is not a number",
        "shortest-paths --rmat 4 --landmarks 1,|'1,' has an empty item: put a number before and behind a comma",
        "betweenness --rmat 4 --sources ,1|',1' has an empty item",
        "betweenness --rmat 4 --sources 1,x|'x' is not an integer",
        "betweenness --rmat 4 --sources 1,99999999999999999999|'99999999999999999999' is out of range",
        "svd-plus-plus --rmat 4 --weighted --range 0,1e999|'1e999' is too large for a double",
        "cs --rmat 4 --source 3 --ground 3|vertex 3 is both --source, of 1 V, and --ground, of 0 V",
        "pagerank --rmat 4 --tolerance Infinity|--tolerance must be finite, not Infinity",
        "pagerank --rmat 4 --refine|pagerank has no communities to refine: leave --refine out",
        "bfs --rmat 4 --source 1 --rank 3|bfs learns from no ratings: leave --rank",
        "louvain --rmat 4 --resolution 0|--resolution must be more than 0 and finite, not 0.0",
        "louvain --rmat 4 --tolerance -1|--tolerance must be 0 or more, not -1.0",
        "bfs --rmat 4 --source 1 --resolution 2|bfs has no resolution: leave --resolution out",
        "k-core --rmat 4|k-core needs a k: give it with --k N",
        "cs --rmat 4 --source 1|cs needs the ground: give it with --ground ID",
        "coreness --rmat 4 --iterations 3|coreness runs to its end: leave --iterations out",
        "hits --rmat 4 --weighted|hits does not use weights",
        "coreness --input x --seed 4|--seed only goes with --rmat and --lattice",
        "--batch jobs --engine cpu|--batch takes what jobs need from the file's lines: move --engine there",
        "pagerank --batch jobs|--batch takes the algorithms from the file's lines: name none",
        "pagerank|no graph is given: use one of --input PATH, --rmat SCALE and --lattice N",
        "pagerank --rmat 4 --lattice 4|more than one graph is given",
        "pagerank --rmat 4|no output is given: use --output DIR",
        "pagerank --rmat 4 --explain --overwrite|--overwrite only goes with --output",
        "pagerank --rmat four|Invalid value for option '--rmat'",
        "pagerank --rmat 4 extra|the argument 'extra' is one too many",
        "pagerank --rmat 4 --source 3|pagerank has no source",
        "bfs --rmat 4 --source 1 --weighted|bfs does not use weights: leave --weighted out",
        "sssp --rmat 4|sssp starts from a vertex: give it with --source ID",
        "bfs --rmat 4 --source 1 --tolerance 1|bfs is exact: leave --tolerance out",
        "pagerank --rmat 4 --tolerance 1 --iterations 1|use one of them",
        "pagerank --rmat 4 --iterations 0|--iterations must be at least 1, not 0",
        "pagerank --rmat 4 --tolerance -1|--tolerance must be more than 0",
        "pagerank --rmat 4 --output o --partitions 0|--partitions must be at least 1, not 0",
        "pagerank --input a --edge-factor 4|--edge-factor only goes with --rmat",
        "pagerank --rmat 4 --columns a,b|--columns only goes with --input",
        "pagerank --input a --columns a,b|--columns needs --format csv or --format parquet",
        "pagerank --input a --format mtx --columns a,b|--columns needs --format csv or --format parquet",
        "pagerank --input a --format csv --columns a,A|--columns names 'A' twice",
        "sssp --input a --format csv --weighted --source 1 --columns 1,2,1|--columns names '1' twice",
        "pagerank --input a --format csv --columns a|--columns is SRC,DST or SRC,DST,WEIGHT, not 'a'",
      })
  void wrongCommandLinesAreNamed(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(error()).contains(message).contains("--help");
    assertThat(outText).isEmpty();
  }

  @Test
  void whatCannotBeComputedIsNamed() throws IOException {
    String path = file("g.txt", "1 2 2\n2 3 1\n3 1 4\n1 3 1\n2 1 1\n3 2 1\n");
    for (String[] each :
        new String[][] {
          {"cs --source 1 --ground 9", "ground 9 is not a vertex of the graph: pass the id of one"},
          {"hs --weighted --source 1", "heats grow without end: the conductances of vertex "},
          {"katz --damping 0.9", "Katz centrality does not converge with attenuation 0.9: "},
          {"betweenness --sources 1,1", "source 1 is given twice"},
          {"betweenness --sources 1,9", "source 9 is not a vertex of the graph"}
        }) {
      List<String> arguments = new ArrayList<>(List.of(each[0].split(" ")));
      arguments.addAll(List.of("--input", path, "--output", folder.resolve("never").toString()));
      assertThat(run(arguments.toArray(new String[0]))).as(each[0]).isEqualTo(1);
      assertThat(error()).startsWith(each[1]);
      assertThat(folder.resolve("never")).doesNotExist();
    }
  }

  @Test
  void badInputIsNamedAndLeavesNothing() throws IOException {
    Path output = folder.resolve("out");
    String out = output.toString();
    assertThat(run("bfs", "--input", folder + "/none", "--source", "1", "--output", out))
        .isEqualTo(1);
    assertThat(error()).isEqualTo("no file matches file:" + folder + "/none: check the path");

    String bad = file("bad.txt", "1 2\n2 three\n");
    assertThat(run("bfs", "--input", bad, "--source", "1", "--output", out)).isEqualTo(1);
    assertThat(error())
        .isEqualTo(
            "file:"
                + bad
                + ", line 2: the destination id 'three' is not an integer; the line is \"2 three\"");

    String negative = file("negative.txt", "1 2 1\n2 3 -0.5\n");
    assertThat(run("sssp", "--input", negative, "--weighted", "--source", "1", "--output", out))
        .isEqualTo(1);
    assertThat(error())
        .startsWith("edge 2->3 has weight -0.5, but sssp needs weights of 0 or more");

    for (String engine : List.of("cpu", "graphx")) {
      assertThat(
              run("bfs", "--input", negative, "--source", "8", "--output", out, "--engine", engine))
          .isEqualTo(1);
      assertThat(error())
          .isEqualTo("source 8 is not a vertex of the graph: pass the id of one with --source");
    }
    assertThat(run("pagerank", "--rmat", "40", "--output", out)).isEqualTo(2);
    assertThat(error()).startsWith("the R-MAT scale must be 0 to 36 (2^scale vertices), not 40");
    assertThat(output).doesNotExist();
  }

  @Test
  void anOutputThatCannotBeMadeIsRefusedBeforeTheInputIsRead() throws IOException {
    String file = file("file", "");
    for (String output : List.of(file + "/out", "none:/out", "hdfs://host.invalid/out")) {
      assertThat(run("pagerank", "--input", folder + "/none", "--output", output)).isEqualTo(1);
      assertThat(error()).startsWith("cannot write to '" + output + "'").contains("; check the ");
    }
  }

  @Test
  void anOutputThatExistsIsRefusedBeforeTheInputIsRead() throws IOException {
    Path output = Files.createDirectory(folder.resolve("out"));
    assertThat(run("pagerank", "--input", folder + "/none", "--output", output.toString()))
        .isEqualTo(1);
    assertThat(error())
        .isEqualTo(
            "the output file:"
                + output
                + " exists already: choose another directory, remove it first, or have it replaced"
                + " (--overwrite of GraphJob)");
  }

  @Tag("any-spark")
  @Test
  void anOutputThatAnotherJobWritesIsRefusedBeforeTheInputIsRead() throws IOException {
    Path output = folder.resolve("out");
    try (VertexWriter other =
        new VertexWriter(
            SparkSession.active(), output.toString(), VertexWriter.Format.TEXT, List.of("x"))) {
      assertThat(run("pagerank", "--input", folder + "/none", "--output", other.output()))
          .isEqualTo(1);
      assertThat(error())
          .startsWith("another job writes the output file:" + output + ": ")
          .endsWith("/.out.incomplete, and start again");
    }
    assertThat(run("pagerank", "--input", folder + "/none", "--output", output.toString()))
        .isEqualTo(1);
    assertThat(error()).startsWith("no file matches");
    assertThat(folder).isEmptyDirectory();
  }

  @Tag("any-spark")
  @Test
  void overwriteReplacesAnOutputOnceTheNewOneIsComplete() throws IOException {
    Path output = folder.resolve("out");
    String[] job = {
      "bfs",
      "--input",
      file("a.txt", "1 2\n2 3\n"),
      "--output",
      output.toString(),
      "--overwrite",
      "--source",
      "1"
    };
    assertThat(run(job)).as(() -> errText).isZero();
    assertThat(lines(output)).isEqualTo(Map.of(1L, "0", 2L, "1", 3L, "2"));
    job[7] = "9";
    assertThat(run(job)).isEqualTo(1);
    assertThat(error()).startsWith("source 9 is not a vertex");
    assertThat(lines(output)).hasSize(3).containsEntry(1L, "0");
    job[7] = "3";
    for (String engine : List.of("cpu", "graphx")) {
      List<String> arguments = new ArrayList<>(List.of(job));
      arguments.addAll(List.of("--engine", engine));
      assertThat(run(arguments.toArray(new String[0]))).as(() -> errText).isZero();
      assertThat(lines(output)).isEqualTo(Map.of(1L, "-1", 2L, "-1", 3L, "0"));
    }
    Files.writeString(output.resolve("notes.txt"), "mine");
    assertThat(run(job)).isEqualTo(1);
    assertThat(error())
        .startsWith(
            "the output file:" + output + " is not replaced: it holds 'notes.txt', which no job");
    assertThat(output.resolve("notes.txt")).hasContent("mine");
    assertThat(folder.resolve(".out.incomplete")).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void aGpuThatIsNotThereIsNamed() {
    Path output = folder.resolve("out");
    assertThat(run("pagerank", "--rmat", "4", "--engine", "cuda", "--output", output.toString()))
        .isEqualTo(1);
    assertThat(error()).containsAnyOf("NVIDIA", "GPU", "JCuda");
    assertThat(errText).as("nothing is loaded for it").doesNotContain("loaded");
    assertThat(output).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void valuesThatAreNoNumbersAreNamedInWords() {
    String[][] cases = {
      {"--iterations", "ten", "'ten' is not an integer"},
      {"--tolerance", "small", "'small' is not a number"},
      {"--tolerance", "0", "--tolerance must be more than 0"},
      {"--seed", "x", "'x' is not an integer"},
      {
        "--iterations",
        "99999999999",
        "'99999999999' is out of range: it must be from -2147483648 to 2147483647"
      },
      {
        "--seed",
        "99999999999999999999",
        "'99999999999999999999' is out of range: it must be from -9223372036854775808 to"
            + " 9223372036854775807"
      },
      {"--tolerance", "1e999", "'1e999' is too large for a double (at most 1.79"}
    };
    for (String[] each : cases) {
      assertThat(run("pagerank", "--rmat", "4", "--output", folder + "/out", each[0], each[1]))
          .isEqualTo(2);
      assertThat(error()).contains(each[2]);
    }
  }

  @Test
  void anEmptyGraphIsOneOnlyWhereItIsAskedFor() throws IOException {
    assertThat(values("connected-components", "--lattice", "1")).isEmpty();
    String empty = file("empty.txt", "# nothing\n");
    String vertices = file("g.v", "7\n9\n");
    assertThat(values("connected-components", "--input", empty, "--vertices", vertices))
        .isEqualTo(Map.of(7L, "7", 9L, "9"));
    String matrix = file("e.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n");
    assertThat(values("connected-components", "--input", matrix))
        .isEqualTo(Map.of(1L, "1", 2L, "2"));
  }

  @Test
  void inputWithoutAnyEdgeIsNamed() throws IOException {
    Files.createDirectory(folder.resolve("in"));
    file("in/a.txt", "");
    file("in/_b.txt", "1 2\n");
    String output = folder.resolve("out").toString();
    for (List<String> arguments :
        List.of(
            List.of("--input", file("comments.txt", "# nothing\n\n")),
            List.of("--input", file("empty.txt", "")),
            List.of("--input", folder + "/in"),
            List.of("--input", file("header.csv", "src,dst\n"), "--format", "csv"))) {
      for (String engine : List.of("cpu", "graphx")) {
        List<String> all = new ArrayList<>(List.of("pagerank", "--output", output));
        all.addAll(List.of("--engine", engine));
        all.addAll(arguments);
        assertThat(run(all.toArray(new String[0]))).isEqualTo(1);
        assertThat(error()).startsWith("there are no edges in " + arguments.get(1) + ": ");
        assertThat(Path.of(output)).doesNotExist();
      }
    }
    String edges = file("g.e", "1 2\n");
    String none = file("none.v", "# no vertices\n");
    assertThat(run("pagerank", "--input", edges, "--vertices", none, "--output", output))
        .isEqualTo(1);
    assertThat(error()).startsWith("there are no vertices in " + none);
    String hidden = Files.createDirectory(folder.resolve("hidden")).toString();
    file("hidden/_a", "1 2\n");
    assertThat(run("pagerank", "--input", hidden, "--output", output)).isEqualTo(1);
    assertThat(error()).startsWith("there is nothing to read in file:" + hidden);
  }

  /** 1 - 2 - 3 and the isolated 4. */
  @Tag("any-spark")
  @Test
  void readsMatrixMarketFiles() throws IOException {
    String matrix =
        file(
            "a.mtx",
            "%%MatrixMarket matrix coordinate real symmetric\n% c\n4 4 3\n2 1 0.5\n3 2 2\n3 3 1\n");
    for (String engine : List.of("cpu", "graphx")) {
      assertThat(
              values("sssp", "--input", matrix, "--weighted", "--source", "3", "--engine", engine))
          .isEqualTo(Map.of(1L, "2.5", 2L, "2.0", 3L, "0.0", 4L, "Infinity"));
    }
    assertThat(outText).contains("4 vertices, 5 edges");
    assertThat(values("bfs", "--input", matrix, "--format", "mtx", "--source", "4"))
        .isEqualTo(Map.of(1L, "-1", 2L, "-1", 3L, "-1", 4L, "0"));
    String vertices = file("more.v", "9\n");
    assertThat(values("connected-components", "--input", matrix, "--vertices", vertices))
        .isEqualTo(Map.of(1L, "1", 2L, "1", 3L, "1", 4L, "4", 9L, "9"));
    String pattern =
        file("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n2 1\n");
    Path output = folder.resolve("out");
    assertThat(
            run(
                "sssp",
                "--input",
                pattern,
                "--weighted",
                "--source",
                "1",
                "--output",
                output.toString()))
        .isEqualTo(1);
    assertThat(error())
        .startsWith("file:" + pattern + ", line 1: a pattern has no values to read as weights");
  }

  @Test
  void aBatchWithoutJobsSaysSo() throws IOException {
    String comments = file("comments.txt", "# nothing\n\n");
    assertThat(run("--batch", comments)).isEqualTo(1);
    assertThat(error())
        .isEqualTo(comments + " holds no jobs: all of its lines (2) are blank or comments");
    String empty = file("empty.txt", "");
    assertThat(run("--batch", empty)).isEqualTo(1);
    assertThat(error()).isEqualTo(empty + " holds no jobs: it is empty");
    assertThat(run("--batch", "nofs:x")).isEqualTo(1);
    assertThat(error()).startsWith("cannot read the jobs in 'nofs:x': ");
  }

  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "local",
        "local[*]",
        "local[4]",
        "local[*,3]",
        "local[2, 3]",
        "yarn",
        "spark://host:7077",
        "k8s://https://host:443",
        "local-cluster[2,1,512]"
      })
  void knownMastersAreTaken(String master) {
    EmbeddedSpark.check(master, 450L << 20);
  }

  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(
      strings = {"local[abc]", "local[0]", "local[", "local[-1]", "loca", "local[9999999999]", ""})
  void unknownMastersAreNamed(String master) {
    assertThatThrownBy(() -> EmbeddedSpark.check(master, 1L << 30))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("spark.master is '" + master + "', which Spark does not know: use");
  }

  @Tag("any-spark")
  @Test
  void aHeapThatIsTooSmallForSparkIsNamed() {
    assertThatThrownBy(() -> EmbeddedSpark.check("local", 300L << 20))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "the heap has 300 MB, but Spark needs at least 450: use --driver-memory 512m or more");
  }

  @Test
  void whatWentWrongFirstIsSaid() throws ReflectiveOperationException {
    var made = FSError.class.getDeclaredConstructor(Throwable.class);
    made.setAccessible(true);
    Throwable full = made.newInstance(new IOException("No space left on device"));
    assertThat(JobRunner.failureMessage(new SparkException("Job aborted", full)))
        .startsWith("a disk is full (No space left on device): free some space where the output")
        .contains("spark.local.dir");
    Throwable shuffle = new IOException("/tmp/blockmgr-1/0c/shuffle_0: No space left on device");
    assertThat(JobRunner.failureMessage(new SparkException("Job aborted", shuffle)))
        .startsWith("a disk is full");
    assertThat(
            JobRunner.failureMessage(
                new SparkException("Job aborted: java.io.IOException: Disk quota exceeded")))
        .startsWith("a disk is full");
    Throwable memory = new OutOfMemoryError("Java heap space");
    assertThat(JobRunner.failureMessage(new SparkException("Job aborted", memory)))
        .startsWith("out of memory (Java heap space): give the driver more with --driver-memory");
    String stopped = "Job 3 cancelled because SparkContext was shut down";
    assertThat(JobRunner.failureMessage(new SparkException(stopped)))
        .startsWith("Spark was stopped before the job was done");
  }

  @Test
  void theStackTraceIsThereWhenAskedFor() {
    String[] arguments = {
      "pagerank", "--input", folder + "/none", "--output", folder + "/out", "--stacktrace"
    };
    assertThat(run(arguments)).isEqualTo(1);
    assertThat(errText).contains("\tat org.sparkgpugraph.files.EdgeLoader");
  }
}
