package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.collection.BitSet;
import org.sparkgpugraph.graphs.rdd.MaskedValues;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Makes a GraphX VertexRDD of values that some vertices of a graph have. It shares the partitioner,
 * the index and the routing tables of the graph's vertices, as the result of GraphX's {@code
 * aggregateMessages} does, so that joins of both shuffle nothing. It is persisted {@code
 * MEMORY_AND_DISK} and materialised; {@code unpersist()} frees it.
 */
public final class GraphXMessages {
  private GraphXMessages() {}

  /**
   * The values.
   *
   * @param values those of each vertex partition of the graph; may be released when this returns
   * @param tag class of the values
   * @param threads as {@link GraphXResult#withVertexValues} takes them
   */
  public static <VD, A> VertexRDD<A> of(
      Graph<VD, ?> graph, JavaRDD<MaskedValues> values, ClassTag<A> tag, int threads) {
    VertexRDD<VD> vertices = graph.vertices();
    RDD<ShippableVertexPartition<A>> partitions =
        vertices
            .partitionsRDD()
            .zipPartitions(
                values.rdd(),
                true,
                new Replace<VD, A>(tag),
                ClassTag$.MODULE$.<MaskedValues>apply(MaskedValues.class),
                GraphXMessages.<ShippableVertexPartition<A>>partitionTag());
    VertexRDD<A> result =
        vertices
            .withPartitionsRDD(partitions, tag)
            .withTargetStorageLevel(StorageLevel.MEMORY_AND_DISK());
    result.cache();
    try {
      boolean here = vertices.sparkContext().isLocal() && threads > 0;
      GraphXResult.materialise(
          result.partitionsRDD(),
          vertices.sparkContext().emptyRDD(ClassTag$.MODULE$.Object()),
          here ? CachedPartitions.blocks(graph) : null,
          threads);
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      result.unpersist(false);
      throw e;
    }
    return result;
  }

  @SuppressWarnings("unchecked")
  private static <T> ClassTag<T> partitionTag() {
    return (ClassTag<T>) (Object) ClassTag$.MODULE$.apply(ShippableVertexPartition.class);
  }

  /** Puts values and their places into those of a vertex partition. */
  private static final class Replace<VD, A>
      extends AbstractFunction2<
          Iterator<ShippableVertexPartition<VD>>,
          Iterator<MaskedValues>,
          Iterator<ShippableVertexPartition<A>>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final ClassTag<A> tag;

    Replace(ClassTag<A> tag) {
      this.tag = tag;
    }

    @Override
    public Iterator<ShippableVertexPartition<A>> apply(
        Iterator<ShippableVertexPartition<VD>> partitions, Iterator<MaskedValues> values) {
      ShippableVertexPartition<VD> partition = partitions.next();
      if (!values.hasNext()) {
        throw new IllegalStateException(
            "no values for a vertex partition of " + partition.size() + " vertices");
      }
      MaskedValues some = values.next();
      boolean[] present = some.present();
      if (present.length != partition.capacity()) {
        throw new IllegalStateException(
            "%s values for a vertex partition of %s slots"
                .formatted(present.length, partition.capacity()));
      }
      BitSet mask = new BitSet(partition.capacity());
      for (int slot = 0; slot < present.length; slot++) {
        if (present[slot]) {
          mask.set(slot);
        }
      }
      return scala.collection.Iterator$.MODULE$.single(
          new ShippableVertexPartition<>(
              partition.index(), some.values(), mask, partition.routingTable(), tag));
    }
  }
}
