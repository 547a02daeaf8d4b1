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
