package org.sparkgpugraph.graphs.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/** A bitmap that several threads fill. */
public final class AtomicBitmap {
  private final AtomicLongArray words;

  /**
   * @param words number of words of 64 bits
   */
  public AtomicBitmap(int words) {
    this.words = new AtomicLongArray(words);
  }

  public boolean get(long bit) {
    return (words.getPlain((int) (bit >>> 6)) >>> bit & 1) != 0;
  }

  /** Most bits are set more than once: reads first, and only then pays for the atomic operation. */
  public void set(long bit) {
    if (!get(bit)) {
      words.getAndAccumulate((int) (bit >>> 6), 1L << bit, (old, added) -> old | added);
    }
  }

  /** The bits as they are now, with their ranks; no thread may be filling. */
  public RankedBitmap ranked() {
    long[] copy = new long[words.length()];
    for (int w = 0; w < copy.length; w++) {
      copy[w] = words.getPlain(w);
    }
    return new RankedBitmap(copy);
  }
}
