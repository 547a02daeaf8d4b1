package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.graph.VertexIds;

/**
 * How one vertex partition of the source lays out its vertices: what a result is written by.
 *
 * @param rows {@code int[size]}: dense id of each vertex
 * @param slots where its value stands in the partition's array; null: in the order of {@code rows}
 * @param capacity length of the partition's array
 */
record VertexLayout(int[] rows, int[] slots, int capacity) {
  static VertexLayout of(VertexBlock block, VertexIds ids) {
    int[] rows = new int[block.size()];
    long[] original = block.ids();
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Math.toIntExact(ids.dense(original[i]));
    }
    return new VertexLayout(rows, block.slots(), block.capacity());
  }
}
