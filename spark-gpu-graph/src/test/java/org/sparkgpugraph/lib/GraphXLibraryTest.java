package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Option;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The library's results on GraphX graphs against stock GraphX's. */
@ExtendWith(SharedSpark.class)
class GraphXLibraryTest {
  private static final RunOptions THREE =
      RunOptions.DEFAULT.withPartitions(3).withFallback(RunOptions.Fallback.NEVER);
  private static final ClassTag<Double> DOUBLE = ClassTag$.MODULE$.apply(Double.class);

  private final JavaSparkContext context;

  GraphXLibraryTest(JavaSparkContext context) {
    this.context = context;
  }

  private static TestGraph<Double, Double> random(RandomGraphs.Shape shape, long seed) {
    return RandomGraphs.of(shape, seed)
        .withAttributes(
            new Random(seed), Random::nextDouble, random -> 0.05 + 0.9 * random.nextDouble());
  }

  private Graph<Double, Double> graphx(TestGraph<Double, Double> graph) {
    return graph.toGraphx(context, 2, Double.class, Double.class);
  }

  /** More vertices than one run has room for. */
  private static TestGraph<Double, Double> large(long firstSeed) {
    for (long seed = firstSeed; ; seed++) {
      TestGraph<Double, Double> graph = random(RandomGraphs.Shape.SKEWED, seed);
      if (graph.vertexCount() > 11 && graph.vertexCount() < 30) {
        return graph;
      }
    }
  }

  /** 1 → 2 → 3 → 1, 3 → 4 ⇄ 5, 6 alone, 7 with a loop. */
  private static TestGraph<Double, Double> chained() {
    return new TestGraph<>(
        "chained",
        new long[] {1, 2, 3, 4, 5, 6, 7},
        List.of(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        new long[] {1, 2, 3, 3, 4, 5, 7},
        new long[] {2, 3, 1, 4, 5, 4, 7},
        List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0));
  }

  @Test
  void shortestPathsAreGraphXs() {
    TestGraph<Double, Double> graph = large(3);
    Graph<Double, Double> input = graphx(graph);
    long[] landmarks = Arrays.copyOf(graph.ids(), 11);
    Graph<scala.collection.immutable.Map<Object, Object>, Double> actual =
        ShortestPaths.run(input, landmarks, THREE);
    Map<Long, ?> expected =
        Compare.vertices(
            org.apache.spark.graphx.lib.ShortestPaths.run(input, seq(landmarks), DOUBLE));
    assertThat((Map<Long, ?>) Compare.vertices(actual)).isEqualTo(expected);
    assertThat(actual.vertices().getStorageLevel().useMemory()).isTrue();
    assertThat(edges(actual)).containsExactlyInAnyOrderElementsOf(edges(input));
  }

  private static scala.collection.immutable.List<Object> seq(long[] values) {
    List<Object> boxed = new ArrayList<>();
    Arrays.stream(values).forEach(boxed::add);
    return JavaConverters.asScalaBuffer(boxed).toList();
  }

  private static List<String> edges(Graph<?, ?> graph) {
    return graph.edges().toJavaRDD().collect().stream().map(edge -> edge.toString()).toList();
  }

  @Test
  void trianglesAreGraphXs() {
    for (RandomGraphs.Shape shape :
        List.of(
            RandomGraphs.Shape.SKEWED,
            RandomGraphs.Shape.PARALLEL,
            RandomGraphs.Shape.ONE_VERTEX_WITH_LOOPS)) {
      TestGraph<Double, Double> graph = random(shape, 8);
      Graph<Double, Double> input = graphx(graph);
      Map<Long, ?> expected =
          Compare.vertices(org.apache.spark.graphx.lib.TriangleCount.run(input, DOUBLE, DOUBLE));
      Graph<Integer, Double> actual = TriangleCount.run(input, THREE);
      assertThat((Map<Long, ?>) Compare.vertices(actual)).as(graph.name()).isEqualTo(expected);
      assertThat(edges(actual)).containsExactlyInAnyOrderElementsOf(edges(input));
      assertThat((Map<Long, ?>) Compare.vertices(TriangleCount.runPreCanonicalized(input)))
          .isEqualTo(expected);
    }
    TestGraph<Double, Double> graph = random(RandomGraphs.Shape.SKEWED, 9);
    RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
    assertThat((Map<Long, ?>) Compare.vertices(TriangleCount.run(graphx(graph), stock)))
        .isEqualTo(Compare.vertices(TriangleCount.run(graphx(graph), THREE)));
  }

