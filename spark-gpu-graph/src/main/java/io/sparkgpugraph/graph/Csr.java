package io.sparkgpugraph.graph;

/**
 * Compressed sparse rows: the neighbours of row {@code r} are {@code neighbours[offsets[r]] …
 * neighbours[offsets[r + 1] − 1]}.
 *
 * @param offsets {@code int[rows + 1]}, ascending from 0
 * @param neighbours {@code int[edges]}, local vertex indexes
 */
public record Csr(int[] offsets, int[] neighbours) {
  /** Number of rows. */
  public int rows() {
    return offsets.length - 1;
  }

  /** Number of edges. */
  public int edges() {
    return offsets[offsets.length - 1];
  }

  /** The row that holds an edge: the last one that starts at or before it. */
  int rowOf(int edge) {
    int low = 0;
    int high = offsets.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offsets[middle] <= edge) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * Puts the rows of some edges into an array.
   *
   * @param edge the first of them
   * @param added what is added to each row's number
   * @param at where the first goes
   */
  void rowsOf(int edge, int count, int added, int[] into, int at) {
    int row = rowOf(edge);
    for (int done = 0; done < count; row++) {
      int end = Math.min(count, offsets[row + 1] - edge);
      for (; done < end; done++) {
        into[at + done] = added + row;
      }
    }
  }

  /** Bytes of both arrays. */
  public long bytes() {
    return 4L * (offsets.length + neighbours.length);
  }
}
