package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.Columns;

/**
 * One partition of a graph: the in-edges of a contiguous range of dense ids, in flat arrays. Local
 * indexes are 32 bits: {@code [0, stored)} are the vertices of the range, in order; {@code [stored,
 * stored + ghosts)} are ghosts, vertices of other partitions (of this executor graph or another)
 * that are an end of an edge here, in ascending order of their dense ids. Dense ids are those of
 * the executor graph ({@link ExecutorGraph#ids()}); like original ids they ascend.
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
   * In-edges: {@code stored} rows, a row's neighbours are its sources, ascending by their dense ids
   * (so a sum over a row has the same order whatever the number of partitions); parallel edges in
   * the order (edge block, position).
   */
  Csr inEdges();

  /** Edge values in the order of {@link #inEdges()}, or null when none were loaded. */
  Columns inEdgeValues();

  /** In-transpose: {@code stored + ghosts} rows, a row's neighbours are its held targets. */
  Csr inTranspose();

  /**
   * Whether {@link #inTranspose} or {@link #outTranspose} is there; never waits. Made on first use,
   * it costs as much as a sort of all edges.
   */
  default boolean hasTranspose(boolean in) {
    return true;
  }

  /**
   * Out-edges: {@code stored} rows, a row's neighbours are its destinations (held or ghost),
   * ascending by their dense ids; parallel edges in the order (edge block, position).
   *
   * @throws IllegalStateException when this is one of several shards and was loaded without
   *     out-edges
   */
  Csr outEdges();

  /** Edge values in the order of {@link #outEdges()}, or null when none were loaded. */
  Columns outEdgeValues();

  /** Out-transpose: {@code stored + ghosts} rows, a row's neighbours are its held sources. */
  Csr outTranspose();

  /**
   * Number of edges that point at a held or ghost vertex, over the whole graph.
   *
   * @throws IllegalStateException for a ghost whose shard has not sent it yet
   */
  int inDegree(int local);

  /**
   * Number of edges that leave a held or ghost vertex, over the whole graph.
   *
   * @throws IllegalStateException when other shards have not sent it yet
   */
  int outDegree(int local);

  /**
   * Degrees of all held and ghost vertices.
   *
   * @param in whether {@link #inDegree} or {@link #outDegree}
   * @return {@code int[stored + ghosts]}, not to be changed
   */
  default int[] degrees(boolean in) {
    int[] degrees = new int[stored() + ghosts()];
    for (int local = 0; local < degrees.length; local++) {
      degrees[local] = in ? inDegree(local) : outDegree(local);
    }
    return degrees;
  }

  /** Bytes that the partition holds now, all built parts counted. */
  long bytes();
}