  @Tag("any-spark")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void strongComponentsAreGraphXsWhateverTheBound(int iterations) {
    for (TestGraph<Double, Double> graph :
        List.of(chained(), random(RandomGraphs.Shape.DISCONNECTED, iterations))) {
      Graph<Double, Double> input = graphx(graph);
      Graph<Long, Double> actual = StronglyConnectedComponents.run(input, iterations, THREE);
      Map<Long, ?> expected =
          Compare.vertices(
              org.apache.spark.graphx.lib.StronglyConnectedComponents.run(
                  input, iterations, DOUBLE, DOUBLE));
      assertThat((Map<Long, ?>) Compare.vertices(actual)).as(graph.describe()).isEqualTo(expected);
    }
  }

  /**
   * Ours are what GraphX gives for each source alone. GraphX's own are that but where vectors count
   * as unchanged that are not: with the rule of Breeze's {@code equals}, sequential code gives
   * GraphX's values to the last bits. This fails when a Spark version mends it; then
   * docs/compatibility.md has to say less.
   */
  @Test
  void parallelPersonalisedRanksAreThoseOfEachSource() {
    for (TestGraph<Double, Double> graph : List.of(LibraryOracle.simple(large(4)), large(4))) {
      Graph<Double, Double> input = graphx(graph);
      long[] sources = Arrays.copyOf(graph.ids(), Math.min(10, graph.vertexCount() - 1));
      Graph<Vector, Double> actual =
          PageRank.runParallelPersonalizedPageRank(input, 4, 0.2, sources, THREE);
      assertVectors(
          Compare.vertices(actual),
          PersonalRanksOracle.of(graph, 4, 0.2, sources, false),
          graph.name());
      Graph<Vector, ?> theirs =
          (Graph<Vector, ?>)
              (Object)
                  org.apache.spark.graphx.lib.PageRank.runParallelPersonalizedPageRank(
                      input, 4, 0.2, sources, DOUBLE, DOUBLE);
      assertVectors(
          Compare.vertices(theirs),
          PersonalRanksOracle.of(graph, 4, 0.2, sources, true),
          "GraphX, " + graph.name());
      assertThat(edges(actual)).containsExactlyInAnyOrderElementsOf(edges(theirs));
    }
    TestGraph<Double, Double> graph = large(4);
    Graph<Double, Double> input = graphx(graph);
    long source = graph.ids()[2];
    Map<Long, double[]> wanted = PersonalRanksOracle.of(graph, 4, 0.2, new long[] {source}, false);
    Compare.vertices(
            (Graph<?, ?>)
                org.apache.spark.graphx.lib.PageRank.runWithOptions(
                    input, 4, 0.2, Option.apply((Object) source), DOUBLE, DOUBLE))
        .forEach(
            (id, rank) -> assertThat((Double) rank).isCloseTo(wanted.get(id)[0], within(1e-12)));
    // Two edges away nothing arrives in GraphX's: the example of docs/compatibility.md.
    assertThat(PersonalRanksOracle.of(path(), 2, 0.15, new long[] {0}, true).get(2L)[0]).isZero();
    assertThat(PersonalRanksOracle.of(path(), 2, 0.15, new long[] {0}, false).get(2L)[0])
        .isCloseTo(0.7225, within(1e-12));
  }

