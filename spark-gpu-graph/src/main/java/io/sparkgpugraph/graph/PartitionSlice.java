package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The edges that point into one range of dense ids. With a single partition these are the blocks
 * themselves; with several, copies.
 *
 * @param blocks the edges; destinations count from the first vertex of the range
 * @param positions per block, the position of each edge in the block that it came from; null: all
 *     edges, in place
 */
record PartitionSlice(List<DenseBlock> blocks, List<int[]> positions) {

  /** All edges. */
  static PartitionSlice all(List<DenseBlock> blocks) {
    return new PartitionSlice(blocks, null);
  }

  /** The edges whose destination is in {@code [from, to)}, in their order. */
  static PartitionSlice of(List<DenseBlock> blocks, int from, int to, boolean withPositions) {
    List<DenseBlock> slices = new ArrayList<>();
    List<int[]> positions = new ArrayList<>();
    for (DenseBlock block : blocks) {
      int size = 0;
      for (int i = 0; i < block.size(); i++) {
        int destination = block.destination(i);
        if (destination >= from && destination < to) {
          size++;
        }
      }
      int[] sources = new int[size];
      int[] destinations = new int[size];
      int[] position = withPositions ? new int[size] : null;
      int next = 0;
      for (int i = 0; i < block.size(); i++) {
        int destination = block.destination(i);
        if (destination >= from && destination < to) {
          sources[next] = block.source(i);
          destinations[next] = destination - from;
          if (withPositions) {
            position[next] = i;
          }
          next++;
        }
      }
      slices.add(new DenseBlock(size, sources, destinations, null));
      positions.add(position);
    }
    return new PartitionSlice(slices, positions);
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
