package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexIds;

/**
 * Edges by their original ids, one block after the other, whose dense ids are looked up whenever
 * they are read: nothing is kept of them, so that they may be more than the heap holds.
 */
public final class BlockSequence implements EdgeSequence {
  private final List<EdgeBlock> blocks;
  private final VertexIds ids;
  private final boolean identity;
  private final boolean turned;
  private final BlockStarts starts;

  /** Rows are destinations. */
  public BlockSequence(List<EdgeBlock> blocks, VertexIds ids) {
    this(blocks, ids, false);
  }

  /**
   * @param turned whether rows are sources; otherwise they are destinations
   */
  public BlockSequence(List<EdgeBlock> blocks, VertexIds ids, boolean turned) {
    this.blocks = List.copyOf(blocks);
    this.ids = ids;
    this.turned = turned;
    identity = ids instanceof IdentityVertexIds;
    starts = new BlockStarts(blocks.size(), b -> blocks.get(b).size());
  }

  @Override
  public long size() {
    return starts.size();
  }

  @Override
  public void rows(long first, int count, int[] into, int at) {
    read(first, count, into, at, turned);
  }

  @Override
  public void neighbours(long first, int count, int[] into) {
    read(first, count, into, 0, !turned);
  }

  @Override
  public void rows(long first, int count, int low, int high, int[] into, int at) {
    if (!ids.ascending() || low >= high || low <= 0 && high >= ids.size()) {
      rows(first, count, into, at);
      return;
    }
    // A comparison in place of a look-up for those that are not wanted.
    long least = low <= 0 ? Long.MIN_VALUE : ids.original(low);
    long most = high >= ids.size() ? Long.MAX_VALUE : ids.original(high) - 1;
    ends(
        first,
        count,
        turned,
        (block, from, part, done, ends) -> {
          for (int i = 0; i < part; i++) {
            boolean wanted = ends[i] >= least && ends[i] <= most;
            into[at + done + i] = wanted ? dense(ends[i], block, from + i) : low - 1;
          }
        });
  }

  @Override
  public void neighbours(long first, int count, int[] places, int some, int[] into) {
    int[] next = {0};
    ends(
        first,
        count,
        !turned,
        (block, from, part, done, ends) -> {
          int i = next[0];
          for (; i < some && places[i] < done + part; i++) {
            int at = places[i] - done;
            into[i] = dense(ends[at], block, from + at);
          }
          next[0] = i;
        });
  }

  private void read(long first, int count, int[] into, int at, boolean sources) {
    ends(
        first,
        count,
        sources,
        (block, from, part, done, ends) -> {
          for (int i = 0; i < part; i++) {
            into[at + done + i] = dense(ends[i], block, from + i);
          }
        });
  }

  /** Takes the ids of ends of some edges that lie in one block. */
  private interface Ends {
    /**
     * @param from the first of the edges, in the block
     * @param part how many there are
     * @param done those of blocks before
     * @param ends the ids are first in it
     */
    void take(EdgeBlock block, int from, int part, int done, long[] ends);
  }

  private void ends(long first, int count, boolean sources, Ends to) {
    long[] ends = new long[count];
    starts.read(
        first,
        count,
        (b, from, part, done) -> {
          EdgeBlock block = blocks.get(b);
          block.ends(sources, from, part, ends);
          to.take(block, from, part, done, ends);
        });
  }

  private int dense(long id, EdgeBlock block, int position) {
    long dense = identity && id >= 0 && id < ids.size() ? id : ids.dense(id);
    if (dense < 0) {
      throw DenseBlocks.stranger(block, position);
    }
    return (int) dense;
  }
}
