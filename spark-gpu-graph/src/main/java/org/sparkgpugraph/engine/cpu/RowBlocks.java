package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows of all partitions cut into blocks of about equal work, which threads take one after the
 * other. Blocks start at multiples of 64 rows, so that no two threads write into one word of a
 * bitmap. They are the same for every number of threads.
 */
final class RowBlocks {
  /**
   * Work of a block, in edges. A block takes some 20 µs: long against taking it, short against a
   * superstep; and a kernel is called often enough to be compiled within its first superstep.
   */
  static final int TARGET = 16_384;

  /** What a row costs beside its edges, in edges. */
  private static final int ROW = 4;

  private int count;
  private int[] partitions = new int[64];
  private int[] from = new int[64];
  private int[] to = new int[64];
  private long[] work = new long[64];
  private long total;
  private int[] order;

  /** Adds the rows of a partition; offsets of a side that is not pulled are null. */
  void add(int partition, int rows, int[] inOffsets, int[] outOffsets) {
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
      append(partition, start, end, sum);
      start = end;
    }
  }

  private static long edges(int[] offsets, int from, int to) {
    return offsets == null ? 0 : offsets[to] - offsets[from];
  }

  private void append(int partition, int start, int end, long sum) {
    if (count == from.length) {
      partitions = Arrays.copyOf(partitions, 2 * count);
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      work = Arrays.copyOf(work, 2 * count);
    }
    partitions[count] = partition;
    from[count] = start;
    to[count] = end;
    work[count++] = sum;
    total += sum;
  }

  /**
   * Puts blocks with hubs first: while a long block that is taken last runs, other threads idle.
   */
  void order() {
    IntStream large = IntStream.range(0, count).filter(b -> work[b] > 2L * TARGET);
    IntStream other = IntStream.range(0, count).filter(b -> work[b] <= 2L * TARGET);
    order =
        IntStream.concat(
                large.boxed().sorted((a, b) -> Long.compare(work[b], work[a])).mapToInt(b -> b),
                other)
            .toArray();
  }

  int count() {
    return count;
  }

  /** Work of all blocks, in edges. */
  long total() {
    return total;
  }

  /** The block to take as the i-th. */
  int block(int i) {
    return order[i];
  }

  int partition(int block) {
    return partitions[block];
  }

  int from(int block) {
    return from[block];
  }

  int to(int block) {
    return to[block];
  }
}
