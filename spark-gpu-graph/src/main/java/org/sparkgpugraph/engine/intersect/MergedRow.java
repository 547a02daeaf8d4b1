package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The neighbourhood of one vertex after the other: those that an in-edge or an out-edge connects it
 * with, each once, without itself, ascending by dense id. Used by one thread.
 */
final class MergedRow {
  /** In place of an end that is no vertex: more than any dense id. */
  private static final int MISSING = Integer.MAX_VALUE;

  private final Side in;
  private final Side out;
  private final int first;
  private final int stored;
  private final long[] ghosts;
  private final long[] present;
  // Whether dense ids ascend as original ones do, so that rows do.
  private final boolean ascending;
  private int[] inRow = new int[0];
  private int[] outRow = new int[0];
  private int[] neighbours = new int[64];
  private int size;

  /** The edges of the row in one direction. */
  private record Side(Csr csr, RowWindow window) {
    int begin(int vertex) {
      return csr.offsets()[vertex] - window.first();
    }

    int end(int vertex) {
      return csr.offsets()[vertex + 1] - window.first();
    }

    void open(int vertex) {
      window.open(csr, null, csr.offsets()[vertex], csr.offsets()[vertex + 1]);
    }
  }

  /**
   * @param ascending whether dense ids ascend with the original ones, as neighbours of a row do
   */
  MergedRow(GraphPartition partition, boolean ascending) {
    this.ascending = ascending;
    in = new Side(partition.inEdges(), new RowWindow());
    out = new Side(partition.outEdges(), new RowWindow());
    first = (int) partition.firstVertex();
    stored = partition.stored();
    ghosts = partition.ghostIds();
    present = partition.present();
  }

  /** Whether a local index is a vertex: an edge may name one that is not. */
  private boolean exists(int local) {
    return GraphPartition.exists(present, local);
  }

  private int dense(int local) {
    return local < stored ? first + local : (int) ghosts[local - stored];
  }

  /** Goes to the row of a vertex that is held here. */
  void load(int vertex) {
    size = 0;
    if (!exists(vertex)) {
      return;
    }
    in.open(vertex);
    out.open(vertex);
    if (!ascending) {
      loadSorted(vertex);
      return;
    }
    int[] sources = in.window().neighbours();
    int[] destinations = out.window().neighbours();
    int i = in.begin(vertex);
    int inEnd = in.end(vertex);
    int o = out.begin(vertex);
    int outEnd = out.end(vertex);
    if (Arrays.equals(sources, i, inEnd, destinations, o, outEnd)) {
      loadReciprocal(vertex, sources, i, inEnd);
      return;
    }
    int self = first + vertex;
    int nextIn = next(sources, i, inEnd);
    int nextOut = next(destinations, o, outEnd);
    while (nextIn != Integer.MAX_VALUE || nextOut != Integer.MAX_VALUE) {
      int neighbour = Math.min(nextIn, nextOut);
      int local = nextIn == neighbour ? sources[i] : destinations[o];
      boolean both = nextIn == nextOut;
      while (nextIn == neighbour) {
        nextIn = next(sources, ++i, inEnd);
      }
      while (nextOut == neighbour) {
        nextOut = next(destinations, ++o, outEnd);
      }
      if (neighbour != self && exists(local)) {
        add(neighbour, both);
      }
    }
  }

  /**
   * The same of a vertex whose edges come from where they go to, as in a graph without directions:
   * equal rows need no merge, and are compared many ends at a time.
   */
  private void loadReciprocal(int vertex, int[] ends, int from, int to) {
    int self = first + vertex;
    int last = self;
    for (int e = from; e < to; e++) {
      int neighbour = dense(ends[e]);
      if (neighbour != last && neighbour != self && exists(ends[e])) {
        add(neighbour, true);
      }
      last = neighbour;
    }
  }

  private void add(int neighbour, boolean both) {
    if (size == neighbours.length) {
      neighbours = Arrays.copyOf(neighbours, (int) Math.min(Integer.MAX_VALUE - 8, 2L * size));
    }
    neighbours[size++] = both ? ~neighbour : neighbour;
  }

  /** The same where rows are in another order than dense ids. */
  private void loadSorted(int vertex) {
    inRow = sorted(in, vertex, inRow);
    outRow = sorted(out, vertex, outRow);
    int inEnd = in.end(vertex) - in.begin(vertex);
    int outEnd = out.end(vertex) - out.begin(vertex);
    int i = 0;
    int o = 0;
    while (i < inEnd || o < outEnd) {
      int nextIn = i < inEnd ? inRow[i] : Integer.MAX_VALUE;
      int nextOut = o < outEnd ? outRow[o] : Integer.MAX_VALUE;
      int neighbour = Math.min(nextIn, nextOut);
      while (i < inEnd && inRow[i] == neighbour) {
        i++;
      }
      while (o < outEnd && outRow[o] == neighbour) {
        o++;
      }
      if (neighbour != first + vertex && neighbour != MISSING) {
        add(neighbour, nextIn == nextOut);
      }
    }
  }

  /** Dense ids of a row, ascending; those that are no vertices last. */
  private int[] sorted(Side side, int vertex, int[] buffer) {
    int[] others = side.window().neighbours();
    int from = side.begin(vertex);
    int count = side.end(vertex) - from;
    int[] row = buffer.length < count ? new int[count + count / 2] : buffer;
    for (int i = 0; i < count; i++) {
      int local = others[from + i];
      row[i] = exists(local) ? dense(local) : MISSING;
    }
    Arrays.sort(row, 0, count);
    return row;
  }

  /** The dense id at a position of a row; behind the end more than any. */
  private int next(int[] row, int position, int end) {
    if (position >= end) {
      return Integer.MAX_VALUE;
    }
    return dense(row[position]);
  }

  /** Number of neighbours. */
  int size() {
    return size;
  }

  /** Dense id of a neighbour. */
  int neighbour(int position) {
    int coded = neighbours[position];
    return coded < 0 ? ~coded : coded;
  }

  /** Whether edges go both ways between the vertex and a neighbour. */
  boolean reciprocal(int position) {
    return neighbours[position] < 0;
  }
}
