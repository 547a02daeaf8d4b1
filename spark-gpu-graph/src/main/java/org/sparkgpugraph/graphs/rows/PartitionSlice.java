package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Workers;

/**
 * The edges that point into one range of dense ids. With a single partition these are the blocks
 * themselves; with several, copies.
 *
 * @param blocks the edges
 * @param positions per block, the position of each edge in the block that it came from; null: all
 *     edges, in place
 * @param first what destinations count from: the dense id of a row's vertex minus the row
 */
public record PartitionSlice(List<DenseBlock> blocks, List<int[]> positions, int first) {
  /** Edges that one thread takes at a time. */
  private static final int PART = 1 << 17;

  /** Both ends of a copy, and where it came from. */
  private static final long EDGE_BYTES = 3L * Integer.BYTES;

  /**
   * All edges.
   *
   * @param first first vertex of the range that all of them point into
   */
  public static PartitionSlice all(List<DenseBlock> blocks, int first) {
    return new PartitionSlice(blocks, null, first);
  }

  /** The edges whose destination is in {@code [from, to)}, in their order. */
  public static PartitionSlice of(List<DenseBlock> blocks, int from, int to, Workers workers) {
    int[] sizes = blocks.stream().mapToInt(DenseBlock::size).toArray();
    int[][] counts = new int[sizes.length][];
    Arrays.setAll(counts, b -> new int[parts(sizes[b]) + 1]);
    workers.forEachPart(
        sizes,
        PART,
        (b, start, end) ->
            counts[b][start / PART + 1] = count(blocks.get(b), start, end, from, to));
    DenseBlock[] slices = new DenseBlock[sizes.length];
    int[][] positions = new int[sizes.length][];
    workers.run(
        sizes.length,
        b -> {
          for (int part = 1; part < counts[b].length; part++) {
            counts[b][part] += counts[b][part - 1];
          }
          int size = counts[b][counts[b].length - 1];
          workers.acquire(EDGE_BYTES * size);
          slices[b] = new DenseBlock(size, new int[size], new int[size], null);
          positions[b] = new int[size];
        });
    workers.forEachPart(
        sizes,
        PART,
        (b, start, end) ->
            fill(
                blocks.get(b),
                start,
                end,
                from,
                to,
                slices[b],
                positions[b],
                counts[b][start / PART]));
    return new PartitionSlice(Arrays.asList(slices), Arrays.asList(positions), 0);
  }

  private static int parts(int size) {
    return (int) (((long) size + PART - 1) / PART);
  }

  private static int count(DenseBlock block, int start, int end, int from, int to) {
    int count = 0;
    for (int i = start; i < end; i++) {
      int destination = block.destination(i);
      count += destination >= from && destination < to ? 1 : 0;
    }
    return count;
  }

  private static void fill(
      DenseBlock block,
      int start,
      int end,
      int from,
      int to,
      DenseBlock slice,
      int[] positions,
      int first) {
    int next = first;
    for (int i = start; i < end; i++) {
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
  public long edges() {
    return DenseBlocks.edges(blocks);
  }

  /** Bytes of the heap that copies take, which the workers have reserved. */
  public long copiedBytes() {
    return positions == null ? 0 : EDGE_BYTES * edges();
  }

  /** Position, in the block that it came from, of edge {@code i} of block {@code b}. */
  int[] positions(int b) {
    return positions == null ? null : positions.get(b);
  }
}
