package org.sparkgpugraph.engine.device.kernels;

/**
 * The state of a queue of active vertices, a 64-bit word each. Kernels know the positions as {@code
 * SGG_QUEUE_…} ({@link SharedWords}).
 */
public enum QueueWord {
  /** Items in the queue. */
  ITEMS,

  /** Supersteps of the last launch. */
  ROUNDS,

  /** Arrivals at the barrier of the grid. */
  ARRIVALS,

  /** Who sends: vertices and their edges. */
  WORK,

  /** The worst value of all, as it stands in a column. */
  WORST,

  /** Vertices that are put off, in the first of two lists … */
  FAR,

  /** … and in the second one. */
  FAR_SECOND,

  /** Which list they are in. */
  FAR_LIST,

  /** Values from here on are put off. */
  THRESHOLD,

  /** The least of the edge values that are sent, as it stands in a column … */
  LEAST_EDGE,

  /** … and the largest. */
  MOST_EDGE,

  /** Not 0: another device did not come to where all meet. */
  ALONE;

  /** Number of words. */
  public static final int COUNT = values().length;

  /** Where the word stands, in bytes from the first one. */
  public int offset() {
    return Long.BYTES * ordinal();
  }
}
