package org.sparkgpugraph.engine.device.kernels;

/**
 * What a superstep that pushes leaves in its entry of the ring, which the host reads behind the
 * launch, a 64-bit word each. Kernels know the positions as {@code SGG_RING_…} ({@link
 * SharedWords}). Those before {@link #ITEMS} are what a block counts, and the first ones of {@link
 * StatusWord}.
 */
public enum RingWord {
  /** Edges that were evaluated. */
  EDGES,

  /** Vertices whose vertex program ran. */
  RAN,

  /** Vertices that are active in the next superstep. */
  ACTIVATED,

  /** Edges that these select. */
  ACTIVE_EDGES,

  /** Lanes of all rounds over edges. */
  EDGE_LANES,

  /** Lanes of all rounds over items. */
  ROW_LANES,

  /** Items that were walked: active vertices, or parts of their edges. */
  ROWS,

  /** Items of the next queue. */
  ITEMS,

  /** The device's clock at the end. */
  NANOS,

  /** Whether anything stopped itself. */
  FAULTS,

  /** Vertices that got a message into their slot. */
  TOUCHED,

  /** Vertices that are put off. */
  FAR,

  /** The least value of those, in an order in which atomic maxima find it. */
  LEAST,

  /** Updates for other devices that meet behind each superstep. */
  TOLD;

  /** Number of words. */
  public static final int COUNT = values().length;

  /** Number of those that a block counts. */
  static final int COUNTED = ITEMS.ordinal();

  /** Where the word stands, in bytes from the first one. */
  public int offset() {
    return Long.BYTES * ordinal();
  }
}
