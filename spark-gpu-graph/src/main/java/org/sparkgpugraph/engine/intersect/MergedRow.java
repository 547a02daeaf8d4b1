package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The neighbourhood of one vertex after the other: those that an in-edge or an out-edge connects it
 * with, each once, without itself, ascending by dense id. Used by one thread.
 */
final class MergedRow {
  private final Csr in;
  private final Csr out;
  private final int first;
  private final int stored;
  private final long[] ghosts;
  private final long[] present;
  private int[] neighbours = new int[64];
  private int size;

  MergedRow(GraphPartition partition) {
    in = partition.inEdges();
    out = partition.outEdges();
    first = (int) partition.firstVertex();
    stored = partition.stored();
    ghosts = partition.ghostIds();
    present = partition.present();
  }

  /** Whether a local index is a vertex: an edge may name one that is not. */
  private boolean exists(int local) {
    return present == null || (present[local >>> 6] >>> local & 1) != 0;
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
    int i = in.offsets()[vertex];
    int inEnd = in.offsets()[vertex + 1];
    int o = out.offsets()[vertex];
    int outEnd = out.offsets()[vertex + 1];
    int self = first + vertex;
    int nextIn = next(in, i, inEnd);
    int nextOut = next(out, o, outEnd);
    while (nextIn != Integer.MAX_VALUE || nextOut != Integer.MAX_VALUE) {
      int neighbour = Math.min(nextIn, nextOut);
      int local = nextIn == neighbour ? in.neighbours()[i] : out.neighbours()[o];
      boolean both = nextIn == nextOut;
      while (nextIn == neighbour) {
        nextIn = next(in, ++i, inEnd);
      }
      while (nextOut == neighbour) {
        nextOut = next(out, ++o, outEnd);
      }
      if (neighbour != self && exists(local)) {
        if (size == neighbours.length) {
          neighbours = Arrays.copyOf(neighbours, (int) Math.min(Integer.MAX_VALUE - 8, 2L * size));
        }
        neighbours[size++] = both ? ~neighbour : neighbour;
      }
    }
  }

  /** The dense id at a position of a row; behind the end more than any. */
  private int next(Csr csr, int position, int end) {
    if (position >= end) {
      return Integer.MAX_VALUE;
    }
    return dense(csr.neighbours()[position]);
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
