package io.sparkgpugraph.graph;

import java.util.Arrays;
import java.util.List;

/**
 * The edges that point into one range of dense ids. With a single partition these are the blocks
 * themselves; with several, copies.
 *
 * @param blocks the edges
 * @param positions per block, the position of each edge in the block that it came from; null: all
 *     edges, in place
 * @param first what destinations count from: the dense id of a row's vertex minus the row
 */
record PartitionSlice(List<DenseBlock> blocks, List<int[]> positions, int first) {

  /**
   * All edges.
   *
   * @param first first vertex of the range that all of them point into
   */
  static PartitionSlice all(List<DenseBlock> blocks, int first) {
    return new PartitionSlice(blocks, null, first);
  }

  /** The edges whose destination is in {@code [from, to)}, in their order. */
  static PartitionSlice of(List<DenseBlock> blocks, int from, int to, Workers workers) {
    DenseBlock[] slices = new DenseBlock[blocks.size()];
    int[][] positions = new int[blocks.size()][];
    workers.run(
        slices.length,
        b -> {
          DenseBlock block = blocks.get(b);
          int size = 0;
          for (int i = 0; i < block.size(); i++) {
            int destination = block.destination(i);
            if (destination >= from && destination < to) {
              size++;
            }
          }
          slices[b] = new DenseBlock(size, new int[size], new int[size], null);
          positions[b] = new int[size];
          fill(block, from, to, slices[b], positions[b]);
        });
    return new PartitionSlice(Arrays.asList(slices), Arrays.asList(positions), 0);
  }

  private static void fill(DenseBlock block, int from, int to, DenseBlock slice, int[] positions) {
    int next = 0;
    for (int i = 0; i < block.size(); i++) {
      int destination = block.destination(i);
      if (destination >= from && destination < to) {
        slice.sources()[next] = block.source(i);
        slice.destinations()[next] = destination - from;
        positions[next] = i;
        next++;
      }
    }
  }

  /** Number of edges. */
  long edges() {
    return blocks.stream().mapToLong(DenseBlock::size).sum();
  }

  /** Position, in the block that it came from, of edge {@code i} of block {@code b}. */
  int[] positions(int b) {
    return positions == null ? null : positions.get(b);
  }
}
