package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * One partition of a graph: the in-edges of a contiguous range of dense ids, in flat arrays. Local
 * indexes are 32 bits: {@code [0, stored)} are the vertices of the range, in order; {@code [stored,
 * stored + ghosts)} are ghosts, vertices of other partitions (of this executor graph or another)
 * that are an end of an edge here, in ascending order of their dense ids. Dense ids are those of
 * the executor graph ({@link ExecutorGraph#ids()}).
 *
 * <p>A partition of one of several shards that was loaded without out-edges knows in-edges only:
 * its ghosts are their sources, and it has neither {@link #outEdges()} nor {@link #outTranspose()}.
 *
 * <p>Structure is immutable once built. The parts that not every program needs (edge values,
 * transposes, the out-edges) are made on first use and kept; those methods are thread-safe.
 */
public interface GraphPartition {
  /**
   * Most edges of a partition, on either side. Less than an array can have, so that engines may
   * step over edges in ints, some thousands at a time, without an overflow behind the last one.
   */
  int MAX_EDGES = Integer.MAX_VALUE - (1 << 16);

  /** Index among the partitions of the graph. */
  int index();

  /** Dense id of local index 0. */
  long firstVertex();

  /** Number of vertices whose rows are held. */
  int stored();

  /** Number of ghosts. */
  int ghosts();

  /** Dense ids of the ghosts, ascending: {@code long[ghosts]}. */
  long[] ghostIds();

  /** Original id of a local index (held or ghost). */
  long originalId(int local);

  /**
   * Original ids of all local indexes.
   *
   * @return {@code long[stored + ghosts]}, not to be changed
   */
  default long[] originalIds() {
    long[] ids = new long[stored() + ghosts()];
    for (int local = 0; local < ids.length; local++) {
      ids[local] = originalId(local);
    }
    return ids;
  }

  /**
   * Puts the original ids of some local indexes into the first elements of an array: faster than
   * one by one.
   */
  default void originalIds(int first, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      into[i] = originalId(first + i);
    }
  }

  /**
   * Which held or ghost vertices exist in the vertex set: an edge may name one that does not. A
   * message to it is dropped and it never runs.
   *
   * @return a bitmap of {@code stored + ghosts} bits, or null when all exist
   */
  long[] present();

  /**
   * Edges of one side: {@code stored} rows. A row's neighbours ascend by their original ids (so a
   * sum over a row has the same order whatever the number of partitions, and of shards, and who
   * holds what); parallel edges are in the order (edge block, position).
   *
   * @param in whether {@link #inEdges} or {@link #outEdges}
   * @throws IllegalStateException as {@link #outEdges}
   */
  Csr edges(boolean in);

  /** In-edges: a row's neighbours are its sources. */
  default Csr inEdges() {
    return edges(true);
  }

  /**
   * Out-edges: a row's neighbours are its destinations (held or ghost).
   *
   * @throws IllegalStateException when this is one of several shards and was loaded without
   *     out-edges
   */
  default Csr outEdges() {
    return edges(false);
  }

  /** Edge values in the order of {@link #edges}, or null when none were loaded. */
  Columns edgeValues(boolean in);

  /** Edge values in the order of {@link #inEdges()}, or null when none were loaded. */
  default Columns inEdgeValues() {
    return edgeValues(true);
  }

  /** Edge values in the order of {@link #outEdges()}, or null when none were loaded. */
  default Columns outEdgeValues() {
    return edgeValues(false);
  }

  /**
   * The edges of one side by their other end: {@code stored + ghosts} rows, a row's neighbours are
   * held vertices.
   */
  Csr transpose(boolean in);

  /** In-transpose: a row's neighbours are its held targets. */
  default Csr inTranspose() {
    return transpose(true);
  }

  /** Out-transpose: a row's neighbours are its held sources. */
  default Csr outTranspose() {
    return transpose(false);
  }

  /**
   * Whether {@link #inTranspose} or {@link #outTranspose} is there; never waits. Made on first use,
   * it costs as much as a sort of all edges.
   */
  default boolean hasTranspose(boolean in) {
    return true;
  }

  /**
   * Whether a local index is that of a vertex.
   *
   * @param present bitmap of those that are; null: all
   */
  static boolean exists(long[] present, int local) {
    return present == null || (present[local >>> 6] >>> local & 1) != 0;
  }

  /**
   * Number of edges that point at a held or ghost vertex, or leave it, over the whole graph.
   *
   * @throws IllegalStateException when another shard has not sent it yet: for a ghost, and
   *     out-edges
   */
  int degree(int local, boolean in);

  /** Number of edges that point at a held or ghost vertex; see {@link #degree}. */
  default int inDegree(int local) {
    return degree(local, true);
  }

  /** Number of edges that leave a held or ghost vertex; see {@link #degree}. */
  default int outDegree(int local) {
    return degree(local, false);
  }

  /**
   * Degrees of all held and ghost vertices.
   *
   * @param in whether {@link #inDegree} or {@link #outDegree}
   * @return {@code int[stored + ghosts]}, not to be changed
   */
  default int[] degrees(boolean in) {
    int[] degrees = new int[stored() + ghosts()];
    for (int local = 0; local < degrees.length; local++) {
      degrees[local] = degree(local, in);
    }
    return degrees;
  }

  /** As {@link #degrees}, where they are at hand; null: they would have to be counted. */
  default int[] degreesIfKnown(boolean in) {
    return null;
  }

  /** Bytes that the partition holds on the heap now, all built parts counted. */
  long bytes();

  /** Where its edges are now, all built parts counted. */
  EdgeBytes edgeBytes();
}
