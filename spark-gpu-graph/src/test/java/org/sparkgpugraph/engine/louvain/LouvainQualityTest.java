package org.sparkgpugraph.engine.louvain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.louvain.LouvainOperator.Limits;
import org.sparkgpugraph.engine.louvain.LouvainTrial.Found;
import org.sparkgpugraph.testing.PlantedGroups;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.ShardGraphs;
import org.sparkgpugraph.testing.TestGraph;

/** How good communities are, and whether they are connected. */
@Tag("any-spark")
class LouvainQualityTest {
  private static final Limits NEVER_IN_ORDER = new Limits(0, 0, 0);

  /**
   * A line of {@code louvain-medians.txt}, which says how it was made.
   *
   * @param modularity the median of NetworkX
   */
  private record Median(int seed, int vertices, int edges, double modularity) {
    static List<Median> all() throws IOException {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  LouvainQualityTest.class.getResourceAsStream("louvain-medians.txt"),
                  StandardCharsets.UTF_8))) {
        return lines
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split(" "))
            .map(
                part ->
                    new Median(
                        Integer.parseInt(part[0]),
                        Integer.parseInt(part[1]),
                        Integer.parseInt(part[2]),
                        Double.parseDouble(part[3])))
            .toList();
      }
    }
  }

  private static LouvainOperator usual(boolean weighted, boolean refine) {
    return new LouvainOperator(weighted, 1, 100, 1e-6, refine, Limits.USUAL);
  }

  private static SimpleGraph graph(TestGraph<Double, Double> shape, int partitions) {
    double[] weights = shape.edgeAttributes().stream().mapToDouble(Double::doubleValue).toArray();
    return LouvainTrial.graph(shape, weights, null, partitions);
  }

  @Test
  void nearlyTheMedianOfNetworkXOrMore() throws IOException {
    List<Median> medians = Median.all();
    assertThat(medians).hasSize(PlantedGroups.COUNT);
    List<String> below = new ArrayList<>();
    for (Median median : medians) {
      TestGraph<Double, Double> planted = PlantedGroups.of(median.seed());
      assertThat(planted.vertexCount()).isEqualTo(median.vertices());
      assertThat(planted.edgeCount()).isEqualTo(median.edges());
      for (boolean refine : new boolean[] {false, true}) {
        LouvainOperator operator = usual(PlantedGroups.isWeighted(median.seed()), refine);
        SimpleGraph whole = graph(planted, 1);
        Found found = LouvainTrial.run(List.of(whole), operator, 1);
        double modularity = LouvainTrial.modularity(whole, operator, found.community());
        assertThat(found.told()[LouvainOperator.MODULARITY]).isEqualTo(modularity, within(1e-9));
        if (modularity < 0.99 * median.modularity()) {
          below.add(median + (refine ? ", refined: " : ": ") + modularity);
        }
        SimpleGraph cut = graph(planted, 3);
        Found ofShards = LouvainTrial.run(ShardGraphs.split(cut, 1, 2), operator, 1);
        assertThat(ofShards.community()).as(planted.name()).isEqualTo(found.community());
        assertThat(ofShards.told()).as(planted.name()).isEqualTo(found.told());
      }
    }
    assertThat(below).isEmpty();
  }

  /** What the vertices of a class gained by what was before, they lost by each other. */
  @Test
  void fourVerticesWithLoops() {
    List<int[]> edges =
        List.of(
            new int[] {1, 1},
            new int[] {2, 1},
            new int[] {1, 2},
            new int[] {4, 2},
            new int[] {3, 4},
            new int[] {1, 3},
            new int[] {3, 3});
    TestGraph<Double, Double> shape = TestGraph.ofEdges("four vertices", 5, edges);
    for (boolean refine : new boolean[] {false, true}) {
      Found found = LouvainTrial.run(List.of(graph(shape, 1)), usual(false, refine), 1);
      assertThat(found.community()).isEqualTo(Map.of(0L, 0L, 1L, 1L, 2L, 1L, 3L, 3L, 4L, 3L));
      Found ofShards =
          LouvainTrial.run(ShardGraphs.split(graph(shape, 2), 1), usual(false, refine), 1);
      assertThat(ofShards.community()).isEqualTo(found.community());
    }
  }

  /** However they are found, and wherever a run is cut off; those of a plain run are not always. */
  @Test
  void refinedCommunitiesAreConnected() {
    int apart = 0;
    int refined = 0;
    for (int trial = 0; trial < 280; trial++) {
      RandomGraphs.Shape shape = RandomGraphs.Shape.values()[trial % 14];
      TestGraph<?, ?> edges =
          trial % 14 < 7
              ? RandomGraphs.of(shape, trial)
              : RandomGraphs.planted(2 + trial % 60, 3 + trial % 50, 2, 1 + trial % 2);
      SimpleGraph graph = LouvainTrial.graph(edges, new Random(trial), null, 1);
      Limits limits = trial % 3 == 0 ? Limits.USUAL : NEVER_IN_ORDER;
      LouvainOperator plain =
          new LouvainOperator(trial % 2 == 0, 1, 1 + trial % 4, 0, false, limits);
      if (!isConnected(graph, plain, LouvainTrial.run(List.of(graph), plain, 2))) {
        apart++;
      }
      LouvainOperator refine =
          new LouvainOperator(trial % 2 == 0, 1, 1 + trial % 4, 0, true, limits);
      Found found = LouvainTrial.run(List.of(graph), refine, 2);
      String name = "trial " + trial + ", " + edges.name() + ", " + refine;
      assertThat(isConnected(graph, refine, found)).as(name).isTrue();
      assertThat(found.told()[LouvainOperator.MODULARITY])
          .as(name)
          .isEqualTo(LouvainTrial.modularity(graph, refine, found.community()), within(1e-9));
      refined += found.told()[LouvainOperator.LEVELS] > 1 ? 1 : 0;
      if (graph.ids.length > 1) {
        SimpleGraph cut = LouvainTrial.graph(edges, new Random(trial), null, 2);
        assertThat(LouvainTrial.run(ShardGraphs.split(cut, 1), refine, 1).community())
            .as(name)
            .isEqualTo(found.community());
      }
    }
    assertThat(apart).isGreaterThan(5);
    assertThat(refined).isGreaterThan(50);
  }

  private static boolean isConnected(SimpleGraph graph, LouvainOperator operator, Found found) {
    int[] root = new int[graph.ids.length];
    Arrays.setAll(root, v -> v);
    for (int e = 0; e < graph.sources.length; e++) {
      int one = graph.sources[e];
      int other = graph.destinations[e];
      boolean counts = !operator.weighted() || graph.edgeValues.doubles(0)[e] > 0;
      if (counts
          && found
              .community()
              .get(graph.ids[one])
              .equals(found.community().get(graph.ids[other]))) {
        root[root(root, one)] = root(root, other);
      }
    }
    Map<Long, Integer> roots = new TreeMap<>();
    for (int v = 0; v < root.length; v++) {
      Integer before = roots.put(found.community().get(graph.ids[v]), root(root, v));
      if (before != null && before != root(root, v)) {
        return false;
      }
    }
    return true;
  }

  private static int root(int[] root, int v) {
    return root[v] == v ? v : root(root, root[v]);
  }
}
