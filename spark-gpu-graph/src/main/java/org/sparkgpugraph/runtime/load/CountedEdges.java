package org.sparkgpugraph.runtime.load;

import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Edges whose number is known before they are made, so that a graph which cannot fit is refused at
 * once. What Spark makes of it (maps, filters) knows the number no more; {@link #map} does.
 */
public final class CountedEdges extends RDD<EdgeBlock> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<EdgeBlock> TAG = ClassTag$.MODULE$.apply(EdgeBlock.class);

  private final long edges;
  private final long bytes;

  private CountedEdges(RDD<EdgeBlock> blocks, long edges, long bytes) {
    super(blocks, TAG);
    this.edges = edges;
    this.bytes = bytes;
  }

  /**
   * Says how many edges there are.
   *
   * @param edges number of edges in all blocks
   * @param bytes that the blocks take at least
   */
  public static JavaRDD<EdgeBlock> of(JavaRDD<EdgeBlock> blocks, long edges, long bytes) {
    return new JavaRDD<>(new CountedEdges(blocks.rdd(), edges, bytes), TAG);
  }

  /** The edges as such; null: their number is not known. */
  public static CountedEdges of(JavaRDD<EdgeBlock> blocks) {
    return blocks.rdd() instanceof CountedEdges counted ? counted : null;
  }

  /**
   * Makes other blocks of blocks.
   *
   * @param function gives a block of as many edges, which takes as many bytes or more
   */
  public static JavaRDD<EdgeBlock> map(
      JavaRDD<EdgeBlock> blocks, Function<EdgeBlock, EdgeBlock> function) {
    CountedEdges counted = of(blocks);
    JavaRDD<EdgeBlock> mapped = blocks.map(function);
    return counted == null ? mapped : of(mapped, counted.edges, counted.bytes);
  }

  /** Number of edges. */
  public long edges() {
    return edges;
  }

  /** Bytes that all blocks together take at least. */
  public long bytes() {
    return bytes;
  }

  @Override
  public Iterator<EdgeBlock> compute(Partition split, TaskContext context) {
    return firstParent(TAG).iterator(split, context);
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(TAG).partitions();
  }
}
