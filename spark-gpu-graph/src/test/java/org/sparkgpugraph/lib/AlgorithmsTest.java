package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Option;
import scala.Tuple2;

/** The algorithms against stock GraphX's and against plain sequential code. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class AlgorithmsTest {
  private static final RunOptions THREE = RunOptions.DEFAULT.withPartitions(3);
  private final JavaSparkContext context;

  AlgorithmsTest(JavaSparkContext context) {
    this.context = context;
  }

  private static TestGraph<Integer, Double> weighted(RandomGraphs.Shape shape, long seed) {
    return RandomGraphs.of(shape, seed)
        .withAttributes(
            new Random(seed), random -> random.nextInt(9), random -> 1.0 + random.nextInt(255));
  }

  private Graph<Integer, Double> graphx(TestGraph<Integer, Double> graph) {
    return graph.toGraphx(context, 3, Integer.class, Double.class);
  }

  @ParameterizedTest
  @EnumSource(RandomGraphs.Shape.class)
  void connectedComponentsAreGraphXs(RandomGraphs.Shape shape) {
    TestGraph<Integer, Double> graph = weighted(shape, 7);
    Map<Long, Long> expected = components(graph);
    Graph<Integer, Double> input = graphx(graph);
    assertThat(Compare.vertices(ConnectedComponents.run(input))).isEqualTo(expected);
    assertThat(Compare.vertices(ConnectedComponents.run(input, Integer.MAX_VALUE, THREE)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(RandomGraphs.Shape.class)
  void shortestPathsAreDijkstras(RandomGraphs.Shape shape) {
    TestGraph<Integer, Double> graph = weighted(shape, 8);
    if (graph.vertexCount() == 0) {
      return;
    }
    long source = graph.ids()[graph.vertexCount() / 2];
    Map<Long, Double> expected = dijkstra(graph, source);
    Graph<Integer, Double> input = graphx(graph);
    assertThat(Compare.vertices(Sssp.run(input, source))).isEqualTo(expected);
    assertThat(Compare.vertices(Sssp.run(input, source, THREE))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(RandomGraphs.Shape.class)
  void levelsAreThoseOfAQueue(RandomGraphs.Shape shape) {
    TestGraph<Integer, Double> graph = weighted(shape, 9);
    if (graph.vertexCount() == 0) {
      return;
    }
    long source = graph.ids()[0];
    Map<Long, Integer> expected = levels(graph, source);
    Graph<Integer, Double> input = graphx(graph);
    assertThat(Compare.vertices(Bfs.run(input, source))).isEqualTo(expected);
    assertThat(Compare.vertices(Bfs.run(input, source, THREE))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void staticPageRankIsGraphXs(long seed) {
    TestGraph<Integer, Double> graph = weighted(RandomGraphs.Shape.SKEWED, seed);
    Graph<Integer, Double> input = graphx(graph);
    assertSameRanks(
        org.apache.spark.graphx.lib.PageRank.run(
            input, 10, 0.15, input.vertices().vdTag(), doubleTag()),
        PageRank.run(input, 10));
    OptionalLong source = OptionalLong.of(graph.ids()[0]);
    assertSameRanks(
        org.apache.spark.graphx.lib.PageRank.runWithOptions(
            input,
            5,
            0.2,
            Option.apply((Object) source.getAsLong()),
            input.vertices().vdTag(),
            doubleTag()),
        PageRank.runWithOptions(input, 5, 0.2, source, true, THREE));
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void convergedPageRankIsGraphXs(long seed) {
    TestGraph<Integer, Double> graph = weighted(RandomGraphs.Shape.SKEWED, seed);
    Graph<Integer, Double> input = graphx(graph);
    assertSameRanks(
        org.apache.spark.graphx.lib.PageRank.runUntilConvergence(
            input, 1e-2, 0.15, input.vertices().vdTag(), doubleTag()),
        PageRank.runUntilConvergence(input, 1e-2));
    long source = graph.ids()[1];
    assertSameRanks(
        org.apache.spark.graphx.lib.PageRank.runUntilConvergenceWithOptions(
            input,
            1e-2,
            0.15,
            Option.apply((Object) source),
            input.vertices().vdTag(),
            doubleTag()),
        PageRank.runUntilConvergenceWithOptions(input, 1e-2, 0.15, OptionalLong.of(source)));
  }

  @Test
  void residentGraphRunsManyPrograms() {
    TestGraph<Integer, Double> graph = weighted(RandomGraphs.Shape.SKEWED, 11);
    Graph<Integer, Double> input = graphx(graph);
    long source = graph.ids()[0];
    try (ResidentGraph<Integer, Double> resident =
        GpuPregel.load(input, Integer.class, Double.class)) {
      assertThat(resident.vertexCount()).isEqualTo(graph.vertexCount());
      assertThat(resident.edgeCount()).isEqualTo(graph.edgeCount());
      assertThat(resident.bytes()).isPositive();
      try (VertexResult<Integer> levels = Bfs.run(resident, source, RunOptions.DEFAULT);
          VertexResult<Double> distances = Sssp.run(resident, source, RunOptions.DEFAULT);
          VertexResult<Integer> back = Bfs.run(resident.reversed(), source, RunOptions.DEFAULT)) {
        assertThat(levels.collectAsMap()).isEqualTo(levels(graph, source));
        assertThat(distances.collectAsMap()).isEqualTo(dijkstra(graph, source));
        TestGraph<Integer, Double> turned =
            new TestGraph<>(
                "reversed",
                graph.ids(),
                graph.attributes(),
                graph.destinations(),
                graph.sources(),
                graph.edgeAttributes());
        assertThat(back.collectAsMap()).isEqualTo(levels(turned, source));
      }
    }
  }

  @Test
  void valuesAreReplacedAndGraphsMasked() {
    TestGraph<Integer, Double> graph = weighted(RandomGraphs.Shape.SKEWED, 12);
    long source = graph.ids()[0];
    try (ResidentGraph<Integer, Double> resident =
            GpuPregel.load(graphx(graph), Integer.class, Double.class);
        VertexResult<Integer> levels = Bfs.run(resident, source, RunOptions.DEFAULT);
        ResidentGraph<Integer, Double> byLevel = resident.withVertices(levels, Integer.class);
        VertexResult<Integer> doubled = timesTwo(byLevel);
        ResidentGraph<Integer, Double> given =
            resident.withVertices(
                context.parallelizePairs(List.of(new Tuple2<>(source, 21))), Integer.class, 1);
        VertexResult<Integer> more = timesTwo(given)) {
      Map<Long, Integer> expected = levels(graph, source);
      Map<Long, Integer> once = new HashMap<>();
      expected.forEach((id, level) -> once.put(id, id == source ? 42 : 2));
      expected.replaceAll((id, level) -> 2 * level);
      assertThat(doubled.collectAsMap()).isEqualTo(expected);
      assertThat(more.collectAsMap()).isEqualTo(once);
      long left = graph.ids()[1];
      try (ResidentGraph<Integer, Double> smaller =
              resident.masked(id -> id != left, (from, to) -> from != to);
          VertexResult<Double> distances = Sssp.run(smaller, source, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).isEqualTo(dijkstra(without(graph, left), source));
      }
    }
  }

  private static VertexResult<Integer> timesTwo(ResidentGraph<Integer, Double> graph) {
    return GpuPregel.on(graph)
        .initialMessage(0)
        .vertexProgram((id, value, message) -> 2 * value)
        .sendMessage(edge -> {})
        .mergeMessage(Integer::sum)
        .runVertices();
  }

  /** The graph without one vertex and without self-loops. */
  private static TestGraph<Integer, Double> without(TestGraph<Integer, Double> graph, long vertex) {
    int[] kept =
        IntStream.range(0, graph.edgeCount())
            .filter(
                e ->
                    graph.sources()[e] != vertex
                        && graph.destinations()[e] != vertex
                        && graph.sources()[e] != graph.destinations()[e])
            .toArray();
    long[] ids = LongStream.of(graph.ids()).filter(id -> id != vertex).toArray();
    return new TestGraph<>(
        graph.name() + " without " + vertex,
        ids,
        Collections.nCopies(ids.length, 0),
        IntStream.of(kept).mapToLong(e -> graph.sources()[e]).toArray(),
        IntStream.of(kept).mapToLong(e -> graph.destinations()[e]).toArray(),
        IntStream.of(kept).mapToObj(e -> graph.edgeAttributes().get(e)).toList());
  }

  private static scala.reflect.ClassTag<Double> doubleTag() {
    return scala.reflect.ClassTag$.MODULE$.apply(Double.class);
  }

  private static void assertSameRanks(Graph<?, ?> expected, Graph<Double, Double> actual) {
    Map<Long, ?> theirs = Compare.vertices(expected);
    Map<Long, Double> ours = Compare.vertices(actual);
    assertThat(ours.keySet()).isEqualTo(theirs.keySet());
    ours.forEach(
        (id, rank) ->
            assertThat(rank)
                .as("rank of vertex %d", id)
                .isCloseTo((Double) theirs.get(id), within(1e-12 * Math.max(1, rank))));
    assertThat(edges(actual)).containsExactlyInAnyOrderElementsOf(edges(expected));
  }

  private static List<String> edges(Graph<?, ?> graph) {
    List<String> edges = new ArrayList<>();
    for (Object edge : graph.edges().toJavaRDD().collect()) {
      edges.add(((Edge<?>) edge).toString());
    }
    return edges;
  }

  private static Map<Long, Long> components(TestGraph<?, ?> graph) {
    Map<Long, Long> component = new HashMap<>();
    for (long id : graph.ids()) {
      component.put(id, id);
    }
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int e = 0; e < graph.edgeCount(); e++) {
        long least =
            Math.min(component.get(graph.sources()[e]), component.get(graph.destinations()[e]));
        changed |= component.put(graph.sources()[e], least) != least;
        changed |= component.put(graph.destinations()[e], least) != least;
      }
    }
    return component;
  }

  private static Map<Long, Integer> levels(TestGraph<?, ?> graph, long source) {
    Map<Long, Integer> levels = new HashMap<>();
    for (long id : graph.ids()) {
      levels.put(id, -1);
    }
    levels.put(source, 0);
    ArrayDeque<Long> queue = new ArrayDeque<>(List.of(source));
    while (!queue.isEmpty()) {
      long vertex = queue.remove();
      for (int e = 0; e < graph.edgeCount(); e++) {
        if (graph.sources()[e] == vertex && levels.get(graph.destinations()[e]) < 0) {
          levels.put(graph.destinations()[e], levels.get(vertex) + 1);
          queue.add(graph.destinations()[e]);
        }
      }
    }
    return levels;
  }

  private static Map<Long, Double> dijkstra(TestGraph<?, Double> graph, long source) {
    Map<Long, Double> distance = new HashMap<>();
    for (long id : graph.ids()) {
      distance.put(id, Double.POSITIVE_INFINITY);
    }
    record Entry(long vertex, double distance) {}
    PriorityQueue<Entry> queue =
        new PriorityQueue<>((a, b) -> Double.compare(a.distance(), b.distance()));
    distance.put(source, 0.0);
    queue.add(new Entry(source, 0));
    while (!queue.isEmpty()) {
      Entry next = queue.remove();
      if (next.distance() > distance.get(next.vertex())) {
        continue;
      }
      for (int e = 0; e < graph.edgeCount(); e++) {
        double through = next.distance() + graph.edgeAttributes().get(e);
        long target = graph.destinations()[e];
        if (graph.sources()[e] == next.vertex() && through < distance.get(target)) {
          distance.put(target, through);
          queue.add(new Entry(target, through));
        }
      }
    }
    return distance;
  }
}
