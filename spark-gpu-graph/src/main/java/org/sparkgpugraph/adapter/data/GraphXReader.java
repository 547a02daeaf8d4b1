package org.sparkgpugraph.adapter.data;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.impl.EdgePartition;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.collection.BitSet;
import org.apache.spark.util.collection.OpenHashSet;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ValueMismatchException;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.KeyedMaps;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Reads a GraphX graph as columnar blocks, one per partition, without an object per edge: the
 * blocks reference GraphX's own arrays ({@code EdgePartition}, {@code VertexPartition}). They must
 * not be changed.
 */
public final class GraphXReader {
  private GraphXReader() {}

  /**
   * The edges, one block per edge partition, in the order of the partitions; empty partitions give
   * an empty block. Nothing runs before an action.
   */
  public static JavaRDD<EdgeBlock> edgeBlocks(Graph<?, ?> graph) {
    if (graph.edges() instanceof EdgeRDDImpl<?, ?> edges && EdgePartitionFields.available()) {
      return blocks(edgePartitions(edges), EdgeBlock.class, GraphXReader::block);
    }
    return edgeBlocksOneByOne(graph);
  }

  /** The same through GraphX's public API alone: slow, works with any {@code EdgeRDD}. */
  static JavaRDD<EdgeBlock> edgeBlocksOneByOne(Graph<?, ?> graph) {
    @SuppressWarnings("unchecked")
    RDD<Edge<Object>> edges = (RDD<Edge<Object>>) (Object) graph.edges();
    return edges
        .toJavaRDD()
        .mapPartitions(part -> List.<EdgeBlock>of(EdgeCollector.collect(part)).iterator());
  }

  @SuppressWarnings("unchecked")
  private static RDD<Tuple2<Object, EdgePartition<Object, Object>>> edgePartitions(
      EdgeRDDImpl<?, ?> edges) {
    return (RDD<Tuple2<Object, EdgePartition<Object, Object>>>) (Object) edges.partitionsRDD();
  }

  private static <T, B> JavaRDD<B> blocks(
      RDD<T> partitions, Class<B> type, EachRdd.Each<T, B> block) {
    ClassTag<B> tag = ClassTag$.MODULE$.apply(type);
    return new JavaRDD<>(new EachRdd<>(partitions, tag, block), tag);
  }

  private static EdgeBlock block(Tuple2<Object, EdgePartition<Object, Object>> partition) {
    return block(partition._2());
  }

  /** The block of one edge partition. */
  static EdgeBlock block(EdgePartition<?, ?> partition) {
    if (EdgePartitionFields.available()) {
      return EdgePartitionFields.block(partition);
    }
    @SuppressWarnings("unchecked")
    scala.collection.Iterator<Edge<Object>> edges =
        (scala.collection.Iterator<Edge<Object>>) (Object) partition.iterator();
    return EdgeCollector.collect(new JavaIterator<>(edges));
  }

  /**
   * The vertices, one block per vertex partition. {@link VertexBlock#values()} is the partition's
   * own value array, by slot of its index; {@link VertexBlock#capacity()} the number of slots, so
   * an array of that length in the same layout is what {@link GraphXResult} takes back.
   */
  public static JavaRDD<VertexBlock> vertexBlocks(Graph<?, ?> graph) {
    @SuppressWarnings("unchecked")
    RDD<ShippableVertexPartition<Object>> partitions =
        (RDD<ShippableVertexPartition<Object>>) (Object) graph.vertices().partitionsRDD();
    return blocks(partitions, VertexBlock.class, GraphXReader::block);
  }

  /** The block of one vertex partition. */
  static VertexBlock block(ShippableVertexPartition<?> partition) {
    long start = System.nanoTime();
    OpenHashSet<Object> index = partition.index();
    BitSet mask = partition.mask();
    int size = partition.size();
    long[] ids = new long[size];
    int[] slots = new int[size];
    int next = 0;
    for (int slot = mask.nextSetBit(0); slot >= 0; slot = mask.nextSetBit(slot + 1)) {
      ids[next] = index.getValue$mcJ$sp(slot);
      slots[next++] = slot;
    }
    PhaseTimes.ended("hand over: vertices of a partition", start);
    return new VertexBlock(size, ids, slots, index.capacity(), partition.values());
  }

