package org.sparkgpugraph.engine.intersect;

import org.sparkgpugraph.engine.operator.OperatorRun;

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

  /** Where time on a device went. */
  default OperatorRun.DeviceNanos nanos() {
    return new OperatorRun.DeviceNanos(0, 0);
  }

  @Override
  default void close() {}
}
