package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import org.apache.spark.graphx.impl.EdgePartition;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.apache.spark.graphx.impl.GraphImpl;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.graphs.model.SlotValues;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Makes GraphX graphs that carry results. The new graph has the input's partitioning: its vertex
 * partitions share the input's index, mask and routing table, its edge partitions the input's
 * arrays. Both are RDDs of their own, persisted {@code MEMORY_AND_DISK} and materialised, so the
 * input may be unpersisted and blocks evicted. Attributes that were made by a run stay until nobody
 * refers to them ({@link KeptRdd}), whether or not the new graph is unpersisted; its edges are
 * freed and made again of the input's.
 *
 * <p>The input's attributes in the edge partitions (GraphX's replicated vertex view) are dropped:
 * GraphX ships the new ones when a triplet operation asks for them.
 */
public final class GraphXResult {
  private GraphXResult() {}

  /**
   * New vertex attributes.
   *
   * @param values one array per vertex partition of the input, in its slots ({@link
   *     GraphXReader#vertexBlocks}): of the class that {@code tag} makes, or {@link SlotValues}
   *     that gives such an array. May be released when this returns; if it can be computed again,
   *     lost blocks can be too
   * @param tag class of the attributes
   * @param threads that a single task may use for all partitions where the input is in this JVM's
   *     memory; elsewhere, and always with 0, each partition has a task
   */
  public static <VD, ED, R> Graph<R, ED> withVertexValues(
      Graph<VD, ED> input, JavaRDD<?> values, ClassTag<R> tag, int threads) {
    return withValues(input, values, tag, null, GraphXTags.edge(input), threads);
  }

  /**
   * New vertex and edge attributes; see {@link #withVertexValues}.
   *
   * @param edgeValues makes those of the edges; null: they stay
   * @param edgeTag class of the edges' attributes
   */
  public static <VD, ED, R, E> Graph<R, E> withValues(
      Graph<VD, ED> input,
      JavaRDD<?> values,
      ClassTag<R> tag,
      EdgeValueFunction edgeValues,
      ClassTag<E> edgeTag,
      int threads) {
    // The target level makes a later cache() of the user harmless.
    KeptRdd<ShippableVertexPartition<R>> keptVertices =
        new KeptRdd<>(vertices(input.vertices(), values, tag), GraphXResult.<R>partitionTag());
    VertexRDD<R> ownVertices =
        input
            .vertices()
            .withPartitionsRDD(keptVertices, tag)
            .withTargetStorageLevel(StorageLevel.MEMORY_AND_DISK());
    EdgeRDDImpl<Object, Object> inputEdges = edges(input);
    ClassTag<Tuple2<Object, EdgePartition<E, R>>> pairTag = ClassTag$.MODULE$.apply(Tuple2.class);
    RDD<Tuple2<Object, EdgePartition<E, R>>> edgePartitions =
        new EachRdd<>(
            inputEdges.partitionsRDD(), pairTag, new Strip<R, E>(edgeValues, tag, edgeTag));
    KeptRdd<Tuple2<Object, EdgePartition<E, R>>> keptEdges =
        edgeValues == null ? null : new KeptRdd<>(edgePartitions, pairTag);
    EdgeRDD<E> ownEdges =
        inputEdges
            .withPartitionsRDD(keptEdges == null ? edgePartitions : keptEdges, edgeTag, tag)
            .withTargetStorageLevel(StorageLevel.MEMORY_AND_DISK());
    ownVertices.cache();
    ownEdges.cache();
    try {
      boolean here = input.vertices().sparkContext().isLocal() && threads > 0;
      materialise(
          ownVertices.partitionsRDD(),
          ownEdges.partitionsRDD(),
          here ? CachedPartitions.blocks(input) : null,
          threads);
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      keptVertices.free();
      if (keptEdges == null) {
        ownEdges.unpersist(false);
      } else {
        keptEdges.free();
      }
      throw e;
    }
    keptVertices.cut();
    if (keptEdges != null) {
      keptEdges.cut();
    }
    return GraphImpl.fromExistingRDDs(ownVertices, ownEdges, tag, edgeTag);
  }

  /**
   * Computes all partitions of two RDDs, in one job for both.
   *
   * @param input the blocks in this JVM's memory that they are made of; null: they are elsewhere
   */
  static void materialise(RDD<?> vertices, RDD<?> edges, List<BlockId> input, int threads) {
    if (input == null || !new OneTaskRdd(vertices, edges, input, threads).run()) {
      objects(vertices).union(objects(edges)).count();
    }
  }