  /** 0 → 1 → 2 → 3. */
  private static TestGraph<Double, Double> path() {
    return new TestGraph<>(
        "path",
        new long[] {0, 1, 2, 3},
        List.of(0.0, 0.0, 0.0, 0.0),
        new long[] {0, 1, 2},
        new long[] {1, 2, 3},
        List.of(1.0, 1.0, 1.0));
  }

  /** Pairs of vertices, each an edge from the even one to the next, with a loop at 0. */
  private static TestGraph<Double, Double> pairs(int count) {
    long[] ids = LongStream.range(0, 2L * count).toArray();
    long[] sources = new long[count + 1];
    long[] destinations = new long[count + 1];
    for (int i = 0; i < count; i++) {
      sources[i] = 2L * i;
      destinations[i] = 2L * i + 1;
    }
    return new TestGraph<>(
        "pairs",
        ids,
        Collections.nCopies(2 * count, 0.0),
        sources,
        destinations,
        Collections.nCopies(count + 1, 1.0));
  }

  @Test
  void moreSourcesThanOneRunTakes() {
    TestGraph<Double, Double> graph = pairs(40);
    Graph<Double, Double> input = graphx(graph);
    long[] sources = Arrays.copyOf(graph.ids(), 70);
    assertVectors(
        Compare.vertices(PageRank.runParallelPersonalizedPageRank(input, 3, 0.2, sources, THREE)),
        PersonalRanksOracle.of(graph, 3, 0.2, sources, false),
        "70 sources");
    try (ResidentGraph<Double, Double> held =
        GpuPregel.load(input, Double.class, Double.class, THREE)) {
      RunOptions run = Sources.loaded(THREE);
      long[] first = Arrays.copyOf(sources, ParallelPersonalizedPageRank.WIDTH);
      assertThat(PageRank.explainParallelPersonalizedPageRank(held, 4, 0.2, sources, run))
          .isEqualTo(PageRank.explainParallelPersonalizedPageRank(held, 4, 0.2, first, run));
    }
  }

  @Test
  void moreLandmarksThanOneRunTakes() {
    TestGraph<Double, Double> graph = pairs(ShortestPaths.WIDTH / 2 + 3);
    Map<Long, ?> hops =
        Compare.vertices(ShortestPaths.run(graphx(graph), graph.ids().clone(), THREE));
    assertThat(hops).hasSize(ShortestPaths.WIDTH + 6);
    hops.forEach(
        (id, reached) -> {
          Map<Object, Object> expected = new TreeMap<>(Map.of(id, 0));
          if (id % 2 == 0) {
            expected.put(id + 1, 1);
          }
          assertThat(
                  JavaConverters.mapAsJavaMap(
                      (scala.collection.immutable.Map<Object, Object>) reached))
              .isEqualTo(expected);
        });
  }

  private static void assertVectors(
      Map<Long, Vector> actual, Map<Long, double[]> expected, String what) {
    assertThat(actual.keySet()).as(what).isEqualTo(expected.keySet());
    actual.forEach(
        (id, ranks) ->
            assertThat(ranks.toArray())
                .as("%s, vertex %d", what, id)
                .containsExactly(expected.get(id), within(1e-12)));
  }

