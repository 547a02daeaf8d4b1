package org.sparkgpugraph.graphs.memory;

/** Copies scattered rows between two columns of one primitive class. */
public final class ColumnCopy {
  private ColumnCopy() {}

  /**
   * {@code to[rows[i]] = from[positions[i]]} for i in {@code [first, end)}.
   *
   * @param width numbers in a row
   * @param positions null: the identity; a negative position is skipped
   * @param rows null: the identity; a negative row is skipped
   */
  public static void copy(
      Object from, int width, int[] positions, int first, int end, Object to, int[] rows) {
    if (positions == null && rows == null) {
      System.arraycopy(from, first * width, to, first * width, (end - first) * width);
    } else if (width > 1) {
      for (int i = first; i < end; i++) {
        int position = positions == null ? i : positions[i];
        int row = rows == null ? i : rows[i];
        if (position >= 0 && row >= 0) {
          System.arraycopy(from, position * width, to, row * width, width);
        }
      }
    } else if (from instanceof boolean[] a) {
      copy(a, positions, first, end, (boolean[]) to, rows);
    } else if (from instanceof int[] a) {
      copy(a, positions, first, end, (int[]) to, rows);
    } else if (from instanceof long[] a) {
      copy(a, positions, first, end, (long[]) to, rows);
    } else if (from instanceof float[] a) {
      copy(a, positions, first, end, (float[]) to, rows);
    } else if (from instanceof double[] a) {
      copy(a, positions, first, end, (double[]) to, rows);
    } else {
      throw new IllegalArgumentException("not a column: " + from.getClass());
    }
  }

  private static void copy(
      boolean[] from, int[] positions, int first, int end, boolean[] to, int[] rows) {
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  private static void copy(int[] from, int[] positions, int first, int end, int[] to, int[] rows) {
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  private static void copy(
      long[] from, int[] positions, int first, int end, long[] to, int[] rows) {
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  private static void copy(
      float[] from, int[] positions, int first, int end, float[] to, int[] rows) {
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  private static void copy(
      double[] from, int[] positions, int first, int end, double[] to, int[] rows) {
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  /**
   * {@code to[places[i]] = from[first + i]} for i in {@code [0, count)}.
   *
   * @param width numbers in a row
   */
  public static void scatter(
      Object from, int width, int first, int count, Object to, int[] places) {
    if (width > 1) {
      for (int i = 0; i < count; i++) {
        System.arraycopy(from, (first + i) * width, to, places[i] * width, width);
      }
    } else if (from instanceof boolean[] a) {
      scatter(a, first, count, (boolean[]) to, places);
    } else if (from instanceof int[] a) {
      scatter(a, first, count, (int[]) to, places);
    } else if (from instanceof long[] a) {
      scatter(a, first, count, (long[]) to, places);
    } else if (from instanceof float[] a) {
      scatter(a, first, count, (float[]) to, places);
    } else if (from instanceof double[] a) {
      scatter(a, first, count, (double[]) to, places);
    } else {
      throw new IllegalArgumentException("not a column: " + from.getClass());
    }
  }

  private static void scatter(boolean[] from, int first, int count, boolean[] to, int[] places) {
    for (int i = 0; i < count; i++) {
      to[places[i]] = from[first + i];
    }
  }

  private static void scatter(int[] from, int first, int count, int[] to, int[] places) {
    for (int i = 0; i < count; i++) {
      to[places[i]] = from[first + i];
    }
  }

  private static void scatter(long[] from, int first, int count, long[] to, int[] places) {
    for (int i = 0; i < count; i++) {
      to[places[i]] = from[first + i];
    }
  }

  private static void scatter(float[] from, int first, int count, float[] to, int[] places) {
    for (int i = 0; i < count; i++) {
      to[places[i]] = from[first + i];
    }
  }

  private static void scatter(double[] from, int first, int count, double[] to, int[] places) {
    for (int i = 0; i < count; i++) {
      to[places[i]] = from[first + i];
    }
  }
}
