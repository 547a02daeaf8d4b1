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
 * Edges of which something is known before they are made or read: their number, so that a graph
 * which cannot fit is refused at once, or a few that stand for all, so that the others need not be
 * made twice to see how to share them out. What Spark makes of it (maps, filters) knows nothing any
 * more; {@link #map} does.
 */
public final class KnownEdges extends RDD<EdgeBlock> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<EdgeBlock> TAG = ClassTag$.MODULE$.apply(EdgeBlock.class);
  private static final long UNKNOWN = -1;

  private final long edges;
  private final long bytes;

  /** The driver's. */
  private final transient Probes probes;

  /**
   * A few edges from everywhere in a graph.
   *
   * @param blocks the edges
   * @param share of all edges that they are, about; above 0, at most 1
   */
  public record Probes(JavaRDD<EdgeBlock> blocks, double share) {}

  private KnownEdges(RDD<EdgeBlock> blocks, long edges, long bytes, Probes probes) {
    super(blocks, TAG);
    this.edges = edges;
    this.bytes = bytes;
    this.probes = probes;
  }

  /**
   * Says how many edges there are.
   *
   * @param edges number of edges in all blocks
   * @param bytes that the blocks take at least
   * @param probes edges that stand for all; null: there are none
   */
  public static JavaRDD<EdgeBlock> counted(
      JavaRDD<EdgeBlock> blocks, long edges, long bytes, Probes probes) {
    return new JavaRDD<>(new KnownEdges(blocks.rdd(), edges, bytes, probes), TAG);
  }

  /** Says which edges stand for all, whose number is not known. */
  public static JavaRDD<EdgeBlock> probed(JavaRDD<EdgeBlock> blocks, Probes probes) {
    return new JavaRDD<>(new KnownEdges(blocks.rdd(), UNKNOWN, 0, probes), TAG);
  }

  private static KnownEdges of(JavaRDD<EdgeBlock> blocks) {
    return blocks.rdd() instanceof KnownEdges known ? known : null;
  }

  /** The edges as such; null: their number is not known. */
  static KnownEdges ifCounted(JavaRDD<EdgeBlock> blocks) {
    KnownEdges known = of(blocks);
    return known == null || known.edges == UNKNOWN ? null : known;
  }

  /** The edges that stand for all; where none do, all. */
  public static Probes probes(JavaRDD<EdgeBlock> blocks) {
    KnownEdges known = of(blocks);
    return known == null || known.probes == null ? new Probes(blocks, 1) : known.probes;
  }

  /**
   * Makes other blocks of blocks.
   *
   * @param function gives a block of as many edges, which takes as many bytes or more
   */
  public static JavaRDD<EdgeBlock> map(
      JavaRDD<EdgeBlock> blocks, Function<EdgeBlock, EdgeBlock> function) {
    KnownEdges known = of(blocks);
    JavaRDD<EdgeBlock> mapped = blocks.map(function);
    if (known == null) {
      return mapped;
    }
    Probes probes =
        known.probes == null
            ? null
            : new Probes(known.probes.blocks().map(function), known.probes.share());
    return new JavaRDD<>(new KnownEdges(mapped.rdd(), known.edges, known.bytes, probes), TAG);
  }

  /** Number of edges, where it is known. */
  long edges() {
    return edges;
  }

  /** Bytes that all blocks together take at least. */
  long bytes() {
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
