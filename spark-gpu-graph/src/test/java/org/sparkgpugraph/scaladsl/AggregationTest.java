package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphOps;
import org.apache.spark.graphx.VertexRDD;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Seq;

/** {@code import org.sparkgpugraph.implicits._} against stock GraphX. */
@ExtendWith(SharedSpark.class)
@SuppressWarnings({"unchecked", "rawtypes"})
@Tag("any-spark-4")
class AggregationTest {
  private static Graph<Integer, Integer> graph(RandomGraphs.Shape shape, long seed) {
    Graph<Integer, Integer> graph =
        RandomGraphs.of(shape, seed)
            .withAttributes(new Random(seed), r -> r.nextInt(9), r -> r.nextInt(9))
            .toGraphx(SharedSpark.context(), 3, Integer.class, Integer.class);
    graph.cache();
    return graph;
  }

  private static <T> T with(String fallback, Supplier<T> run) {
    JavaSparkContext context = SharedSpark.context();
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), fallback);
    try {
      return run.get();
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }

  static List<Aggregation> aggregations() {
    return Arrays.<Aggregation>asList(Aggregation.all());
  }

  @ParameterizedTest
  @MethodSource("aggregations")
  void messagesAreThoseOfGraphx(Aggregation aggregation) {
    Graph graph = aggregation.graph((Graph) graph(RandomGraphs.Shape.PARALLEL, 5));
    Object expected = aggregation.values(aggregation.stock(graph));
    if (aggregation.lifts()) {
      VertexRDD found = with("never", () -> aggregation.ours(graph));
      assertThat(aggregation.values(found)).isEqualTo(expected);
      assertThat((Object) aggregation.joined(graph, found))
          .isEqualTo(aggregation.joined(graph, aggregation.stock(graph)));
      assertThat(sharesIndex(graph.vertices(), found)).isTrue();
      found.unpersist(false);
    } else {
      assertThat(aggregation.values(aggregation.ours(graph))).isEqualTo(expected);
      assertThatThrownBy(() -> with("never", () -> aggregation.ours(graph)))
          .isInstanceOf(NotLiftableException.class);
    }
  }

  @Test
  void aResidentGraphAndAPartOfAGraph() {
    Aggregation aggregation = aggregations().get(3);
    Graph graph = aggregation.graph((Graph) graph(RandomGraphs.Shape.UNIFORM, 9));
    Object expected = aggregation.values(aggregation.stock(graph));
    Seq twice = with("never", () -> aggregation.resident(graph));
    assertThat(twice.apply(0)).isEqualTo(expected);
    assertThat(twice.apply(1)).isEqualTo(expected);
    Graph part = aggregation.part(graph);
    VertexRDD found = with("never", () -> aggregation.ours(part));
    assertThat(aggregation.values(found)).isEqualTo(aggregation.values(aggregation.stock(part)));
    assertThat((Object) aggregation.joined(part, found))
        .isEqualTo(aggregation.joined(part, aggregation.stock(part)));
  }

  /** Whether joins find equal slots in equal places, without a shuffle. */
  private static boolean sharesIndex(VertexRDD<Object> vertices, VertexRDD<Object> messages) {
    boolean same = vertices.partitioner().equals(messages.partitioner());
    return same
        && vertices
            .partitionsRDD()
            .toJavaRDD()
            .zip(messages.partitionsRDD().toJavaRDD())
            .map(
                (Tuple2<ShippableVertexPartition<Object>, ShippableVertexPartition<Object>> both) ->
                    both._1().index() == both._2().index())
            .collect()
            .stream()
            .allMatch(equal -> equal);
  }

  @ParameterizedTest
  @EnumSource
  void graphsOfEveryShape(RandomGraphs.Shape shape) {
    Graph<Integer, Integer> structure = graph(shape, 11);
    List<Aggregation> all = aggregations().stream().filter(Aggregation::lifts).toList();
    for (int i : new int[] {shape.ordinal(), shape.ordinal() + 3}) {
      Aggregation aggregation = all.get(i % all.size());
      Graph graph = aggregation.graph((Graph) structure);
      // Nothing says what the tuples of an empty graph hold: it falls back.
      String fallback = shape == RandomGraphs.Shape.EMPTY ? "auto" : "never";
      assertThat(aggregation.values(with(fallback, () -> aggregation.ours(graph))))
          .as("%s of %s", aggregation, shape)
          .isEqualTo(aggregation.values(aggregation.stock(graph)));
    }
  }

  @Test
  @Tag("gpu")
  void onAGpu() {
    everyEngineAndSeveralExecutors("cuda");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "emulated"})
  void everyEngineAndSeveralExecutors(String engine) {
    JavaSparkContext context = SharedSpark.context();
    Graph<Integer, Integer> structure = graph(RandomGraphs.Shape.SKEWED, 3);
    context.setLocalProperty(GpuGraphConf.ENGINE.key(), engine);
    context.setLocalProperty(GpuGraphConf.EXECUTORS.key(), "2");
    try {
      Aggregation aggregation = aggregations().get(3);
      Graph graph = aggregation.graph((Graph) structure);
      assertThat(aggregation.values(with("never", () -> aggregation.ours(graph))))
          .isEqualTo(aggregation.values(aggregation.stock(graph)));
    } finally {
      context.setLocalProperty(GpuGraphConf.ENGINE.key(), null);
      context.setLocalProperty(GpuGraphConf.EXECUTORS.key(), null);
    }
  }

  @Test
  void methodsOfGraphOpsAreTheLibrarys() {
    Graph<Integer, Integer> structure = graph(RandomGraphs.Shape.UNIFORM, 2);
    Graph graph = structure;
    long first = (Long) structure.vertices().toJavaRDD().first()._1();
    for (Tuple3<String, VertexRDD<?>, VertexRDD<?>> pair :
        with("never", () -> ImportedOps.pairs(graph, first))) {
      // Only the library puts its results on disk.
      assertThat(pair._2().getStorageLevel().useDisk())
          .as("%s: %s", pair._1(), pair._2().getStorageLevel())
          .isTrue();
      assertThat(pair._2().toJavaRDD().collect())
          .as(pair._1())
          .containsExactlyInAnyOrderElementsOf((List) pair._3().toJavaRDD().collect());
    }
  }

  @Test
  void neighborsAreThoseOfGraphx() {
    Graph graph = graph(RandomGraphs.Shape.PARALLEL, 4);
    for (EdgeDirection direction :
        List.of(EdgeDirection.Out(), EdgeDirection.In(), EdgeDirection.Either())) {
      for (Tuple3<String, Object, Object> pair : ImportedOps.neighbors(graph, direction)) {
        assertThat(pair._2()).as("%s %s", pair._1(), direction).isEqualTo(pair._3());
      }
    }
    assertThatThrownBy(() -> ImportedOps.neighbors(graph, EdgeDirection.Both()))
        .hasMessageContaining("EdgeDirection.Either");
  }

  /** What GraphX's library has, so that a program changes its import alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PageRank",
        "ConnectedComponents",
        "StronglyConnectedComponents",
        "ShortestPaths",
        "LabelPropagation",
        "TriangleCount",
        "SVDPlusPlus"
      })
  void theScalaLibraryHasGraphxSignatures(String name) throws ReflectiveOperationException {
    Class<?> theirs = Class.forName("org.apache.spark.graphx.lib." + name + "$");
    Class<?> ours = Class.forName("org.sparkgpugraph.scaladsl.lib." + name + "$");
    assertThat(signatures(ours, "run")).containsAll(signatures(theirs, "run")).isNotEmpty();
  }

  @Test
  void theOpsHaveGraphxSignatures() {
    TreeSet<String> theirs = signatures(GraphOps.class, "");
    TreeSet<String> ours = signatures(GpuGraphOps.class, "");
    ours.removeIf(method -> method.contains("gpu") || method.contains("aggregateMessages"));
    assertThat(theirs).containsAll(ours);
    assertThat(ours).hasSizeGreaterThan(20);
    TreeSet<String> messages = signatures(GpuGraphOps.class, "aggregateMessages");
    assertThat(signatures(Graph.class, "aggregateMessages")).containsAll(messages);
    assertThat(messages).hasSize(2);
  }

  /** Methods that users call, as generic types and names. */
  private static TreeSet<String> signatures(Class<?> type, String prefix) {
    return Stream.of(type.getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getName().startsWith(prefix) && !isHidden(method))
        .map(
            method ->
                method.getGenericReturnType()
                    + " "
                    + method.getName()
                    + Arrays.stream(method.getGenericParameterTypes())
                        .map(Object::toString)
                        .collect(Collectors.joining(", ", "(", ")")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** GraphX's own helpers, public in class files alone. */
  private static boolean isHidden(Method method) {
    return method.getName().equals("runUpdate") || method.getName().contains("$anonfun");
  }
}
