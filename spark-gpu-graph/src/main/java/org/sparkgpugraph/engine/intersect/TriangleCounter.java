package org.sparkgpugraph.engine.intersect;

import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/** Counts the triangles of oriented rows. */
interface TriangleCounter extends AutoCloseable {
  /** A triangle whose opposite side is one edge: {@link #count} adds these up. */
  long ONE = 1L << 32;

  /**
   * Counts.
   *
   * @return by rank: in the upper half the triangles that a vertex is a corner of, in the lower
   *     half (without a sign) the edges of their opposite sides, 1 or 2 each. Neither half
   *     overflows: no more than {@link Integer#MAX_VALUE} entries are possible
   */
  long[] count(OrientedRows rows);

  /**
   * Counts a graph in one piece, from its edges to its vertices, where that can be done faster than
   * by {@link OrientedRows}.
   *
   * @param degrees {@code int[vertices]}, gets the numbers of neighbours by dense id
   * @param counts {@code long[vertices]}, gets what {@link #count(OrientedRows)} gives, by dense id
   * @return whether it was; if not, nothing was written
   */
  default boolean count(ExecutorGraph graph, int[] degrees, long[] counts) {
    return false;
  }

  /** Where time on a device went. */
  default OperatorRun.DeviceNanos nanos() {
    return new OperatorRun.DeviceNanos(0, 0);
  }

  @Override
  default void close() {}
}