  @Test
  void ranksGoOnFromEarlierOnesAsGraphXs() {
    TestGraph<Double, Double> graph = random(RandomGraphs.Shape.SKEWED, 5);
    Graph<Double, Double> input = graphx(graph);
    @SuppressWarnings("unchecked")
    Graph<Double, Double> before =
        (Graph<Double, Double>)
            (Object)
                org.apache.spark.graphx.lib.PageRank.runWithOptions(
                    input, 2, 0.15, Option.empty(), false, DOUBLE, DOUBLE);
    for (OptionalLong source : List.of(OptionalLong.empty(), OptionalLong.of(graph.ids()[0]))) {
      Option<Object> stockSource =
          source.isPresent() ? Option.apply((Object) source.getAsLong()) : Option.empty();
      for (boolean normalized : new boolean[] {false, true}) {
        Map<Long, Double> ours =
            Compare.vertices(
                PageRank.runWithOptionsWithPreviousPageRank(
                    input, 3, 0.15, source, normalized, before, THREE));
        @SuppressWarnings("unchecked")
        Graph<Object, Object> stockBefore = (Graph<Object, Object>) (Object) before;
        Map<Long, ?> theirs =
            Compare.vertices(
                org.apache.spark.graphx.lib.PageRank.runWithOptionsWithPreviousPageRank(
                    input, 3, 0.15, stockSource, normalized, stockBefore, DOUBLE, DOUBLE));
        assertThat(ours.keySet()).isEqualTo(theirs.keySet());
        ours.forEach(
            (id, rank) -> assertThat(rank).isCloseTo((Double) theirs.get(id), within(1e-12)));
      }
    }
    Graph<Double, Double> other = graphx(chained());
    assertThatThrownBy(
            () ->
                PageRank.runWithOptionsWithPreviousPageRank(
                    input, 1, 0.15, OptionalLong.empty(), true, other))
        .hasMessageContaining("must have the same number of vertices but got");
  }

  /** With no memory for a graph: what stock GraphX runs is not loaded for a look at the source. */
  @Tag("any-spark")
  @Test
  void stockRunsFromASourceLoadNothing() {
    TestGraph<Double, Double> graph = chained();
    Graph<Double, Double> input = graphx(graph);
    OptionalLong source = OptionalLong.of(3);
    RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
    Graph<Double, Double> before =
        PageRank.runWithOptions(input, 2, 0.15, OptionalLong.empty(), false, THREE);
    List<Function<RunOptions, Graph<Double, Double>>> runs =
        List.of(
            options -> PageRank.runWithOptions(input, 3, 0.15, source, true, options),
            options -> PageRank.runUntilConvergenceWithOptions(input, 1e-3, 0.15, source, options),
            options ->
                PageRank.runWithOptionsWithPreviousPageRank(
                    input, 3, 0.15, source, true, before, options));
    SparkConf conf = SparkEnv.get().conf();
    for (Function<RunOptions, Graph<Double, Double>> run : runs) {
      Map<Long, Double> expected = Compare.vertices(run.apply(THREE));
      conf.set("spark.gpugraph.memoryFraction", "1e-9");
      try {
        assertThatThrownBy(() -> run.apply(THREE)).hasMessageContaining("does not fit");
        Map<Long, Double> actual = Compare.vertices(run.apply(stock));
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        actual.forEach((id, rank) -> assertThat(rank).isCloseTo(expected.get(id), within(1e-12)));
      } finally {
        conf.remove("spark.gpugraph.memoryFraction");
      }
    }
    assertThatThrownBy(
            () -> PageRank.runWithOptions(input, 3, 0.15, OptionalLong.of(99), true, stock))
        .hasMessageContaining("source 99 is not a vertex of the graph");
  }

