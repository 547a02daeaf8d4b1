package org.sparkgpugraph.graphs.model;

import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Compressed sparse rows: the neighbours of row {@code r} are {@code neighbours[offsets[r]] …
 * neighbours[offsets[r + 1] − 1]}. The arrays may be made when they are first asked for, and the
 * neighbours may be off the heap: then they are copied to it, some rows at a time. A Csr equals
 * itself only. Thread-safe.
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

  /** Null: nobody knows. */
  private volatile Boolean mirrored;

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

  /**
   * Rows whose neighbours are off the heap.
   *
   * @param offsets {@code int[rows + 1]}, ascending from 0
   * @param neighbours of ints, as many as there are edges
   */
  public Csr(int[] offsets, OffHeapArray neighbours) {
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

  /**
   * {@code int[edges]}, local vertex indexes; not to be changed.
   *
   * @throws OffHeapMemoryException when they are off the heap
   */
  public int[] neighbours() {
    if (neighbours instanceof OffHeapArray) {
      throw new OffHeapMemoryException(
          ("the neighbours of %,d edges are off the heap, and this needs them on it: give executors"
                  + " more memory, or spread the graph over more of them, and load it with"
                  + " spark.gpugraph.memory.edges = heap")
              .formatted(edges));
    }
    return (int[]) (neighbours instanceof LaterArray array ? array.array() : neighbours);
  }

  /** Whether the neighbours are on the heap, or will be there: {@link #neighbours} gives them. */
  public boolean onHeap() {
    return !(neighbours instanceof OffHeapArray);
  }

  /** Where neighbours are that are off the heap; null: they are on it. */
  public OffHeapArray offHeap() {
    return neighbours instanceof OffHeapArray array ? array : null;
  }

  /**
   * Copies the neighbours of some edges, wherever they are.
   *
   * @param edge the first of them
   * @param at where the first goes
   */
  public void neighbours(int edge, int count, int[] into, int at) {
    if (neighbours instanceof OffHeapArray array) {
      array.get(edge, into, at, count);
    } else {
      System.arraycopy(neighbours(), edge, into, at, count);
    }
  }

  /**
   * Where the neighbours of some edges are in memory, as {@link OffHeapArray#address}; 0 also where
   * they are on the heap.
   */
  public long address(int edge, int count) {
    return neighbours instanceof OffHeapArray array ? array.address(edge, count) : 0;
  }

  /** The neighbour of an edge, wherever it is; copies are far faster for many. */
  public int neighbour(int edge) {
    return neighbours instanceof OffHeapArray array ? array.getInt(edge) : neighbours()[edge];
  }

  /**
   * Changes the neighbours of edges {@code [from, to)}, of rows that nobody else has yet.
   *
   * @param change gives for a neighbour what takes its place
   */
  public void change(int from, int to, IntUnaryOperator change) {
    int count = to - from;
    boolean copied = !onHeap();
    int[] some = copied ? new int[count] : neighbours();
    int first = copied ? 0 : from;
    if (copied) {
      neighbours(from, count, some, 0);
    }
    for (int e = first; e < first + count; e++) {
      some[e] = change.applyAsInt(some[e]);
    }
    if (copied) {
      ((OffHeapArray) neighbours).put(from, some, 0, count);
    }
  }

  /**
   * What copies of the neighbours on devices are known by: the array, a {@link LaterArray} or an
   * {@link OffHeapArray}; the same object every time.
   */
  public Object neighboursKey() {
    return neighbours;
  }

  /**
   * Whether every edge is there in the other direction, too, as often.
   *
   * @return empty: nobody has found out
   */
  public Optional<Boolean> isMirrored() {
    return Optional.ofNullable(mirrored);
  }

  /** Somebody has found out. See {@link #isMirrored}. */
  public void mirrored(boolean is) {
    mirrored = is;
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

  /** Bytes of the arrays on the heap. */
  public long bytes() {
    return later != null
        ? later.bytes()
        : Integer.BYTES * (offsets.length + (onHeap() ? (long) edges : 0));
  }
}
