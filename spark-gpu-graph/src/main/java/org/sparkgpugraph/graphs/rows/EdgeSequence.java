package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Edges in an order, of which any piece can be read: what rows are made from. A piece is read into
 * ints a few thousand at a time, so that the loops over edges are the same whatever the edges are
 * kept in. Thread-safe.
 */
public interface EdgeSequence {
  /** How many edges are read at a time: their ends stay in a core's first cache. */
  int CHUNK = 1 << 11;

  /** Number of edges; may be more than an array can have. */
  long size();

  /** Puts the ends that become rows of the edges from {@code first} on into {@code into}. */
  void rows(long first, int count, int[] into, int at);

  /** Puts the other ends into {@code into}, from its start on. */
  void neighbours(long first, int count, int[] into);

  /**
   * As {@link #rows(long, int, int[], int)}, for who wants those of a range only: in place of
   * others there may be anything outside of it.
   *
   * @param low the least end that is wanted
   * @param high what all wanted ones are below
   */
  default void rows(long first, int count, int low, int high, int[] into, int at) {
    rows(first, count, into, at);
  }

  /**
   * Puts the other ends of some of the edges {@code first}, …, {@code first + count − 1} into
   * {@code into}, from its start on.
   *
   * @param places how far each is behind the first one, ascending
   * @param some how many places there are
   * @param into has room for {@code count}
   */
  default void neighbours(long first, int count, int[] places, int some, int[] into) {
    neighbours(first, count, into);
    for (int i = 0; i < some; i++) {
      into[i] = into[places[i]];
    }
  }

  /** The edges of blocks, one block after the other: rows are destinations. */
  static EdgeSequence of(List<DenseBlock> blocks) {
    return new Blocks(blocks);
  }

  /** The edges of rows, one row after the other: their neighbours become rows. */
  static EdgeSequence of(Csr csr) {
    return new Rows(csr);
  }

  /** See {@link #of(List)}. */
  final class Blocks implements EdgeSequence {
    private final List<DenseBlock> blocks;
    private final BlockStarts starts;

    private Blocks(List<DenseBlock> blocks) {
      this.blocks = blocks;
      starts = new BlockStarts(blocks.size(), b -> blocks.get(b).size());
    }

    @Override
    public long size() {
      return starts.size();
    }

    @Override
    public void rows(long first, int count, int[] into, int at) {
      read(first, count, into, at, false);
    }

    @Override
    public void neighbours(long first, int count, int[] into) {
      read(first, count, into, 0, true);
    }

    private void read(long first, int count, int[] into, int at, boolean sources) {
      starts.read(
          first,
          count,
          (block, from, part, done) -> {
            DenseBlock of = blocks.get(block);
            int[] ends = sources ? of.sources() : of.destinations();
            if (of.map() == null) {
              System.arraycopy(ends, from, into, at + done, part);
            } else {
              translate(ends, from, part, of.map(), into, at + done);
            }
          });
    }

    private static void translate(int[] ends, int from, int count, int[] map, int[] into, int at) {
      for (int i = 0; i < count; i++) {
        into[at + i] = map[ends[from + i]];
      }
    }
  }

  /** See {@link #of(Csr)}. */
  final class Rows implements EdgeSequence {
    private final Csr csr;

    private Rows(Csr csr) {
      this.csr = csr;
    }

    @Override
    public long size() {
      return csr.edges();
    }

    @Override
    public void rows(long first, int count, int[] into, int at) {
      csr.neighbours((int) first, count, into, at);
    }

    @Override
    public void neighbours(long first, int count, int[] into) {
      csr.rowsOf((int) first, count, 0, into, 0);
    }
  }
}
