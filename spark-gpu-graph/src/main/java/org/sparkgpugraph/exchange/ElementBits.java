package org.sparkgpugraph.exchange;

import org.sparkgpugraph.graphs.memory.ColumnCopy;

/** A bit for each number of some rows of arrays, row by row. */
final class ElementBits {
  /** Numbers that are copied together. */
  private static final int BLOCK = 1 << 12;

  private ElementBits() {}

  /** Longs for so many numbers. */
  static int words(long numbers) {
    return (int) ((numbers + 63) >>> 6);
  }

  /**
   * Which of the numbers {@code [from, to)} are set, ascending, counted from {@code from}.
   *
   * @param count how many of them there are, see {@link FlagBits#count}
   */
  static int[] places(long[] words, int from, int to, int count) {
    int[] places = new int[count];
    int found = 0;
    for (int at = from; found < count; at += 64) {
      long bits = FlagBits.at(words, at);
      if (to - at < 64) {
        bits &= (1L << (to - at)) - 1;
      }
      for (; bits != 0; bits &= bits - 1) {
        places[found++] = at - from + Long.numberOfTrailingZeros(bits);
      }
    }
    return places;
  }

  /** Sets some of the numbers of empty bits. */
  static long[] of(int[] places, long numbers) {
    long[] words = new long[words(numbers)];
    for (int place : places) {
      words[place >>> 6] |= 1L << place;
    }
    return words;
  }

  /**
   * Copies the numbers that are set to rows elsewhere.
   *
   * @param from rows of arrays, of which the bits speak
   * @param width numbers in a row
   * @param rows where each row goes, a row of {@code to}
   */
  static void copy(long[] words, Object from, int width, Object to, int[] rows) {
    int numbers = rows.length * width;
    int[] here = new int[Math.min(BLOCK, numbers)];
    int[] there = new int[here.length];
    int found = 0;
    int row = 0;
    for (int w = 0; w < words(numbers); w++) {
      for (long bits = words[w]; bits != 0; bits &= bits - 1) {
        int number = (w << 6) + Long.numberOfTrailingZeros(bits);
        while (number - row * width >= width) {
          row++;
        }
        here[found] = number;
        there[found] = rows[row] * width + number - row * width;
        if (++found == here.length) {
          ColumnCopy.copy(from, 1, here, 0, found, to, there);
          found = 0;
        }
      }
    }
    // Positions and rows of one length: what is behind the last is not looked at.
    ColumnCopy.copy(from, 1, here, 0, found, to, there);
  }
}
