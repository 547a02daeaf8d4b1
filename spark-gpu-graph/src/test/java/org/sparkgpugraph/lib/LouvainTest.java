package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Louvain.Conf;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.LouvainOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Communities against the plain formula of modularity, and on graphs whose answer is known. */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class LouvainTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final double ROUNDING = 1e-9;

  private final JavaSparkContext context;

  LouvainTest(JavaSparkContext context) {
    this.context = context;
  }

  // ---- oracle ---------------------------------------------------------------------------------

  private static double modularity(
      TestGraph<?, Double> graph, boolean weighted, double gamma, Map<Long, Long> communities) {
    return LouvainOracle.modularity(
        graph.sources(),
        graph.destinations(),
        graph.edgeAttributes().stream().mapToDouble(weight -> weighted ? weight : 1).toArray(),
        gamma,
        communities);
  }

  private static Map<Long, Long> singletons(TestGraph<?, ?> graph) {
    Map<Long, Long> communities = new HashMap<>();
    LongStream.of(graph.ids()).forEach(id -> communities.put(id, id));
    return communities;
  }

  /** Communities are named by their smallest member. */
  private static void checkNames(Map<Long, Long> communities, TestGraph<?, ?> graph) {
    assertThat(communities.keySet()).isEqualTo(singletons(graph).keySet());
    Map<Long, Long> smallest = new HashMap<>();
    communities.forEach((id, community) -> smallest.merge(community, id, Math::min));
    smallest.forEach((community, id) -> assertThat(community).isEqualTo(id));
  }

  /** Cliques of which each has an edge to the next. */
  private static TestGraph<Double, Double> cliques(int count, int size, boolean ring) {
    List<int[]> edges = new ArrayList<>();
    for (int clique = 0; clique < count; clique++) {
      for (int one = 0; one < size; one++) {
        for (int other = one + 1; other < size; other++) {
          edges.add(new int[] {clique * size + one, clique * size + other});
        }
      }
      if (ring || clique < count - 1) {
        edges.add(new int[] {clique * size, (clique + 1) % count * size + 1});
      }
    }
    return TestGraph.ofEdges(count + " cliques", count * size, edges);
  }

  private static TestGraph<Double, Double> karate() throws IOException {
    List<int[]> edges =
        Files.readAllLines(Path.of("../examples/data/karate.txt")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray())
            .map(edge -> new int[] {edge[0] - 1, edge[1] - 1})
            .toList();
    assertThat(edges).hasSize(78);
    return TestGraph.ofEdges("karate", 34, edges);
  }

  private Graph<Double, Double> graphx(TestGraph<Double, Double> graph) {
    return graph.toGraphx(context, 2, Double.class, Double.class);
  }

  /** A run. */
  private record Found(Map<Long, Long> communities, RunReport report) {
    double modularity() {
      return Louvain.modularity(report);
    }
  }

  private Found find(TestGraph<Double, Double> graph, boolean weighted, Conf conf, int... held) {
    Graph<Double, Double> input = graphx(graph);
    RunOptions options = CPU.withExecutors(held[0]).withPartitions(held[1]);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(input, Double.class, Double.class, options)) {
      return find(resident, weighted, conf);
    } finally {
      input.unpersist(false);
    }
  }

  private static Found find(ResidentGraph<?, Double> resident, boolean weighted, Conf conf) {
    try (VertexResult<Long> result =
        weighted ? Louvain.runWeighted(resident, conf, CPU) : Louvain.run(resident, conf, CPU)) {
      return new Found(result.collectAsMap(), result.report());
    }
  }

  // ---- known answers --------------------------------------------------------------------------

  @Test
  void cliquesAreCommunities() {
    Found two = find(cliques(2, 5, false), false, Conf.DEFAULT, 1, 1);
    for (long v = 0; v < 10; v++) {
      assertThat(two.communities()).containsEntry(v, v / 5 * 5);
    }
    // Eleven edges either side of the bridge's 21: 2 · (20/42 − (21/42)²).
    assertThat(two.modularity()).isEqualTo(2 * (20.0 / 42 - 0.25), within(ROUNDING));
    assertThat(Louvain.levels(two.report())).isEqualTo(1);
    assertThat(Louvain.communities(two.report())).isEqualTo(2);
    Found ring = find(cliques(10, 6, true), false, Conf.DEFAULT, 1, 2);
    ring.communities().forEach((v, community) -> assertThat(community).isEqualTo(v / 6 * 6));
    // At a coarse resolution neighbouring cliques are one community.
    Found coarse = find(cliques(10, 6, true), false, Conf.DEFAULT.withGamma(0.1), 1, 1);
    assertThat(Louvain.communities(coarse.report())).isLessThan(10);
    Found fine = find(cliques(10, 6, true), false, Conf.DEFAULT.withGamma(50), 1, 1);
    assertThat(Louvain.communities(fine.report())).isEqualTo(60);
    assertThat(Louvain.levels(fine.report())).isZero();
  }

  @Test
  void karateClubAndPlantedGroups() throws IOException {
    assertThat(find(karate(), false, Conf.DEFAULT, 1, 1).modularity()).isBetween(0.40, 0.4199);
    TestGraph<Double, Double> planted = RandomGraphs.planted(20, 30, 6, 1);
    Found found = find(planted, true, Conf.DEFAULT, 1, 3);
    found.communities().forEach((v, community) -> assertThat(community).isEqualTo(v / 30 * 30));
  }

  // ---- properties -----------------------------------------------------------------------------

  /** The operator's own test has all shapes. */
  @Test
  void theSameHoweverItIsHeld() {
    for (RandomGraphs.Shape shape :
        List.of(RandomGraphs.Shape.SKEWED, RandomGraphs.Shape.DISCONNECTED)) {
      int number = shape.ordinal();
      boolean weighted = number % 2 == 0;
      TestGraph<Double, Double> graph =
          RandomGraphs.of(shape, 21)
              .withAttributes(
                  new Random(number), random -> 0.0, random -> (double) random.nextInt(20));
      Conf conf = Conf.DEFAULT.withGamma(number % 3 == 0 ? 0.7 : 1).withMinGain(0);
      Found found = find(graph, weighted, conf, 1, 1);
      String name = graph.name() + ", " + found.report().summary().iterations() + " rounds";
      checkNames(found.communities(), graph);
      double expected = modularity(graph, weighted, conf.gamma(), found.communities());
      assertThat(found.modularity()).as(name).isEqualTo(expected, within(ROUNDING));
      assertThat(expected)
          .as(name)
          .isGreaterThanOrEqualTo(
              modularity(graph, weighted, conf.gamma(), singletons(graph)) - ROUNDING);
      assertThat(Louvain.communities(found.report()))
          .isEqualTo(found.communities().values().stream().distinct().count());
      int[] held = {2 + number % 2, 2 - number % 2};
      Found other = find(graph, weighted, conf, held);
      assertThat(other.communities())
          .as(name + Arrays.toString(held))
          .isEqualTo(found.communities());
      assertThat(other.modularity()).isEqualTo(found.modularity());
      assertThat(Louvain.levels(other.report())).isEqualTo(Louvain.levels(found.report()));
    }
  }

  /** Multiplied by what rounds, and with every edge in both directions: nothing changes. */
  @Test
  void neitherTheUnitNorDirectionsCount() {
    TestGraph<Double, Double> graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 3)
            .withAttributes(new Random(3), random -> 0.0, random -> 0.1 * random.nextInt(50));
    Found found = find(graph, true, Conf.DEFAULT, 1, 1);
    TestGraph<Double, Double> scaled =
        new TestGraph<>(
            "scaled",
            graph.ids(),
            graph.attributes(),
            graph.sources(),
            graph.destinations(),
            graph.edgeAttributes().stream().map(weight -> weight * 3.7e-5).toList());
    assertThat(find(scaled, true, Conf.DEFAULT, 1, 2).communities()).isEqualTo(found.communities());
    List<Double> weights = new ArrayList<>(graph.edgeAttributes());
    weights.addAll(weights);
    TestGraph<Double, Double> both =
        new TestGraph<>(
            "both directions",
            graph.ids(),
            graph.attributes(),
            LongStream.concat(LongStream.of(graph.sources()), LongStream.of(graph.destinations()))
                .toArray(),
            LongStream.concat(LongStream.of(graph.destinations()), LongStream.of(graph.sources()))
                .toArray(),
            weights);
    for (int[] held : new int[][] {{1, 1}, {2, 1}}) {
      Found undirected = find(both, true, Conf.DEFAULT, held);
      assertThat(undirected.communities()).isEqualTo(found.communities());
      assertThat(undirected.modularity()).isEqualTo(found.modularity(), within(ROUNDING));
    }
  }

  @Test
  void isolatedVerticesLoopsAndNothing() {
    TestGraph<Double, Double> loops =
        TestGraph.ofEdges(
            "loops", 5, List.of(new int[] {1, 1}, new int[] {2, 3}, new int[] {3, 2}));
    Found found = find(loops, false, Conf.DEFAULT, 1, 1);
    assertThat(found.communities()).isEqualTo(Map.of(0L, 0L, 1L, 1L, 2L, 2L, 3L, 2L, 4L, 4L));
    assertThat(found.modularity())
        .isEqualTo(modularity(loops, false, 1, found.communities()), within(ROUNDING));
    for (TestGraph<Double, Double> nothing :
        List.of(
            TestGraph.ofEdges("no edges", 3, List.of()),
            TestGraph.ofEdges("no weight", 3, List.of(new int[] {0, 1, 0})))) {
      for (int executors : new int[] {1, 2}) {
        Found alone = find(nothing, true, Conf.DEFAULT, executors, 1);
        assertThat(alone.communities()).isEqualTo(Map.of(0L, 0L, 1L, 1L, 2L, 2L));
        assertThat(alone.modularity()).isZero();
        assertThat(Louvain.levels(alone.report())).isZero();
      }
    }
    assertThat(
            find(TestGraph.ofEdges("empty", 0, List.of()), false, Conf.DEFAULT, 1, 1).communities())
        .isEmpty();
  }

  /** Weights whose squares are too large for a double, or too small; and infinite ones. */
  @Test
  void modularityOfHugeAndTinyWeights() {
    TestGraph<Double, Double> graph = cliques(3, 4, true);
    Map<Long, Long> communities = new HashMap<>();
    LongStream.of(graph.ids()).forEach(id -> communities.put(id, id / 4));
    List<Long> named = LongStream.of(graph.ids()).mapToObj(communities::get).toList();
    double expected = modularity(graph, true, 1, communities);
    for (double weight : new double[] {1, 1e300, 1e-300}) {
      assertThat(Modularity.ofWeighted(weighing(graph, named, weight), 1, CPU))
          .as("weight %s", weight)
          .isEqualTo(expected, within(ROUNDING));
    }
    assertThatThrownBy(() -> Modularity.ofWeighted(weighing(graph, named, 1e308), 1, CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the sum of all edge weights")
        .hasMessageContaining("multiply all weights");
    double infinite = Double.POSITIVE_INFINITY;
    assertThatThrownBy(() -> Modularity.ofWeighted(weighing(graph, named, infinite), 1, CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is Infinity: modularity needs finite weights of 0 or more");
  }

  /** The graph with communities as vertex attributes, and equal weights. */
  private Graph<Long, Double> weighing(
      TestGraph<Double, Double> graph, List<Long> communities, double weight) {
    return new TestGraph<>(
            "weighing",
            graph.ids(),
            communities,
            graph.sources(),
            graph.destinations(),
            Collections.nCopies(graph.edgeCount(), weight))
        .toGraphx(context, 2, Long.class, Double.class);
  }

  /** What is masked out joins nothing and counts nowhere. */
  @Test
  void maskedAndReversedGraphs() {
    TestGraph<Double, Double> chain = cliques(3, 5, false);
    Graph<Double, Double> input = graphx(chain);
    for (int executors : new int[] {1, 2}) {
      try (ResidentGraph<Double, Double> resident =
              GpuPregel.load(input, Double.class, Double.class, CPU.withExecutors(executors));
          ResidentGraph<Double, Double> masked = resident.masked(id -> id != 7, null)) {
        Found found = find(masked, false, Conf.DEFAULT);
        assertThat(found.communities()).hasSize(14).doesNotContainKey(7L);
        found.communities().forEach((v, community) -> assertThat(community).isEqualTo(v / 5 * 5));
        assertThat(Louvain.communities(found.report())).isEqualTo(3);
        assertThat(find(masked.reversed(), false, Conf.DEFAULT).communities())
            .isEqualTo(found.communities());
      }
    }
  }

  /** Runs of fewer levels are the beginning of longer ones, each better than the one before. */
  @Test
  void levelsAreNestedAndModularityIsThatOfTheFormula() {
    TestGraph<Double, Double> graph = cliques(60, 4, true);
    Found all = find(graph, true, Conf.DEFAULT, 1, 1);
    int levels = Louvain.levels(all.report());
    assertThat(levels).isGreaterThan(1);
    Map<Long, Long> inner = singletons(graph);
    double before = -1;
    for (int level = 1; level <= levels; level++) {
      Found found = find(graph, true, Conf.DEFAULT.withMaxLevels(level), 1, 1);
      assertThat(Louvain.levels(found.report())).isEqualTo(level);
      assertThat(found.modularity()).isGreaterThan(before);
      before = found.modularity();
      Map<Long, Long> outer = found.communities();
      inner.forEach((v, community) -> assertThat(outer.get(v)).isEqualTo(outer.get(community)));
      inner = outer;
    }
    assertThat(inner).isEqualTo(all.communities());
    RunReport[] told = new RunReport[1];
    RunOptions observed =
        CPU.withObserver(
            new RunObserver() {
              @Override
              public void finished(RunReport report) {
                told[0] = report;
              }
            });
    Graph<Double, Double> input = graphx(graph);
    Graph<Long, Double> result = Louvain.runWeighted(input, Conf.DEFAULT, observed);
    assertThat(Compare.vertices(result)).isEqualTo(inner);
    assertThat(Louvain.modularity(told[0])).isEqualTo(before);
    assertThat(Modularity.ofWeighted(result, 1, CPU))
        .isEqualTo(before, within(ROUNDING))
        .isEqualTo(modularity(graph, true, 1, inner), within(ROUNDING));
    assertThat(Modularity.of(result, 2.5, CPU))
        .isEqualTo(modularity(graph, false, 2.5, inner), within(ROUNDING));
  }

  // ---- bad input ------------------------------------------------------------------------------

  @Test
  void badInput() {
    assertThatThrownBy(() -> Conf.DEFAULT.withGamma(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gamma must be greater than 0 and finite, but got 0.0");
    assertThatThrownBy(() -> Conf.DEFAULT.withGamma(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Conf.DEFAULT.withMaxLevels(0))
        .hasMessageContaining("maxLevels must be at least 1, but got 0");
    assertThatThrownBy(() -> Conf.DEFAULT.withMinGain(Double.NaN))
        .hasMessageContaining("minGain must be no less than 0, but got NaN");
    TestGraph<Double, Double> negative =
        TestGraph.ofEdges("negative", 4, List.of(new int[] {0, 1, 1}, new int[] {2, 3, -1}));
    for (int executors : new int[] {1, 2}) {
      assertThatThrownBy(() -> find(negative, true, Conf.DEFAULT, executors, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the weight of edge 2 → 3 is -1.0")
          .hasMessageContaining("finite weights of 0 or more");
    }
    Graph<Double, Double> input = graphx(negative);
    Graph<Long, Double> communities = ConnectedComponents.run(input);
    assertThatThrownBy(() -> Modularity.ofWeighted(communities, 1, CPU))
        .hasMessageContaining(
            "the weight of edge 2 → 3 is -1.0: modularity needs finite weights of 0");
    assertThatThrownBy(() -> Modularity.of(communities, 0, CPU))
        .hasMessageContaining("gamma must be greater than 0");
    assertThatThrownBy(
            () ->
                Louvain.run(
                    input, Conf.DEFAULT, RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX)))
        .hasMessageContaining("Louvain does not run on stock GraphX");
  }

  /** A device takes a graph that one executor holds; of others it says what to set. */
  @Test
  void devices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    Graph<Double, Double> input = graphx(cliques(2, 3, false));
    try (ResidentGraph<Double, Double> whole =
            GpuPregel.load(input, Double.class, Double.class, CPU);
        ResidentGraph<Double, Double> shards =
            GpuPregel.load(input, Double.class, Double.class, CPU.withExecutors(2))) {
      assertThat(Louvain.explain(whole, Conf.DEFAULT.withRefine(true), emulated))
          .contains("engine: emulated", "operator: Louvain");
      assertThatThrownBy(() -> Louvain.run(shards, Conf.DEFAULT, emulated))
          .hasMessageContaining("over several executors Louvain has no kernels for GPUs")
          .hasMessageContaining("spark.gpugraph.engine");
      assertThat(Louvain.explain(shards, Conf.DEFAULT, emulated))
          .contains("! the operator cannot run on GPU because over several executors Louvain");
      assertThat(Louvain.explain(whole, Conf.DEFAULT, RunOptions.DEFAULT))
          .contains("engine: cpu", "operator: Louvain");
    }
  }

  /** More vertices than are taken in order, so that kernels find their communities. */
  @Test
  void anEmulatedDeviceFindsTheSame() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    TestGraph<Double, Double> graph = RandomGraphs.planted(600, 7, 2, 1);
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graphx(graph), Double.class, Double.class, CPU);
        VertexResult<Long> expected = Louvain.run(resident, Conf.DEFAULT, CPU);
        VertexResult<Long> found = Louvain.run(resident, Conf.DEFAULT, emulated)) {
      assertThat(found.report().engine()).isEqualTo("emulated");
      assertThat(Louvain.modularity(found.report()))
          .isEqualTo(Louvain.modularity(expected.report()));
      assertThat(Louvain.levels(found.report())).isGreaterThan(1);
      assertThat(found.collectAsMap()).isEqualTo(expected.collectAsMap());
    }
  }
}
