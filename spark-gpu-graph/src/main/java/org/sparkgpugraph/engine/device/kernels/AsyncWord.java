package org.sparkgpugraph.engine.device.kernels;

/**
 * The state of a relaxation without supersteps, a 64-bit word each, and what it counted. Kernels
 * know the positions as {@code SGG_ASYNC_…} ({@link SharedWords}).
 */
public enum AsyncWord {
  /** Values below belong to the head … */
  BASE,

  /** … and so much to a step of one bucket, as 1 over it. */
  INVERSE,

  /** Values below are walked at once. */
  HORIZON,

  /** The bucket that is next. */
  HEAD,

  /** Whether workers may begin. */
  READY,

  /** Whether workers must not wait any more. */
  STOPPED,

  /** Bitmap of buckets for which the pool has no block. */
  EXHAUSTED,

  /** Workers that have looked at what is active … */
  LOOKED,

  /** … and that have written it into buckets. */
  SEEDED,

  /** The best value of what is active, in an order in which atomic maxima find it. */
  LEAST,

  /** Edges that were evaluated. */
  EDGES,

  /** Items that were walked … */
  RAN,

  /** … and that were dropped, since their vertices had better values already. */
  STALE,

  /** Items that were walked by who found them. */
  CHASED,

  /** Vertices left to the next launch, since the pool was full. */
  SPILLED,

  /** Items that went into buckets. */
  PUSHED,

  /** Rounds of the manager. */
  ROUNDS,

  /** Moves of the head. */
  SWITCHES,

  /** Changes of the width of buckets. */
  CHANGES,

  /** The width at the end. */
  WIDTH,

  /** Most blocks of the pool in use. */
  BLOCKS,

  /** Whether the manager gave up. */
  STUCK,

  /** Edges and items that were walked of what was found, of a part of a graph. */
  WALKED,

  /** Whether a residual waits for another launch, since the pool was full. */
  LEFT,

  /** Residuals above the tolerance that nobody was going to say, at the end of all. */
  LOST,

  /** Whether a message has made a residual less of which only those above a tolerance are said. */
  SHRUNK;

  /** Number of words. */
  public static final int COUNT = values().length;

  /** Where the word stands, in bytes from the first one. */
  public int offset() {
    return Long.BYTES * ordinal();
  }
}
