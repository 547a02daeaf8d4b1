package org.sparkgpugraph.engine.cpu.frame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rows of all partitions cut into blocks of about equal work, which threads take one after the
 * other. Blocks start at multiples of 64 rows, so that no two threads write into one word of a
 * bitmap. They are the same for every number of threads.
 */
public final class RowBlocks {
  /**
   * Work of a block, in edges. A block takes some 20 µs: long against taking it, short against a
   * superstep; and a kernel is called often enough to be compiled within its first superstep.
   */
  public static final int TARGET = 16_384;

  /** What a row costs beside its edges, in edges. */
  private static final int ROW = 4;

  /**
   * Rows {@code [from, to)} of a partition.
   *
   * @param number ascends with the rows
   */
  public record Block(int number, int partition, int from, int to, long work) {}

  private final List<Block> blocks = new ArrayList<>();
  private long total;

  /** Adds the rows of a partition; offsets of a side that is not pulled are null. */
  public void add(int partition, int rows, int[] inOffsets, int[] outOffsets) {
    int start = 0;
    while (start < rows) {
      int end = start;
      long sum = 0;
      do {
        int next = (int) Math.min(rows, end + 64L);
        sum += edges(inOffsets, end, next) + edges(outOffsets, end, next);
        sum += (long) ROW * (next - end);
        end = next;
      } while (end < rows && sum < TARGET);
      blocks.add(new Block(blocks.size(), partition, start, end, sum));
      total += sum;
      start = end;
    }
  }

  private static long edges(int[] offsets, int from, int to) {
    return offsets == null ? 0 : offsets[to] - offsets[from];
  }

  /**
   * Puts blocks with hubs first: while a long block that is taken last runs, other threads idle.
   */
  public void order() {
    blocks.sort(Comparator.comparingLong(block -> block.work > 2L * TARGET ? -block.work : 0));
  }

  public int count() {
    return blocks.size();
  }

  /** Work of all blocks, in edges. */
  public long total() {
    return total;
  }

  /** The block to take as the i-th. */
  public Block block(int i) {
    return blocks.get(i);
  }
}
