package org.sparkgpugraph.adapter.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sparkgpugraph.adapter.data.GraphXGraphs.function;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.PartitionStrategy;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.Option;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

class GraphXResultTest {
  /** A record as vertex attribute. */
  record Rank(double value, boolean hub) implements Serializable {}

  /** Twice the id, in slot order. */
  private static JavaRDD<Object> twiceTheId(Graph<?, ?> graph) {
    return GraphXReader.vertexBlocks(graph)
        .map(
            block -> {
              long[] values = new long[block.capacity()];
              for (int i = 0; i < block.size(); i++) {
                values[block.slot(i)] = 2 * block.ids()[i];
              }
              return values;
            });
  }

  @SuppressWarnings("unchecked")
  private static scala.reflect.ClassTag<Object> longs() {
    return (scala.reflect.ClassTag<Object>) (Object) scala.reflect.ClassTag$.MODULE$.Long();
  }

  private static List<String> edges(Graph<?, Object> graph) {
    List<String> edges = new ArrayList<>();
    List<String> partitions =
        graph
            .edges()
            .toJavaRDD()
            .mapPartitionsWithIndex(
                (index, part) -> {
                  List<String> lines = new ArrayList<>();
                  while (part.hasNext()) {
                    lines.add(index + ": " + part.next());
                  }
                  return lines.iterator();
                },
                true)
            .collect();
    edges.addAll(partitions);
    return edges;
  }

  private static Map<Long, Object> vertices(Graph<?, ?> graph) {
    Map<Long, Object> vertices = new TreeMap<>();
    @SuppressWarnings("unchecked")
    List<Tuple2<Object, Object>> collected =
        (List<Tuple2<Object, Object>>) (Object) graph.vertices().toJavaRDD().collect();
    for (Tuple2<Object, Object> vertex : collected) {
      assertThat(vertices.put((Long) vertex._1(), vertex._2())).isNull();
    }
    return vertices;
  }

  private static void assertTwiceTheId(Graph<?, ?> graph, Map<Long, Object> input) {
    Map<Long, Object> found = vertices(graph);
    assertThat(found.keySet()).isEqualTo(input.keySet());
    found.forEach((id, value) -> assertThat(value).isEqualTo(2 * id));
  }

  @Test
  void keepsEdgesPartitioningAndIndex() {
    Graph<Object, Object> input =
        GraphXGraphs.random(1, 40, 200, 3)
            .partitionBy(PartitionStrategy.EdgePartition2D$.MODULE$, 4)
            .cache();
    Graph<Object, Object> result =
        GraphXResult.withVertexValues(input, twiceTheId(input), longs(), 2);
    assertTwiceTheId(result, vertices(input));
    assertThat(edges(result)).isEqualTo(edges(input)).isNotEmpty();
    assertThat(result.edges().getNumPartitions()).isEqualTo(4);
    assertThat(result.vertices().partitioner()).isEqualTo(input.vertices().partitioner());
    assertThat(result.edges().partitioner()).isEqualTo(input.edges().partitioner());
    assertThat(GraphXTags.edge(result)).isEqualTo(GraphXGraphs.doubles());
    assertThat(result.vertices().vdTag()).isEqualTo(longs());
    List<Integer> shared =
        input
            .vertices()
            .partitionsRDD()
            .toJavaRDD()
            .zipPartitions(
                result.vertices().partitionsRDD().toJavaRDD(),
                (a, b) -> {
                  ShippableVertexPartition<Object> from = a.next();
                  ShippableVertexPartition<Object> to = b.next();
                  boolean same =
                      from.index() == to.index()
                          && from.mask() == to.mask()
                          && from.routingTable() == to.routingTable()
                          && to.values() instanceof long[];
                  return List.of(same ? 1 : 0).iterator();
                })
            .collect();
    assertThat(shared).hasSize(input.vertices().getNumPartitions()).containsOnly(1);
    result.unpersist(true);
  }

