package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose vertices begin and end with arrays, on graphs that can be computed by hand. */
class LearningJobTest extends CommandTrial {
  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "in", ".txt"), text).toString();
  }

  private Map<Long, double[]> values(String arguments) throws IOException {
    Path output = Files.createTempDirectory(folder, "run").resolve("out");
    List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(List.of("--output", output.toString()));
    assertThat(run(all.toArray(new String[0]))).as(() -> errText).isZero();
    Map<Long, double[]> values = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path part : files.filter(f -> f.getFileName().toString().startsWith("part")).toList()) {
        for (String line : Files.readAllLines(part)) {
          String[] cells = line.split("\t");
          values.put(
              Long.parseLong(cells[0]),
              Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray());
        }
      }
    }
    return values;
  }

  private static void assertClose(Map<Long, double[]> found, Map<Long, double[]> expected) {
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (id, values) ->
            assertThat(found.get(id)).as("vertex " + id).containsExactly(values, within(1e-5)));
  }

  @Test
  void softLabelsSpread() throws IOException {
    String edges = file("1 2 1\n2 1 1\n3 2 3\n2 3 1\n9 9 1\n");
    String labels = file("# known\n1\t1\t0\n3 0 2\n");
    String job = "soft-labels --weighted --input %s --values %s --k 2".formatted(edges, labels);
    // 1 is drawn half-way to 2's labels (1/4, 3/4), and so is 3; 2 has the mean of both.
    Map<Long, double[]> found = values(job + " --alpha 0.5 --tolerance 1e-9");
    double one = found.get(1L)[0];
    double three = found.get(3L)[0];
    double two = (one + 3 * three) / 4;
    assertThat(one).isCloseTo(0.5 + two / 2, within(1e-6));
    assertThat(three).isCloseTo(two / 2, within(1e-6));
    assertThat(found.get(2L)).containsExactly(new double[] {two, 1 - two}, within(1e-6));
    assertThat(found.get(9L)).containsExactly(0, 0);
    assertThat(outText).contains("result: labels from 0.00000 to ").contains(", converged");
    assertClose(values(job + " --alpha 0.5 --deltas 1e-8"), found);
    assertThat(values(job + " --alpha 0.5 --pull previous --iterations 1").get(1L)[0])
        .as("nothing is known of its neighbour")
        .isEqualTo(1);
    assertThat(outText).contains("not converged after 1 supersteps");
    assertThat(values(job.replace(" --weighted", "") + " --iterations 1").get(2L))
        .containsExactly(0.5, 0.5);
  }

  @Test
  void beliefsAreMarginals() throws IOException {
    String priors = file("1 0.9 0.1\n");
    Map<Long, double[]> expected =
        Map.of(
            1L, new double[] {0.9, 0.1},
            2L, new double[] {0.82, 0.18},
            3L, new double[] {0.756, 0.244});
    String job = "belief-propagation --k 2 --values " + priors + " --input ";
    String one = file("1 2\n3 2\n");
    assertClose(values(job + one + " --potential 0.9,0.1,0.1,0.9"), expected);
    assertThat(outText).contains("result: beliefs from 0.100000 to 0.900000, converged");
    assertClose(values(job + one + " --potential 0.9,0.1,0.1,0.9 --deltas 0"), expected);
    // States of the destination change places, on the way to 3 and back.
    String each = file("1 2 0.1 0.9 0.9 0.1\n3 2 0.2 1.8 1.8 0.2 7\n");
    assertClose(
        values(job + each + " --weighted"),
        Map.of(
            1L, new double[] {0.9, 0.1},
            2L, new double[] {0.18, 0.82},
            3L, new double[] {0.756, 0.244}));
    String csv = file("p,dst,src,q,r,s\n0.1,2,1,0.9,0.9,0.1\n");
    assertThat(
            run(
                ("belief-propagation --k 2 --weighted --format csv --columns src,dst,p --input "
                        + csv
                        + " --output "
                        + folder.resolve("never"))
                    .split(" ")))
        .isEqualTo(1);
    assertThat(errText).contains("source and weight are both column 3 ('src')");
    String columns = file("src,dst,p,q,r,s\n1,2,0.1,0.9,0.9,0.1\n");
    assertClose(
        values(
            "belief-propagation --k 2 --weighted --format csv --columns src,dst,p --values "
                + priors
                + " --input "
                + columns),
        Map.of(1L, new double[] {0.9, 0.1}, 2L, new double[] {0.18, 0.82}));
  }

  @Test
  void modalitiesAreMixed() throws IOException {
    String edges = file("1 2 0.5 0.25\n");
    String first = file("1 10 20 30\n");
    String job =
        "multi-modal --k 3 --weighted --alpha 0.4,0.2 --values " + first + " --input " + edges;
    Map<Long, double[]> expected = Map.of(1L, new double[] {4, 8, 12}, 2L, new double[] {1, 2, 3});
    assertClose(values(job), expected);
    assertThat(outText).contains("result: values from 1.00000 to 12.0000, converged");
    assertClose(values(job + " --deltas 0 --executors 1"), expected);
  }

  @Test
  void ranksOfManifolds() throws IOException {
    String edges = file("1 2 2 4\n3 2 2 0\n");
    String first = file("1 1 0\n3 3 8\n");
    assertClose(
        values(
            "manifold-ranking --k 2 --weighted --alpha 0.5 --values "
                + first
                + " --input "
                + edges),
        Map.of(1L, new double[] {0.5, 0}, 2L, new double[] {0.5, 0}, 3L, new double[] {1.5, 4}));
    assertThat(outText).contains("result: ranks from 0.00000 to 4.00000, converged");
    assertClose(
        values(
            "manifold-ranking --k 2 --weighted --alpha 0.5 --deltas 0 --values "
                + first
                + " --input "
                + edges),
        Map.of(1L, new double[] {0.5, 0}, 2L, new double[] {0.5, 0}, 3L, new double[] {1.5, 4}));
  }

  @Test
  void explainsAndEstimates() throws IOException {
    String edges = file("1 2 0.5 0.25\n");
    String job = "multi-modal --k 3 --weighted --alpha 0.4,0.2 --explain --estimate --input ";
    assertThat(run((job + edges).split(" "))).as(() -> errText).isZero();
    assertThat(outText).contains("about 2 vertices, 1 edges", "engine: cpu");
  }

  @Test
  void badInputIsNamed() throws IOException {
    String edges = file("1 2 0.5\n");
    String few = file("1 10\n");
    String stranger = file("7 1 2\n");
    String twice = file("1 1 2\n2 1 0\n1 0 1\n");
    String nan = file("2 1 NaN\n1 0 1\n");
    String four = file("1 2 1 1 NaN 1\n");
    String uneven = file("1 2 1 1 1 1\n3 2 1 1 1\n");
    for (String[] each :
        new String[][] {
          {"soft-labels --k 2 --values " + few, "line 1: it has 1 weights, not 2"},
          {
            "soft-labels --k 2 --values " + stranger,
            "there is a value for vertex 7, which the graph does not have: leave it out"
          },
          {"soft-labels --k 2 --values " + folder + "/none", "no file matches"},
          {
            "soft-labels --k 2 --values " + twice,
            "there are several values for vertex 1: leave all but one out"
          },
          {
            "soft-labels --k 2 --values " + nan,
            "element 1 of the first labels of vertex 2 is NaN: labels need numbers from 0 to 1e150"
          },
          {
            "belief-propagation --k 2 --weighted --input " + four,
            "element 2 of the potential of edge 1 → 2 is NaN: potentials need numbers"
          },
          {
            "belief-propagation --k 2 --weighted --input " + uneven,
            "line 2: it has 3 weights, not 4"
          },
          {"manifold-ranking --k 2 --weighted", "line 1: it has 1 weights, not 2"},
          {
            "belief-propagation --k 2 --undirected --potential 1,2,2,1",
            "vertices 1 and 2 are connected by 2 edges"
          },
          {
            "belief-propagation --k 2 --potential 1,2,2",
            "the potential has 3 elements, but k is 2: give 4"
          },
        }) {
      List<String> all = new ArrayList<>(List.of(each[0].split(" ")));
      if (!all.contains("--input")) {
        all.addAll(List.of("--input", edges));
      }
      all.addAll(List.of("--output", folder.resolve("never").toString()));
      assertThat(run(all.toArray(new String[0]))).as(each[0]).isEqualTo(1);
      assertThat(errText).contains(each[1]).doesNotContain("\tat ");
      assertThat(folder.resolve("never")).doesNotExist();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soft-labels --rmat 4|soft-labels needs a k: give it with --k N",
        "soft-labels --rmat 4 --k 0|--k must be from 1 to 1024 here, not 0",
        "soft-labels --rmat 4 --k 1025|--k must be from 1 to 1024 here, not 1025",
        "soft-labels --rmat 4 --k 2 --alpha 1,2|--alpha is one number here, not 2",
        "soft-labels --rmat 4 --k 2 --potential 1|soft-labels does not take --potential",
        "soft-labels --rmat 4 --k 2 --deltas -1|--deltas: epsilon must be a finite number of 0 or",
        "soft-labels --rmat 4 --k 2 --deltas 0 --tolerance 0|use one of them",
        "soft-labels --rmat 4 --k 2 --pull prevous|did you mean 'previous'?",
        "manifold-ranking --input a --k 2|manifold-ranking reads 2 weights of each edge: add --weighted",
        "manifold-ranking --rmat 4 --k 2 --weighted|several weights of each edge are read of edge lists",
        "multi-modal --input a --k 2 --weighted|multi-modal needs a weight for each modality",
        "belief-propagation --input a --k 2|needs one potential for all edges",
        "belief-propagation --input a --k 2 --weighted --potential 1,1,1,1|not both",
        "belief-propagation --input a --k 33 --weighted|edges would have 1089 weights",
        "belief-propagation --input a --k 2 --alpha 0.5 --potential 1|does not take --alpha",
        "pagerank --rmat 4 --deltas 0|pagerank begins with no arrays: leave --values",
      })
  void wrongCommandLinesAreNamed(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(errText).contains(message).contains("--help");
    assertThat(outText).isEmpty();
  }
}
