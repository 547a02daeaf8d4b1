package org.sparkgpugraph.engine.device.kernels;

/**
 * What the kernels of a superstep tell the host of a partition, a 64-bit word each: its status,
 * behind which stand the aggregates. Kernels know the positions as {@code SGG_STATUS_…} ({@link
 * SharedWords}). Those before {@link #FAULT} are what a block counts, in this order.
 */
public enum StatusWord {
  /** Edges that were evaluated. */
  EDGES,

  /** Vertices whose vertex program ran. */
  RAN,

  /** Vertices that are active in the next superstep. */
  ACTIVATED,

  /** Edges that these select. */
  ACTIVE_EDGES,

  /** Lanes of all rounds over edges; 0: not counted. */
  EDGE_LANES,

  /** Lanes of all rounds over rows. */
  ROW_LANES,

  /** Rows that took part. */
  ROWS,

  /** Evaluations of edges that count once already, and of costly branches apart. */
  AGAIN,

  /** The complement of the lowest (row, fault site) that stopped itself; 0: none. */
  FAULT,

  /** Pieces of rows that warps have taken so far. */
  TAKEN,

  /** A bound of what active vertices say next, as a key ({@code sgg/stopping.cuh}); 0: nothing. */
  BOUND,

  /** Active vertices that say as much … */
  ATTAINING,

  /** … and others. */
  OTHERS,

  /** Blocks that have looked for these. */
  HEARD;

  /** Number of words. */
  public static final int COUNT = values().length;

  /** Number of those that a block counts. */
  static final int COUNTED = FAULT.ordinal();

  /** Where the word stands, in bytes from the first one. */
  public int offset() {
    return Long.BYTES * ordinal();
  }
}