  /** What a user does next with the result. */
  @Test
  void graphXWorksOnTheResult() {
    Graph<Object, Object> input = GraphXGraphs.random(2, 40, 200, 3).cache();
    Graph<Object, Object> result =
        GraphXResult.withVertexValues(input, twiceTheId(input), longs(), 2);
    List<EdgeTriplet<Object, Object>> triplets =
        result
            .triplets()
            .toJavaRDD()
            .map(
                t -> {
                  EdgeTriplet<Object, Object> copy = new EdgeTriplet<>();
                  copy.set(new Edge<>(t.srcId(), t.dstId(), t.attr()));
                  copy.srcAttr_$eq(t.srcAttr());
                  copy.dstAttr_$eq(t.dstAttr());
                  return copy;
                })
            .collect();
    assertThat(triplets).hasSize((int) input.edges().count());
    for (EdgeTriplet<Object, Object> triplet : triplets) {
      assertThat(triplet.srcAttr()).isEqualTo(2 * triplet.srcId());
      assertThat(triplet.dstAttr()).isEqualTo(2 * triplet.dstId());
    }
    assertThat(result.ops().inDegrees().toJavaRDD().collect())
        .containsExactlyInAnyOrderElementsOf(input.ops().inDegrees().toJavaRDD().collect());
    Map<Long, Object> twice =
        vertices(
            result.mapVertices(
                function((Object id, Object value) -> (Object) ((Long) value * 2)), longs(), null));
    twice.forEach((id, value) -> assertThat(value).isEqualTo(4 * id));
    assertThat(
            result
                .vertices()
                .innerJoin(input.vertices(), new Sum(), GraphXGraphs.doubles(), longs())
                .count())
        .isEqualTo(input.vertices().count());
    assertThat(
            result
                .reverse()
                .partitionBy(PartitionStrategy.RandomVertexCut$.MODULE$)
                .edges()
                .count())
        .isEqualTo(input.edges().count());
    // cache() of a graph that is persisted at another level would throw.
    result.cache();
    result.unpersist(true);
    assertThat(GraphXGraphs.context().sc().getPersistentRDDs().toString())
        .doesNotContain("[" + result.vertices().id() + "]");
  }

  private static final class Sum
      extends scala.runtime.AbstractFunction3<Object, Object, Object, Object>
      implements Serializable {
    @Override
    public Object apply(Object id, Object left, Object right) {
      return (Long) left + ((Double) right).longValue();
    }
  }

  /** The values come from a source that answers once: nothing may be computed a second time. */
  @Test
  void survivesUnpersistOfTheInputAndEviction() {
    Graph<Object, Object> input = GraphXGraphs.random(5, 60, 300, 3).cache();
    List<String> edges = edges(input);
    Map<Long, Object> vertices = vertices(input);
    ONCE.clear();
    JavaRDD<Object> once =
        twiceTheId(input)
            .map(
                values -> {
                  if (!ONCE.add(
                      Arrays.hashCode((long[]) values) + "/" + ((long[]) values).length)) {
                    throw new IllegalStateException("computed twice");
                  }
                  return values;
                });
    Graph<Object, Object> result = GraphXResult.withVertexValues(input, once, longs(), 2);
    input.unpersist(true);
    evictEverything();
    for (RDDInfo info : GraphXGraphs.context().sc().getRDDStorageInfo()) {
      if (info.id() == result.vertices().partitionsRDD().id()
          || info.id() == result.edges().partitionsRDD().id()) {
        assertThat(info.memSize()).isZero();
        assertThat(info.diskSize()).isPositive();
        assertThat(info.numCachedPartitions()).isEqualTo(info.numPartitions());
      }
    }
    assertTwiceTheId(result, vertices);
    assertThat(edges(result)).isEqualTo(edges);
    assertThat(result.triplets().count()).isEqualTo(edges.size());
    result.unpersist(true);
  }

  private static final java.util.Set<String> ONCE =
      java.util.concurrent.ConcurrentHashMap.newKeySet();

  private static void evictEverything() {
    MemoryStore store = SparkEnv.get().blockManager().memoryStore();
    for (int attempt = 0; attempt < 10_000 && blocksInMemory() > 0; attempt++) {
      store.evictBlocksToFreeSpace(Option.empty(), 1, MemoryMode.ON_HEAP);
    }
    assertThat(blocksInMemory()).isZero();
  }

  private static long blocksInMemory() {
    return Arrays.stream(GraphXGraphs.context().sc().getRDDStorageInfo())
        .filter(info -> info.memSize() > 0)
        .count();
  }

  /** A task for each partition costs more than what it does with blocks that are in memory. */
  @Test
  void takesOneTaskWhereTheInputIsInMemory() throws Exception {
    Graph<Object, Object> input = GraphXGraphs.random(6, 60, 300, 3);
    Map<Long, Object> vertices = vertices(input);
    assertThat(tasksOfAResult(input, 2, vertices)).isEqualTo(4 + 3);
    input.cache();
    vertices(input);
    input.edges().count();
    assertThat(tasksOfAResult(input, 0, vertices)).isEqualTo(4 + 3);
    assertThat(tasksOfAResult(input, 2, vertices)).isEqualTo(1);
    assertThat(tasksOfAResult(input, 1, vertices)).isEqualTo(1);
    // The task has let go of the blocks that it read: this waits until nobody reads them.
    input.unpersist(true);
    assertThat(SparkEnv.get().blockManager().memoryStore())
        .matches(store -> !store.contains(new RDDBlockId(input.edges().partitionsRDD().id(), 0)));
  }

