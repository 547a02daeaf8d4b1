package org.sparkgpugraph.graphs.rows;

/**
 * An edge block whose ends are known as dense ids: {@code map[index[i]]}, or {@code index[i]}
 * itself where {@code map} is null.
 *
 * @param size number of edges
 * @param sources {@code int[≥ size]}
 * @param destinations {@code int[≥ size]}
 * @param map dense id of every entry of the block's dictionary, or null
 */
public record DenseBlock(int size, int[] sources, int[] destinations, int[] map) {
  int source(int position) {
    return map == null ? sources[position] : map[sources[position]];
  }

  int destination(int position) {
    return map == null ? destinations[position] : map[destinations[position]];
  }
}
