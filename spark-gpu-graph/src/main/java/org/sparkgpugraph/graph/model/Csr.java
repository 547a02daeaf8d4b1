package org.sparkgpugraph.graph.model;

import org.sparkgpugraph.graph.memory.LaterArray;
import org.sparkgpugraph.graph.rows.UnsortedEdges;

/**
 * Compressed sparse rows: the neighbours of row {@code r} are {@code neighbours[offsets[r]] …
 * neighbours[offsets[r + 1] − 1]}. The arrays may be made when they are first asked for. A Csr
 * equals itself only. Thread-safe.
 */
public final class Csr {
  private final int rows;
  private final int edges;
  private final Object neighbours;
  private final UnsortedEdges.Side later;
  private volatile int[] offsets;

  /**
   * Wraps arrays; they are not copied.
   *
   * @param offsets {@code int[rows + 1]}, ascending from 0
   * @param neighbours {@code int[edges]}, local vertex indexes
   */
  public Csr(int[] offsets, int[] neighbours) {
    this.offsets = offsets;
    this.neighbours = neighbours;
    rows = offsets.length - 1;
    edges = offsets[rows];
    later = null;
  }

  /** Rows that are made of unsorted edges when they are needed. */
  public Csr(UnsortedEdges.Side later) {
    this.later = later;
    rows = later.of().vertices();
    edges = later.of().size();
    neighbours =
        new LaterArray(edges, Integer.BYTES, () -> later.of().neighbours(later.bySource()));
  }

  /** Where the rows are made of unsorted edges: those, and by which end; null: they are made. */
  public UnsortedEdges.Side later() {
    return later;
  }

  /** Whether all arrays are there; otherwise whoever asks for the neighbours waits for a sort. */
  public boolean isMade() {
    return later == null || later.of().isMade(later.bySource());
  }

  /** {@code int[rows + 1]}, ascending from 0; not to be changed. */
  public int[] offsets() {
    int[] found = offsets;
    if (found == null) {
      found = later.of().offsets(later.bySource());
      offsets = found;
    }
    return found;
  }

  /** Whether the offsets are known, so that nobody has to sort for them. */
  public boolean hasOffsets() {
    return offsets != null || later.of().isCounted();
  }

  /** {@code int[edges]}, local vertex indexes; not to be changed. */
  public int[] neighbours() {
    return (int[]) (neighbours instanceof LaterArray array ? array.array() : neighbours);
  }

  /**
   * What copies of the neighbours on devices are known by: the array, or a {@link LaterArray}; the
   * same object every time.
   */
  public Object neighboursKey() {
    return neighbours;
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Number of edges. */
  public int edges() {
    return edges;
  }

  /** The row that holds an edge: the last one that starts at or before it. */
  public int rowOf(int edge) {
    int[] starts = offsets();
    int low = 0;
    int high = rows;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= edge) {
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
  public void rowsOf(int edge, int count, int added, int[] into, int at) {
    int[] starts = offsets();
    int row = rowOf(edge);
    for (int done = 0; done < count; row++) {
      int end = Math.min(count, starts[row + 1] - edge);
      for (; done < end; done++) {
        into[at + done] = added + row;
      }
    }
  }

  /** Bytes of the arrays that the host has. */
  public long bytes() {
    return later == null
        ? 4L * (offsets.length + (long) edges)
        : later.of().bytes(later.bySource());
  }
}