  @SuppressWarnings("unchecked")
  private static JavaRDD<Object> objects(RDD<?> rdd) {
    return ((RDD<Object>) (Object) rdd).toJavaRDD();
  }

  private static <VD, R> RDD<ShippableVertexPartition<R>> vertices(
      VertexRDD<VD> input, JavaRDD<?> values, ClassTag<R> tag) {
    @SuppressWarnings("unchecked")
    RDD<Object> arrays = (RDD<Object>) (Object) values.rdd();
    if (arrays.getNumPartitions() != input.getNumPartitions()) {
      throw new IllegalArgumentException(
          "%s partitions of values for %s vertex partitions"
              .formatted(arrays.getNumPartitions(), input.getNumPartitions()));
    }
    return input
        .partitionsRDD()
        .zipPartitions(
            arrays,
            true,
            new Replace<VD, R>(tag),
            ClassTag$.MODULE$.Object(),
            GraphXResult.<R>partitionTag());
  }

  @SuppressWarnings("unchecked")
  private static <R> ClassTag<ShippableVertexPartition<R>> partitionTag() {
    return (ClassTag<ShippableVertexPartition<R>>)
        (Object) ClassTag$.MODULE$.apply(ShippableVertexPartition.class);
  }

  @SuppressWarnings("unchecked")
  private static EdgeRDDImpl<Object, Object> edges(Graph<?, ?> input) {
    if (!(input.edges() instanceof EdgeRDDImpl<?, ?> implementation)) {
      throw new IllegalArgumentException(
          "edges of class "
              + input.edges().getClass().getName()
              + " are not GraphX's own: make the graph with Graph.apply or Graph.fromEdges");
    }
    return (EdgeRDDImpl<Object, Object>) (Object) implementation;
  }

  /** Puts a value array into the place of a vertex partition's. */
  private static final class Replace<VD, R>
      extends AbstractFunction2<
          Iterator<ShippableVertexPartition<VD>>,
          Iterator<Object>,
          Iterator<ShippableVertexPartition<R>>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final ClassTag<R> tag;

    Replace(ClassTag<R> tag) {
      this.tag = tag;
    }

    @Override
    public Iterator<ShippableVertexPartition<R>> apply(
        Iterator<ShippableVertexPartition<VD>> partitions, Iterator<Object> arrays) {
      ShippableVertexPartition<VD> partition = partitions.next();
      if (!arrays.hasNext()) {
        throw new IllegalStateException(
            "no values for a vertex partition of " + partition.size() + " vertices");
      }
      Object made = arrays.next();
      Object values = made instanceof SlotValues slots ? slots.array(partition.values()) : made;
      if (Array.getLength(values) != partition.capacity()) {
        throw new IllegalStateException(
            "%s values for a vertex partition of %s slots"
                .formatted(Array.getLength(values), partition.capacity()));
      }
      return scala.collection.Iterator$.MODULE$.single(
          new ShippableVertexPartition<>(
              partition.index(), values, partition.mask(), partition.routingTable(), tag));
    }
  }

  /** Drops replicated vertex attributes from an edge partition and gives it new edge attributes. */
  private record Strip<R, E>(EdgeValueFunction values, ClassTag<R> tag, ClassTag<E> edgeTag)
      implements EachRdd.Each<
          Tuple2<Object, EdgePartition<Object, Object>>, Tuple2<Object, EdgePartition<E, R>>> {
    @Override
    public Tuple2<Object, EdgePartition<E, R>> of(
        Tuple2<Object, EdgePartition<Object, Object>> numbered) {
      return new Tuple2<>(numbered._1(), stripped((Integer) numbered._1(), numbered._2()));
    }

    @SuppressWarnings("unchecked")
    private EdgePartition<E, R> stripped(int index, EdgePartition<Object, Object> partition) {
      EdgePartition<Object, R> bare = partition.withoutVertexAttributes(tag);
      if (values == null) {
        return (EdgePartition<E, R>) (Object) bare;
      }
      Object data = values.apply(index, GraphXReader.block(partition));
      if (Array.getLength(data) < partition.size()) {
        throw new IllegalStateException(
            Array.getLength(data) + " values for " + partition.size() + " edges");
      }
      return bare.withData(data, edgeTag);
    }
  }
}
