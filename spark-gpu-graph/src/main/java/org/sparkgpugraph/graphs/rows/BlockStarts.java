package org.sparkgpugraph.graphs.rows;

import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.graphs.memory.BinarySearch;

/** Where blocks of edges begin that stand one behind the other. */
final class BlockStarts {
  private final long[] starts;

  /**
   * @param size of each block
   */
  BlockStarts(int blocks, IntUnaryOperator size) {
    starts = new long[blocks + 1];
    for (int b = 0; b < blocks; b++) {
      starts[b + 1] = starts[b] + size.applyAsInt(b);
    }
  }

  /** Edges of a block that are among those that are read. */
  @FunctionalInterface
  interface Piece {
    /**
     * @param from the first of them in the block
     * @param done how many have been read before them
     */
    void read(int block, int from, int count, int done);
  }

  /** Number of edges. */
  long size() {
    return starts[starts.length - 1];
  }

  /** Reads edges that may be in several blocks. */
  void read(long first, int count, Piece piece) {
    int block = BinarySearch.first(0, starts.length - 2, b -> starts[b + 1] > first);
    for (int done = 0; done < count; block++) {
      int from = (int) (first + done - starts[block]);
      int part = (int) Math.min(count - done, starts[block + 1] - first - done);
      piece.read(block, from, part, done);
      done += part;
    }
  }
}
