package io.sparkgpugraph.graph;

/** Copies scattered cells between two arrays of one primitive class. */
final class ColumnCopy {
  private ColumnCopy() {}

  /**
   * {@code to[rows[i]] = from[positions[i]]} for i in {@code [first, end)}.
   *
   * @param positions null: the identity; a negative position is skipped
   * @param rows null: the identity; a negative row is skipped
   */
  static void copy(Object from, int[] positions, int first, int end, Object to, int[] rows) {
    if (from instanceof boolean[] a) {
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
    if (positions == null && rows == null) {
      System.arraycopy(from, first, to, first, end - first);
      return;
    }
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }

  private static void copy(int[] from, int[] positions, int first, int end, int[] to, int[] rows) {
    if (positions == null && rows == null) {
      System.arraycopy(from, first, to, first, end - first);
      return;
    }
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
    if (positions == null && rows == null) {
      System.arraycopy(from, first, to, first, end - first);
      return;
    }
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
    if (positions == null && rows == null) {
      System.arraycopy(from, first, to, first, end - first);
      return;
    }
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
    if (positions == null && rows == null) {
      System.arraycopy(from, first, to, first, end - first);
      return;
    }
    for (int i = first; i < end; i++) {
      int position = positions == null ? i : positions[i];
      int row = rows == null ? i : rows[i];
      if (position >= 0 && row >= 0) {
        to[row] = from[position];
      }
    }
  }
}
