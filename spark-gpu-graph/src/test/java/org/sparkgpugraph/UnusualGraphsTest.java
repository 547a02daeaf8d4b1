package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.impl.GraphImpl;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Graphs, values and programs at the edge of what is legal, through the public API. */
@ExtendWith(SharedSpark.class)
class UnusualGraphsTest {
  private static final RunOptions NEVER =
      RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);

  private final JavaSparkContext context;

  UnusualGraphsTest(JavaSparkContext context) {
    this.context = context;
  }

  private static <T> ClassTag<T> tag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }

  /** 1 → 2 → 3, 1 → 3. */
  private <VD> Graph<VD, Integer> triangle(Class<VD> type, List<VD> attributes) {
    return new TestGraph<>(
            "triangle",
            new long[] {1, 2, 3},
            attributes,
            new long[] {1, 2, 1},
            new long[] {2, 3, 3},
            List.of(5, 6, 7))
        .toGraphx(context, 2, type, Integer.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void graphsWithoutVertices(int partitions) {
    JavaSparkContext spark = context;
    Graph<Integer, Integer> graph =
        partitions == 0
            ? Graph.fromEdges(
                spark.<Edge<Integer>>emptyRDD().rdd(),
                0,
                StorageLevel.MEMORY_ONLY(),
                StorageLevel.MEMORY_ONLY(),
                tag(Integer.class),
                tag(Integer.class))
            : new TestGraph<Integer, Integer>(
                    "empty", new long[0], List.of(), new long[0], new long[0], List.of())
                .toGraphx(spark, partitions, Integer.class, Integer.class);
    assertThat(Compare.vertices(ConnectedComponents.run(graph))).isEmpty();
    Graph<Double, Double> ranks = PageRank.run(graph, 2);
    assertThat(Compare.vertices(ranks)).isEmpty();
    assertThat(ranks.edges().count()).isZero();
    assertThatThrownBy(() -> Bfs.run(graph, 1)).hasMessageContaining("source 1 is not a vertex");
    try (ResidentGraph<Integer, Integer> resident =
            GpuPregel.load(
                graph, Integer.class, Integer.class, RunOptions.DEFAULT.withPartitions(2));
        VertexResult<Long> values =
            ConnectedComponents.run(resident, Integer.MAX_VALUE, RunOptions.DEFAULT);
        ResidentGraph<Integer, Integer> masked = resident.masked(id -> false, null)) {
      assertThat(values.collectAsMap()).isEmpty();
      assertThat(masked.vertexCount()).isZero();
    }
  }

  @Test
  void verticesAloneAndEverythingMasked() {
    Graph<Integer, Integer> graph =
        new TestGraph<Integer, Integer>(
                "isolated", new long[] {-4, 9}, List.of(3, 4), new long[0], new long[0], List.of())
            .toGraphx(context, 2, Integer.class, Integer.class);
    assertThat(Compare.vertices(ConnectedComponents.run(graph)))
        .isEqualTo(Map.of(-4L, -4L, 9L, 9L));
    try (ResidentGraph<Integer, Integer> resident =
            GpuPregel.load(graph, Integer.class, Integer.class);
        ResidentGraph<Integer, Integer> masked = resident.masked(id -> false, null);
        VertexResult<Long> values =
            ConnectedComponents.run(masked, Integer.MAX_VALUE, RunOptions.DEFAULT)) {
      assertThat(masked.vertexCount()).isZero();
      assertThat(values.collectAsMap()).isEmpty();
    }
  }

  @Test
  void opaqueAttributesAreCarried() {
    Graph<String, Integer> graph = triangle(String.class, List.of("a", "b", "c"));
    // With a state function the attribute is not read.
    assertThat(
            Compare.vertices(
                GpuPregel.on(graph, String.class, Integer.class)
                    .state((id, attribute, inDegree, outDegree) -> inDegree)
                    .initialMessage(0)
                    .vertexProgram((id, value, message) -> value + message)
                    .sendMessage(edge -> edge.sendToDst(edge.attr()))
                    .mergeMessage(Integer::sum)
                    .maxIterations(1)
                    .options(NEVER)
                    .run()))
        .isEqualTo(Map.of(1L, 0, 2L, 6, 3L, 15));
    // Without one the program works on Strings: stock GraphX does that, the engines refuse it.
    PregelBuilder<String, Integer, String, Integer, String> strings =
        GpuPregel.on(graph, String.class, Integer.class)
            .initialMessage(0)
            .vertexProgram((id, value, message) -> value + message)
            .sendMessage(edge -> edge.sendToDst(edge.attr()))
            .mergeMessage(Integer::sum)
            .maxIterations(1);
    assertThat(Compare.vertices(strings.run())).isEqualTo(Map.of(1L, "a0", 2L, "b05", 3L, "c013"));
    // One that hands the attribute through without looking at it has no columns either.
    PregelBuilder<String, Integer, String, Integer, String> through =
        GpuPregel.on(graph, String.class, Integer.class)
            .initialMessage(0)
            .vertexProgram((id, value, message) -> value)
            .sendMessage(edge -> edge.sendToDst(edge.attr()))
            .mergeMessage(Integer::sum)
            .maxIterations(1);
    assertThat(Compare.vertices(through.run())).isEqualTo(Map.of(1L, "a", 2L, "b", 3L, "c"));
    assertThat(
            Compare.vertices(
                GpuPregel.on(graph, String.class, Integer.class)
                    .state((id, attribute, inDegree, outDegree) -> inDegree)
                    .initialMessage(0)
                    .vertexProgram((id, value, message) -> value)
                    .sendMessage(edge -> edge.sendToDst(edge.attr()))
                    .mergeMessage(Integer::sum)
                    .result((id, attribute, value) -> attribute)
                    .maxIterations(1)
                    .run()))
        .isEqualTo(Map.of(1L, "a", 2L, "b", 3L, "c"));
    assertThatThrownBy(() -> through.options(NEVER).run()).hasMessageContaining("String");
    assertThatThrownBy(() -> through.options(NEVER).runVertices()).hasMessageContaining("String");
  }

  @Test
  void endsThatAreNotVerticesGetNoMessages() {
    Graph<Integer, Integer> whole = triangle(Integer.class, List.of(10, 20, 30));
    // GraphX's own subgraph() drops their edges; this keeps them.
    Graph<Integer, Integer> graph =
        GraphImpl.fromExistingRDDs(
            whole.vertices().filter(new NotThree()),
            whole.edges(),
            tag(Integer.class),
            tag(Integer.class));
    for (int partitions : new int[] {1, 3}) {
      RunOptions options = NEVER.withPartitions(partitions);
      Graph<Integer, Integer> result =
          GpuPregel.on(graph, Integer.class, Integer.class)
              .initialMessage(1)
              .vertexProgram((id, value, message) -> value + message)
              .sendMessage(
                  edge -> {
                    edge.sendToDst(edge.attr());
                    edge.sendToSrc(100 * edge.attr());
                  })
              .mergeMessage(Integer::sum)
              .maxIterations(1)
              .options(options)
              .run();
      assertThat(Compare.vertices(result)).isEqualTo(Map.of(1L, 1211, 2L, 626));
      assertThat(result.edges().count()).isEqualTo(3);
      try (ResidentGraph<Integer, Integer> resident =
              GpuPregel.load(graph, Integer.class, Integer.class, options);
          ResidentGraph<Integer, Integer> masked = resident.masked(id -> id != 1, null);
          VertexResult<Long> components =
              ConnectedComponents.run(resident, Integer.MAX_VALUE, RunOptions.DEFAULT);
          ResidentGraph<Long, Integer> view = resident.withVertices(components, Long.class)) {
        assertThat(resident.vertexCount()).isEqualTo(2);
        assertThat(resident.containsVertex(3)).isFalse();
        assertThat(masked.vertexCount()).isEqualTo(1);
        assertThat(components.collectAsMap()).containsOnlyKeys(1L, 2L);
        assertThat(view.vertexCount()).isEqualTo(2);
      }
    }
  }

  private static final class NotThree
      extends scala.runtime.AbstractFunction1<Tuple2<Object, Integer>, Object>
      implements Serializable {
    @Override
    public Object apply(Tuple2<Object, Integer> vertex) {
      return (Long) vertex._1() != 3;
    }
  }

  record Point(double x, int y) implements Serializable {}

  record Pair(Point first, long second) implements Serializable {}

  @Test
  void nestedRecordsAsStateAndMessage() {
    Graph<Integer, Integer> graph = triangle(Integer.class, List.of(10, 20, 30));
    Graph<Pair, Integer> result =
        GpuPregel.on(graph, Integer.class, Integer.class)
            .state((id, attribute, in, out) -> new Pair(new Point(attribute, in), id))
            .initialMessage(new Pair(new Point(0, 0), 0L))
            .vertexProgram(
                (id, value, message) ->
                    new Pair(
                        new Point(value.first().x() + message.first().x(), message.first().y()),
                        message.second()))
            .sendMessage(
                edge ->
                    edge.sendToDst(
                        new Pair(new Point(edge.srcAttr().first().x(), edge.attr()), edge.srcId())))
            .mergeMessage(
                (a, b) ->
                    new Pair(
                        new Point(
                            a.first().x() + b.first().x(), Math.max(a.first().y(), b.first().y())),
                        a.second() + b.second()))
            .maxIterations(1)
            .options(NEVER)
            .run();
    assertThat(Compare.vertices(result))
        .isEqualTo(
            Map.of(
                1L, new Pair(new Point(10, 0), 0),
                2L, new Pair(new Point(30, 5), 1),
                3L, new Pair(new Point(60, 7), 3)));
    assertThat(Compare.vertices(result.mapVertices(new Seconds(), tag(Long.class), null)))
        .isEqualTo(Map.of(1L, 0L, 2L, 1L, 3L, 3L));
  }

  private static final class Seconds extends scala.runtime.AbstractFunction2<Object, Pair, Long>
      implements Serializable {
    @Override
    public Long apply(Object id, Pair pair) {
      return pair.second();
    }
  }

  @Test
  void nullAttributesAreRefusedWithTheirId() {
    List<Object> attributes = new ArrayList<>(Arrays.asList(1, null, 3));
    @SuppressWarnings({"unchecked", "rawtypes"})
    Graph<Integer, Integer> graph = (Graph) triangle(Object.class, attributes);
    assertThatThrownBy(() -> sum(GpuPregel.on(graph, Integer.class, Integer.class)).run())
        .hasMessageContaining("vertex 2")
        .hasMessageContaining("null");
  }

  private static PregelBuilder<Integer, Integer, Integer, Integer, Integer> sum(
      PregelBuilder<Integer, Integer, Integer, Object, Integer> on) {
    return on.initialMessage(0)
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Integer::sum)
        .maxIterations(1);
  }

  @Test
  void ranksOfStockGraphXAreCachedOnce() {
    Graph<Integer, Integer> graph = triangle(Integer.class, List.of(10, 20, 30));
    graph.vertices().count();
    Map<Long, Double> expected = Compare.vertices(PageRank.run(graph, 3));
    System.gc();
    var before = Set.copyOf(context.getPersistentRDDs().keySet());
    Graph<Double, Double> ranks =
        PageRank.runWithOptions(
            graph,
            3,
            0.15,
            OptionalLong.empty(),
            true,
            RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX));
    assertThat(Compare.vertices(ranks).keySet()).isEqualTo(expected.keySet());
    Compare.vertices(ranks)
        .forEach((id, r) -> assertThat(r).isCloseTo(expected.get(id), within(1e-12)));
    assertThat(ranks.edges().toJavaRDD().map(edge -> edge.attr()).collect())
        .containsExactlyInAnyOrder(0.5, 0.5, 1.0);
    assertThat(context.getPersistentRDDs().keySet()).isNotEqualTo(before);
    ranks.unpersist(true);
    assertThat(before)
        .as("cached: %s", context.getPersistentRDDs())
        .containsAll(context.getPersistentRDDs().keySet());
  }

  @Test
  void partsInTheWrongOrder() {
    Graph<Integer, Integer> graph = triangle(Integer.class, List.of(10, 20, 30));
    assertThatThrownBy(
            () -> sum(GpuPregel.on(graph, Integer.class, Integer.class)).initialMessage(0.5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("java.lang.Integer")
        .hasMessageContaining("java.lang.Double");
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph, Integer.class, Integer.class)
                    .initialMessage(0)
                    .everyVertex(0.5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("java.lang.Integer")
        .hasMessageContaining("java.lang.Double");
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph, Integer.class, Integer.class)
                    .aggregate("a", AggregateOperation.SUM, (id, before, after) -> after)
                    .state((id, attribute, in, out) -> 1.0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before the functions");
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph, Integer.class, Integer.class)
                    .finalAggregate("a", AggregateOperation.SUM, (id, before, after) -> after)
                    .state((id, attribute, in, out) -> 1.0))
        .isInstanceOf(IllegalStateException.class);
    for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(
              () -> GpuPregel.on(graph, Integer.class, Integer.class).maxIterations(wrong))
          .hasMessage("Maximum number of iterations must be greater than 0, but got " + wrong);
    }
    assertThat(
            Compare.vertices(
                sum(GpuPregel.on(graph, Integer.class, Integer.class)).initialMessage(1).run()))
        .containsEntry(1L, 11);
  }

  @Test
  void everyVertexAfterSuperstepZero() {
    Graph<Integer, Integer> graph = triangle(Integer.class, List.of(10, 20, 30));
    Graph<Integer, Integer> result =
        GpuPregel.on(graph, Integer.class, Integer.class)
            .initialMessage(1)
            .everyVertex(1000)
            .vertexProgram((id, value, message) -> value + message)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
            .mergeMessage(Integer::sum)
            .maxIterations(1)
            .options(NEVER)
            .run();
    assertThat(Compare.vertices(result)).isEqualTo(Map.of(1L, 1011, 2L, 32, 3L, 63));
  }

  @Test
  void resultsThatTellTheSuperstepAreThoseOfOrderedSupersteps() {
    int size = 64;
    List<Integer> ids = new ArrayList<>();
    long[] sources = new long[size - 1];
    long[] destinations = new long[size - 1];
    for (int i = 0; i < size; i++) {
      ids.add(i);
      if (i > 0) {
        sources[i - 1] = i - 1;
        destinations[i - 1] = i;
      }
    }
    Graph<Integer, Integer> graph =
        new TestGraph<>(
                "path",
                ids.stream().mapToLong(i -> i).toArray(),
                ids,
                sources,
                destinations,
                ids.subList(1, size))
            .toGraphx(context, 2, Integer.class, Integer.class);
    PregelBuilder<Integer, Integer, Integer, Integer, Integer> program =
        GpuPregel.on(graph, Integer.class, Integer.class)
            .initialMessage(Integer.MAX_VALUE)
            .activeDirection(EdgeDirection.Out())
            .vertexProgram((id, value, message) -> Math.min(value, message))
            .sendMessage(
                edge -> {
                  if (edge.srcAttr() < edge.dstAttr()) {
                    edge.sendToDst(edge.srcAttr());
                  }
                })
            .mergeMessage(Math::min)
            .result((id, attribute, value, run) -> run.superstep())
            .options(NEVER);
    // Monotone and unbounded, so that it could run in place, in fewer supersteps.
    Map<Long, Integer> unbounded = Compare.vertices(program.run());
    assertThat(unbounded).isEqualTo(Compare.vertices(program.maxIterations(1000).run()));
  }

  @Test
  void theSignOfZeroIsOrderedOnlyUnderABound() {
    // −0.0 comes to vertex 2 by two edges, 0.0 by one: no guard lets −0.0 follow 0.0.
    Graph<Double, Integer> graph =
        new TestGraph<>(
                "zeros",
                new long[] {0, 1, 2, 5},
                List.of(-0.0, 9.0, 9.0, 0.0),
                new long[] {0, 1, 5},
                new long[] {1, 2, 2},
                List.of(0, 0, 0))
            .toGraphx(context, 1, Double.class, Integer.class);
    PregelBuilder<Double, Integer, Double, Double, Double> program =
        GpuPregel.on(graph, Double.class, Integer.class)
            .initialMessage(Double.POSITIVE_INFINITY)
            .activeDirection(EdgeDirection.Out())
            .vertexProgram((id, value, message) -> Math.min(value, message))
            .sendMessage(
                edge -> {
                  if (edge.srcAttr() < edge.dstAttr()) {
                    edge.sendToDst(edge.srcAttr());
                  }
                })
            .mergeMessage(Math::min)
            .options(NEVER);
    double inPlace = Compare.vertices(program.run()).get(2L);
    assertThat(inPlace == 0.0).as("%s", inPlace).isTrue();
    assertThat(Compare.vertices(program.maxIterations(1000).run()).get(2L)).isEqualTo(0.0);
  }
}