  /** A cached graph whose lineage tells who enters it. */
  private static Graph<Object, Object> watched(long seed) {
    Graph<Object, Object> graph =
        GraphXGraphs.random(seed, 60, 300, 3)
            .mapEdges(function(GraphXResultTest::entered), GraphXGraphs.doubles())
            .cache();
    graph.vertices().count();
    graph.edges().count();
    ENTERED.clear();
    return graph;
  }

  /** For each task the threads that computed edges, and the partition's number. */
  private static final Map<Long, java.util.Set<String>> ENTERED = new ConcurrentHashMap<>();

  private static Object entered(Edge<Object> edge) {
    TaskContext task = TaskContext.get();
    ENTERED
        .computeIfAbsent(task.taskAttemptId(), id -> ConcurrentHashMap.newKeySet())
        .add(Thread.currentThread().getName() + ", partition " + task.partitionId());
    return edge.attr();
  }

  /** What a user's functions are given must not be shared by several threads. */
  @Test
  void lineageIsComputedByTasksOfItsOwn() {
    Graph<Object, Object> input = watched(11);
    List<BlockId> blocks = CachedPartitions.blocks(input);
    RDD<Object> vertices = persisted(twiceTheId(input));
    RDD<Object> edges = persisted(input.edges().partitionsRDD().toJavaRDD().map(p -> (Object) p));
    OneTaskRdd task = new OneTaskRdd(vertices, edges, blocks, 4);
    for (int p = 0; p < 3; p++) {
      SparkEnv.get()
          .blockManager()
          .removeBlock(new RDDBlockId(input.edges().partitionsRDD().id(), p), true);
    }
    assertThat(task.run()).isFalse();
    assertThat(ENTERED).isEmpty();
    assertThat(blocksOf(vertices) + blocksOf(edges)).isZero();
    GraphXResult.materialise(vertices, edges, blocks, 4);
    assertThat(blocksOf(vertices)).isEqualTo(4);
    assertThat(blocksOf(edges)).isEqualTo(3);
    assertThat(ENTERED).hasSize(3).allSatisfy((id, threads) -> assertThat(threads).hasSize(1));
    // The blocks that were there are not held any more: this waits until they are not.
    input.unpersist(true);
    vertices.unpersist(true);
    edges.unpersist(true);
  }

  private static RDD<Object> persisted(JavaRDD<Object> rdd) {
    return rdd.persist(StorageLevel.MEMORY_AND_DISK()).rdd();
  }

  private static long blocksOf(RDD<?> rdd) {
    return IntStream.range(0, rdd.getNumPartitions())
        .mapToObj(p -> new RDDBlockId(rdd.id(), p))
        .filter(block -> SparkEnv.get().blockManager().getStatus(block).isDefined())
        .count();
  }

  /** As what the task puts into memory may do. */
  @Test
  void inputIsNotEvictedWhileItIsRead() {
    Graph<Object, Object> input = watched(12);
    Map<Long, Object> vertices = vertices(input);
    EVICTIONS.set(0);
    JavaRDD<Object> values =
        twiceTheId(input)
            .map(
                array -> {
                  MemoryStore store = SparkEnv.get().blockManager().memoryStore();
                  while (store.evictBlocksToFreeSpace(Option.empty(), 1, MemoryMode.ON_HEAP) > 0) {
                    EVICTIONS.incrementAndGet();
                  }
                  return array;
                });
    Graph<Object, Object> result = GraphXResult.withVertexValues(input, values, longs(), 1);
    assertThat(EVICTIONS.get()).isPositive();
    assertThat(ENTERED).isEmpty();
    assertThat(CachedPartitions.blocks(input)).isNotNull();
    assertTwiceTheId(result, vertices);
    result.unpersist(true);
    input.unpersist(true);
  }

  private static final AtomicInteger EVICTIONS = new AtomicInteger();

  /** The edges of a parallelised list are in its partitions. */
  @Test
  void partitionsAreNotSentWithTheTask() {
    Graph<Object, Object> input = GraphXGraphs.random(13, 60, 20_000, 2).cache();
    input.vertices().count();
    input.edges().count();
    RDD<?> edges = input.edges().partitionsRDD();
    OneTaskRdd task =
        new OneTaskRdd(input.vertices().partitionsRDD(), edges, CachedPartitions.blocks(input), 2);
    ClassTag<Object> any = ClassTag$.MODULE$.Object();
    SerializerInstance serializer = SparkEnv.get().closureSerializer().newInstance();
    assertThat(serializer.serialize(edges.partitions()[0], any).limit()).isGreaterThan(100_000);
    assertThat(serializer.serialize(task.partitions()[0], any).limit()).isLessThan(1_000);
    assertThat(serializer.serialize(task, any).limit()).isLessThan(100_000);
    assertThat(task.run()).isTrue();
    input.unpersist(true);
  }