  /** The type of the value of any vertex; empty when there is none. Runs a small job. */
  public static Optional<ValueType> anyVertexType(Graph<?, ?> graph) {
    @SuppressWarnings("unchecked")
    RDD<Tuple2<Object, Object>> vertices = (RDD<Tuple2<Object, Object>>) (Object) graph.vertices();
    return anyType(
        vertices
            .toJavaRDD()
            .mapPartitions(part -> firstType(part, Tuple2::_2, vertex -> "vertex " + vertex._1())));
  }

  /**
   * The keys of the maps and sets of all vertices. Runs a job over them.
   *
   * @param what the values are, for {@link KeyedMaps#see}
   */
  public static KeyedMaps keyedMaps(Graph<?, ?> graph, String what, ValueType type) {
    @SuppressWarnings("unchecked")
    RDD<Tuple2<Object, Object>> vertices = (RDD<Tuple2<Object, Object>>) (Object) graph.vertices();
    return vertices
        .toJavaRDD()
        .mapPartitions(
            part -> {
              KeyedMaps maps = new KeyedMaps();
              while (part.hasNext() && !maps.areHopeless()) {
                maps.see(what, type, part.next()._2());
              }
              return List.of(maps).iterator();
            })
        .collect()
        .stream()
        .reduce(new KeyedMaps(), KeyedMaps::join);
  }

  /** The type of the value of any edge; empty when there is none. Runs a small job. */
  public static Optional<ValueType> anyEdgeType(Graph<?, ?> graph) {
    @SuppressWarnings("unchecked")
    RDD<Edge<Object>> edges = (RDD<Edge<Object>>) (Object) graph.edges();
    return anyType(
        edges
            .toJavaRDD()
            .mapPartitions(
                part ->
                    firstType(
                        part, Edge::attr, edge -> "edge " + edge.srcId() + "->" + edge.dstId())));
  }

  /**
   * Values need not be serialisable; their types are. A value with a null says nothing; whoever
   * reads all of them refuses it.
   *
   * @param name whose value it is, for messages
   */
  private static <T> Iterator<ValueType> firstType(
      Iterator<T> part, Function<T, Object> value, Function<T, String> name) {
    if (!part.hasNext()) {
      return List.<ValueType>of().iterator();
    }
    ValueType type = typeOf(part.next(), value, name);
    while (type.hasNull() && part.hasNext()) {
      type = typeOf(part.next(), value, name);
    }
    while (type.hasNone() && part.hasNext()) {
      type = type.completedBy(typeOf(part.next(), value, name));
    }
    return List.of(type).iterator();
  }

  private static <T> ValueType typeOf(T of, Function<T, Object> value, Function<T, String> name) {
    try {
      return ValueType.like(value.apply(of));
    } catch (IllegalArgumentException e) {
      throw new ValueMismatchException("the value of " + name.apply(of) + ": " + e.getMessage());
    }
  }

  /**
   * The first one tells, unless it has a null or an option without a value: then others are asked.
   */
  private static Optional<ValueType> anyType(JavaRDD<ValueType> types) {
    try {
      Optional<ValueType> first = types.take(1).stream().findFirst();
      if (first.isEmpty() || !first.get().hasNone() && !first.get().hasNull()) {
        return first;
      }
      List<ValueType> all = types.collect();
      ValueType told = all.stream().filter(type -> !type.hasNull()).findFirst().orElse(first.get());
      return Optional.of(
          all.stream().filter(type -> !type.hasNull()).reduce(told, ValueType::completedBy));
    } catch (Exception e) {
      throw SparkFailures.unwrap(e);
    }
  }
}
