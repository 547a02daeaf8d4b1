package org.sparkgpugraph.graphs.memory;

import java.util.Arrays;

/**
 * Least-significant-digit radix sort of signed 64-bit ids, 11 bits a pass; equal digits skipped.
 */
public final class LongRadixSort {
  private static final int DIGIT_BITS = 11;
  private static final int RADIX = 1 << DIGIT_BITS;
  private static final int SMALL = 1 << 10;

  private LongRadixSort() {}

  /**
   * Sorts ascending and removes duplicates.
   *
   * @param ids used as scratch space
   * @return the distinct ids, possibly {@code ids} itself
   */
  public static long[] distinct(long[] ids) {
    long[] sorted = sort(ids);
    int size = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[size++] = sorted[i];
      }
    }
    return size == sorted.length ? sorted : Arrays.copyOf(sorted, size);
  }

  /**
   * Sorts ascending.
   *
   * @param ids used as scratch space
   * @return the sorted array: {@code ids} or a new one
   */
  public static long[] sort(long[] ids) {
    if (ids.length < SMALL) {
      Arrays.sort(ids);
      return ids;
    }
    long[] from = ids;
    long[] to = new long[ids.length];
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
      int[] starts = new int[RADIX];
      for (long id : from) {
        starts[digit(id, shift)]++;
      }
      if (starts[digit(from[0], shift)] == from.length) {
        continue;
      }
      int start = 0;
      for (int d = 0; d < RADIX; d++) {
        int count = starts[d];
        starts[d] = start;
        start += count;
      }
      for (long id : from) {
        to[starts[digit(id, shift)]++] = id;
      }
      long[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Flipping the sign bit makes signed order the unsigned order of digits. */
  private static int digit(long id, int shift) {
    return (int) ((id ^ Long.MIN_VALUE) >>> shift) & (RADIX - 1);
  }
}