  /** The tasks that making a result takes. */
  private static int tasksOfAResult(
      Graph<Object, Object> input, int threads, Map<Long, Object> vertices) throws Exception {
    SparkContext sc = GraphXGraphs.context().sc();
    AtomicInteger tasks = new AtomicInteger();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            tasks.incrementAndGet();
          }
        };
    JavaRDD<Object> values = twiceTheId(input);
    sc.listenerBus().waitUntilEmpty();
    sc.addSparkListener(listener);
    Graph<Object, Object> result = GraphXResult.withVertexValues(input, values, longs(), threads);
    sc.listenerBus().waitUntilEmpty();
    sc.removeSparkListener(listener);
    assertTwiceTheId(result, vertices);
    result.unpersist(true);
    return tasks.get();
  }

  @Test
  void recordsAndBoxesAsAttributes() {
    Graph<Object, Object> input = GraphXGraphs.random(7, 30, 100, 2).cache();
    JavaRDD<Object> ranks =
        GraphXReader.vertexBlocks(input)
            .map(
                block -> {
                  Rank[] values = new Rank[block.capacity()];
                  for (int i = 0; i < block.size(); i++) {
                    values[block.slot(i)] = new Rank(block.ids()[i], i == 0);
                  }
                  return values;
                });
    Graph<Rank, Object> result =
        GraphXResult.withVertexValues(input, ranks, GraphXGraphs.tag(Rank.class), 2);
    vertices(result)
        .forEach((id, rank) -> assertThat(((Rank) rank).value()).isEqualTo((double) id));
    // Read back: the codec takes the records apart again.
    VertexBlock block = GraphXReader.vertexBlocks(result).first();
    assertThat(block.values()).isInstanceOf(Rank[].class);
    result.unpersist(true);
  }

  @Test
  void stringEdgesAreCarriedThrough() {
    Graph<Object, Object> input =
        GraphXGraphs.random(8, 30, 100, 2)
            .mapEdges(
                function((Edge<Object> e) -> (Object) ("edge " + e.attr())),
                (scala.reflect.ClassTag<Object>) (Object) GraphXGraphs.tag(String.class));
    Graph<Object, Object> result =
        GraphXResult.withVertexValues(input, twiceTheId(input), longs(), 2);
    assertThat(edges(result)).isEqualTo(edges(input)).isNotEmpty();
    assertThat(GraphXTags.edge(result)).isEqualTo(GraphXGraphs.tag(String.class));
    result.unpersist(true);
  }

  @Test
  void edgeValuesBySource() {
    Graph<Object, Object> input = GraphXGraphs.random(9, 30, 100, 2).cache();
    Map<Long, Object> vertices = vertices(input);
    Graph<Object, Object> result =
        GraphXResult.withValues(
            input,
            twiceTheId(input),
            longs(),
            (partition, edges) -> EdgeValueFunction.bySource(edges, id -> 1.0 / id, 2),
            GraphXGraphs.doubles(),
            2);
    assertTwiceTheId(result, vertices);
    for (Edge<Object> edge :
        result.edges().toJavaRDD().map(e -> e.copy(e.srcId(), e.dstId(), e.attr())).collect()) {
      assertThat(edge.attr()).isEqualTo(1.0 / edge.srcId());
    }
    Graph<Object, Object> both =
        GraphXResult.withValues(
            input,
            twiceTheId(input),
            longs(),
            (partition, edges) -> EdgeValueFunction.bySource(edges, id -> partition, 1),
            GraphXGraphs.doubles(),
            2);
    input.unpersist(true);
    assertTwiceTheId(both, vertices);
    assertThat(both.edges().toJavaRDD().map(Edge::attr).distinct().collect())
        .containsExactlyInAnyOrder(0.0, 1.0);
    result.unpersist(true);
    both.unpersist(true);
  }

  @Test
  void wrongNumbersOfValuesAreRefused() {
    Graph<Object, Object> input = GraphXGraphs.random(10, 30, 100, 2).cache();
    assertThatThrownBy(
            () ->
                GraphXResult.withVertexValues(
                    input, twiceTheId(input).map(v -> new long[3]), longs(), 2))
        .hasStackTraceContaining("3 values for a vertex partition of ");
    assertThatThrownBy(
            () ->
                GraphXResult.withVertexValues(input, twiceTheId(input).repartition(7), longs(), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7 partitions of values");
    assertThat(input.vertices().getStorageLevel()).isEqualTo(StorageLevel.MEMORY_ONLY());
    input.unpersist(true);
  }
}