  /**
   * The other algorithms on a GraphX graph: the same values as on a resident one, and its edges.
   */
  @Tag("any-spark")
  @Test
  void graphsKeepTheirEdges() {
    TestGraph<Double, Double> graph = random(RandomGraphs.Shape.PARALLEL, 6);
    Graph<Double, Double> input = graphx(graph);
    Graph<Double, Double> both = Undirected.of(input);
    long[] ids = graph.ids();
    assertThat(edges(both)).hasSizeGreaterThan(3).doesNotHaveDuplicates();
    for (Edge<Double> edge : both.edges().toJavaRDD().collect()) {
      assertThat(edge.srcId()).isNotEqualTo(edge.dstId());
    }
    assertThat(Compare.vertices(both)).isEqualTo(Compare.vertices(input));
    RunOptions cpu = THREE.withEngine(EngineChoice.CPU);
    TestGraph<Double, Double> simple = LibraryOracle.simple(LibraryOracle.bothWays(graph));
    assertThat(Compare.vertices(KCore.coreness(both, cpu)))
        .isEqualTo(LibraryOracle.coreness(simple));
    assertThat(Compare.vertices(KCore.run(both, 2, cpu))).isEqualTo(LibraryOracle.core(simple, 2));
    assertThat(Compare.vertices(MaximalIndependentSet.run(input, 3, cpu)))
        .isEqualTo(LibraryOracle.independentSet(graph, 3));
    assertThat(Compare.vertices(MaximalMatching.run(input, 3, cpu)))
        .isEqualTo(IrregularOracle.matching(graph, 3));
    assertThat(Compare.vertices(GraphColouring.run(input, 3, cpu)))
        .isEqualTo(IrregularOracle.colouring(graph, 3));
    Graph<MinimumSpanningForest.Joined, Double> forest = MinimumSpanningForest.run(input, cpu);
    assertThat(edges(forest)).containsExactlyInAnyOrderElementsOf(edges(input));
    IrregularOracle.checkForest(graph, Compare.vertices(forest), "on a GraphX graph");
    assertThat(Compare.vertices(WidestPaths.run(input, ids[0], cpu)))
        .isEqualTo(LibraryOracle.widths(graph, ids[0]));
    Graph<Double, Double> between = Betweenness.run(input, new long[] {ids[0], ids[1]}, cpu);
    LibraryOracle.betweenness(graph, new long[] {ids[0], ids[1]})
        .forEach(
            (id, score) ->
                assertThat(Compare.vertices(between).get(id)).isCloseTo(score, within(1e-9)));
    Graph<MultiSourceBfs.Reached, Double> reached =
        MultiSourceBfs.run(input, new long[] {ids[0]}, cpu);
    assertThat(Compare.vertices(reached).get(ids[0])).isEqualTo(new MultiSourceBfs.Reached(1, 0));
    assertThat(edges(reached)).containsExactlyInAnyOrderElementsOf(edges(input));
    assertThat(Compare.vertices(Graphalytics.bfs(input, ids[0], cpu)).get(ids[0])).isZero();
    assertThat(Compare.vertices(WeightedPageRank.run(input, 2, 0.15, cpu)).values())
        .satisfies(
            ranks ->
                assertThat(ranks.stream().mapToDouble(r -> r).sum())
                    .isCloseTo(ids.length, within(1e-9)));
    assertThatThrownBy(
            () ->
                MultiSourceBfs.run(input, ids, RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX)))
        .hasMessageContaining("stock GraphX does not see the vertex attributes");
  }

  /** Vertices that no edge touches, in one executor graph and spread over several. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void furtherVerticesAreLoaded(int executors) {
    EdgeBlock edges =
        new GlobalEdgeBlock(2, new long[] {5, 3}, new long[] {3, -9}, new double[] {2, 0.5});
    List<VertexBlock> vertices =
        List.of(
            new VertexBlock(new long[] {1L << 40, 3}, null),
            new VertexBlock(new long[] {7, 3}, null));
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.load(
                context.parallelize(List.of(edges), 1),
                context.parallelize(vertices, 3),
                Double.class,
                RunOptions.DEFAULT.withExecutors(executors));
        VertexResult<Double> distances = Sssp.run(graph, 5, RunOptions.DEFAULT);
        VertexResult<Long> components = Graphalytics.wcc(graph.reversed(), RunOptions.DEFAULT);
        ResidentGraph<Object, Double> masked = graph.masked(id -> id != 3, null);
        VertexResult<Long> apart = Graphalytics.wcc(masked, RunOptions.DEFAULT)) {
      double none = Double.POSITIVE_INFINITY;
      assertThat(distances.collectAsMap())
          .isEqualTo(Map.of(5L, 0.0, 3L, 2.0, -9L, 2.5, 7L, none, 1L << 40, none));
      assertThat(components.collectAsMap())
          .isEqualTo(Map.of(5L, -9L, 3L, -9L, -9L, -9L, 7L, 7L, 1L << 40, 1L << 40));
      assertThat(apart.collectAsMap())
          .isEqualTo(Map.of(5L, 5L, -9L, -9L, 7L, 7L, 1L << 40, 1L << 40));
    }
  }
}
