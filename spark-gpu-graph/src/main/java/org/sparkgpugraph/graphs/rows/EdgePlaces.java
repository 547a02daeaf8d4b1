package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Workers;

/**
 * Where each edge of some blocks is among the rows that are made of them: edges carry their
 * numbers, which run through the blocks.
 */
final class EdgePlaces implements Carried {
  /** Numbers that share a hint: blocks are rarely smaller. */
  private static final int HINT_SHIFT = 12;

  private final List<DenseBlock> blocks;
  private final int[][] byBlock;
  private final int[] starts;

  /** The block of the first number of so many. */
  private final int[] hints;

  /**
   * @param blocks fewer than 2³¹ edges
   * @param workers reserve the places
   */
  EdgePlaces(List<DenseBlock> blocks, Workers workers) {
    workers.acquire(Integer.BYTES * DenseBlocks.edges(blocks));
    byBlock = new int[blocks.size()][];
    starts = new int[blocks.size() + 1];
    for (int b = 0; b < byBlock.length; b++) {
      starts[b + 1] = Math.addExact(starts[b], blocks.get(b).size());
    }
    this.blocks = blocks;
    hints = new int[(starts[byBlock.length] >>> HINT_SHIFT) + 1];
    for (int h = 0, b = 0; h < hints.length; h++) {
      while (b < byBlock.length - 1 && starts[b + 1] <= h << HINT_SHIFT) {
        b++;
      }
      hints[h] = b;
    }
  }

  @Override
  public void read(long first, int count, long[] into) {
    for (int e = 0; e < count; e++) {
      into[e] = first + e;
    }
  }

  @Override
  public void makeRoom(int edges) {
    Arrays.setAll(byBlock, b -> new int[blocks.get(b).size()]);
  }

  @Override
  public void put(int first, long[] numbers, int count) {
    for (int e = 0; e < count; e++) {
      int number = (int) numbers[e];
      int block = hints[number >>> HINT_SHIFT];
      while (number >= starts[block + 1]) {
        block++;
      }
      byBlock[block][number - starts[block]] = first + e;
    }
  }

  /** Per block, the place of each edge. */
  int[][] byBlock() {
    return byBlock;
  }
}
