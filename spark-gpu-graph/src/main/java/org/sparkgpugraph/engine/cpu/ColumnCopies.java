package org.sparkgpugraph.engine.cpu;

import org.sparkgpugraph.exchange.VertexBitmap;

/** Copies the rows of a bitmap from one column to another. */
final class ColumnCopies {
  private ColumnCopies() {}

  /** Copies the members under one summary word. */
  static void copy(VertexBitmap rows, int summaryWord, Object from, Object to) {
    long summary = rows.summary[summaryWord];
    while (summary != 0) {
      int w = (summaryWord << 6) + Long.numberOfTrailingZeros(summary);
      summary &= summary - 1;
      long word = rows.words[w];
      if (from instanceof double[] source) {
        copy(word, w << 6, source, (double[]) to);
      } else if (from instanceof long[] source) {
        copy(word, w << 6, source, (long[]) to);
      } else if (from instanceof int[] source) {
        copy(word, w << 6, source, (int[]) to);
      } else if (from instanceof float[] source) {
        copy(word, w << 6, source, (float[]) to);
      } else {
        copy(word, w << 6, (boolean[]) from, (boolean[]) to);
      }
    }
  }

  private static void copy(long word, int base, double[] from, double[] to) {
    for (; word != 0; word &= word - 1) {
      int row = base + Long.numberOfTrailingZeros(word);
      to[row] = from[row];
    }
  }

  private static void copy(long word, int base, long[] from, long[] to) {
    for (; word != 0; word &= word - 1) {
      int row = base + Long.numberOfTrailingZeros(word);
      to[row] = from[row];
    }
  }

  private static void copy(long word, int base, int[] from, int[] to) {
    for (; word != 0; word &= word - 1) {
      int row = base + Long.numberOfTrailingZeros(word);
      to[row] = from[row];
    }
  }

  private static void copy(long word, int base, float[] from, float[] to) {
    for (; word != 0; word &= word - 1) {
      int row = base + Long.numberOfTrailingZeros(word);
      to[row] = from[row];
    }
  }

  private static void copy(long word, int base, boolean[] from, boolean[] to) {
    for (; word != 0; word &= word - 1) {
      int row = base + Long.numberOfTrailingZeros(word);
      to[row] = from[row];
    }
  }
}
