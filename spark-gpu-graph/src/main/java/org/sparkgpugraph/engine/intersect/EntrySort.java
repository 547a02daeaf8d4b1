package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;

/**
 * Sorts the entries of oriented rows. Long rows go digit by digit of 8 bits, from the lowest on
 * (least significant digit radix sort): that has no branches that depend on entries, which come in
 * the order of ids, as good as random by rank. Of one thread.
 */
final class EntrySort {
  private static final int DIGIT = 8;

  private static final int DIGITS = 1 << DIGIT;

  /** Rows of fewer entries are sorted by comparisons: digits' counts would take longer. */
  static final int LONG = 64;

  /** By digit, behind it, where its next entry goes to. */
  private final int[] places = new int[DIGITS + 1];

  private int[] buffer = new int[0];

  /**
   * Sorts {@code [from, to)}.
   *
   * @param entries there at least 0
   * @param most at least as large as any of these
   */
  void sort(int[] entries, int from, int to, int most) {
    int count = to - from;
    if (count < LONG) {
      Arrays.sort(entries, from, to);
      return;
    }
    if (buffer.length < count) {
      buffer = new int[(int) Math.min(Integer.MAX_VALUE - 8, count + (long) count / 2)];
    }
    boolean away = false;
    for (int shift = 0; shift < Integer.SIZE && most >>> shift != 0; shift += DIGIT) {
      if (away) {
        move(buffer, 0, count, shift, entries, from);
      } else {
        move(entries, from, count, shift, buffer, 0);
      }
      away = !away;
    }
    if (away) {
      System.arraycopy(buffer, 0, entries, from, count);
    }
  }

  /** Puts entries in the order of one digit, those of the same one as they are. */
  private void move(int[] source, int from, int count, int shift, int[] target, int first) {
    int end = from + count;
    Arrays.fill(places, 0);
    for (int i = from; i < end; i++) {
      places[(source[i] >>> shift & DIGITS - 1) + 1]++;
    }
    int place = first;
    for (int digit = 0; digit < DIGITS; digit++) {
      place += places[digit];
      places[digit] = place;
    }
    for (int i = from; i < end; i++) {
      target[places[source[i] >>> shift & DIGITS - 1]++] = source[i];
    }
  }
}
