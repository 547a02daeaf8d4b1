package org.sparkgpugraph.runtime.held;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;

/**
 * How one vertex partition of the source lays out its vertices, or those of them that a shard
 * holds: what a result is written by.
 *
 * @param rows {@code int[size]}: dense id of each vertex
 * @param slots where its value stands in the partition's array; null: in the order of {@code rows}
 * @param capacity length of the partition's array; 0 where another shard knows it
 */
public record VertexLayout(int[] rows, int[] slots, int capacity) {
  /** The layouts of whole partitions. */
  public static List<VertexLayout> of(List<VertexBlock> blocks, VertexIds ids, Workers workers) {
    List<VertexLayout> layouts =
        blocks.stream()
            .map(block -> new VertexLayout(new int[block.size()], block.slots(), block.capacity()))
            .toList();
    workers.forEachPart(
        blocks.stream().mapToInt(VertexBlock::size).toArray(),
        (index, from, to) -> {
          int[] rows = layouts.get(index).rows();
          long[] original = blocks.get(index).ids();
          for (int i = from; i < to; i++) {
            rows[i] = Math.toIntExact(ids.dense(original[i]));
          }
        });
    return layouts;
  }

  /** The layout of what one shard holds, which came in several blocks that have slots. */
  public static VertexLayout of(List<VertexBlock> blocks, int capacity, VertexIds ids) {
    int size = blocks.stream().mapToInt(VertexBlock::size).sum();
    int[] rows = new int[size];
    int[] slots = new int[size];
    int length = capacity;
    int next = 0;
    for (VertexBlock block : blocks) {
      fill(block, ids, rows, next);
      for (int i = 0; i < block.size(); i++) {
        slots[next++] = block.slot(i);
      }
      length = Math.max(length, block.capacity());
    }
    return new VertexLayout(rows, slots, length);
  }

  private static void fill(VertexBlock block, VertexIds ids, int[] rows, int from) {
    long[] original = block.ids();
    for (int i = 0; i < block.size(); i++) {
      rows[from + i] = Math.toIntExact(ids.dense(original[i]));
    }
  }
}
