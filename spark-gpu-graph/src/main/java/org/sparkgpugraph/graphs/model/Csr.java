package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Compressed sparse rows: the neighbours of row {@code r} are {@code neighbours[offsets[r]] …
 * neighbours[offsets[r + 1] − 1]}. The arrays may be made when they are first asked for. A Csr
 * equals itself only. Thread-safe.
 */
public final class Csr {
  /** Rows that are made when somebody needs them. Thread-safe; made once, the same for all. */
  public interface Later {
    /** Number of rows. */
    int rows();

    /** Number of edges. */
    int edges();

    /** {@code int[rows + 1]}; makes them where they are not known. */
    int[] offsets();

    /** Whether the offsets are known, so that nobody has to sort for them. */
    boolean hasOffsets();

    /** {@code int[edges]}; makes them where they are not there. */
    int[] neighbours();

    /** Whether all arrays are there. Never waits. */
    boolean isMade();

    /** Bytes of the arrays that the host has. Never waits. */
    long bytes();
  }

  private final int rows;
  private final int edges;
  private final Object neighbours;
  private final Later later;
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

  /** Rows that are made when they are needed. */
  public Csr(Later later) {
    this.later = later;
    rows = later.rows();
    edges = later.edges();
    neighbours = new LaterArray(edges, Kind.INT, later::neighbours);
  }

  /** What makes the rows when they are needed; null: they were there from the start. */
  public Later later() {
    return later;
  }

  /** Whether all arrays are there; otherwise whoever asks for the neighbours waits for a sort. */
  public boolean isMade() {
    return later == null || later.isMade();
  }

  /** {@code int[rows + 1]}, ascending from 0; not to be changed. */
  public int[] offsets() {
    int[] found = offsets;
    if (found == null) {
      found = later.offsets();
      offsets = found;
    }
    return found;
  }

  /** Whether the offsets are known, so that nobody has to sort for them. */
  public boolean hasOffsets() {
    return offsets != null || later.hasOffsets();
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
    return later == null ? 4L * (offsets.length + (long) edges) : later.bytes();
  }
}
