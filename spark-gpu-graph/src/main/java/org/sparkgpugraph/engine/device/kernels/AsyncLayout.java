package org.sparkgpugraph.engine.device.kernels;

/**
 * How a relaxation without supersteps lays out its memory; kernels know it by {@link SharedWords}.
 */
public final class AsyncLayout {
  /** Buckets: one for each lane of a warp. */
  public static final int BUCKETS = 32;

  /** Places whose writers are counted together. */
  public static final int SEGMENT = 32;

  /** Items that a warp keeps to itself: two rounds of its lanes. */
  public static final int LOCAL = 64;

  /** Words from one bucket's counter to the next one's: a sector of the cache each. */
  public static final int STRIDE = 4;

  /** Where the counters of what is reserved begin, in words behind those of {@link AsyncWord}. */
  public static final int RESERVED = 64;

  /** … of what is mapped … */
  public static final int LIMIT = RESERVED + BUCKETS * STRIDE;

  /** … and of what is done. */
  public static final int DONE = LIMIT + BUCKETS * STRIDE;

  /** Words of the state. */
  public static final int WORDS = DONE + BUCKETS * STRIDE;

  /** Bytes of an item. */
  public static final int ITEM_BYTES = 16;

  /** Most entries of a bucket's map: an assignment has 16 bits for them. */
  public static final int MOST_BLOCKS = 1 << 16;

  private AsyncLayout() {}

  /** Places that workers may take between a look at the limit and their taking, 32 each. */
  public static long slack(int workers) {
    return (long) SEGMENT * workers;
  }

  /**
   * Fewest blocks of the pool with which no bucket is ever without room for all workers.
   *
   * @param shift logarithm of the places of a block
   */
  public static long leastBlocks(int workers, int shift) {
    return BUCKETS * ((slack(workers) >> shift) + 3);
  }
}
