package org.sparkgpugraph.graphs.rows;

/**
 * What {@link RowSort} carries with each edge from where it was to its place among the rows: 64
 * bits. Thread-safe, for different edges.
 */
interface Carried {
  /**
   * The bits of some edges.
   *
   * @param first number of the first one in the order of the edges
   */
  void read(long first, int count, long[] into);

  /** Makes room for all that will be {@linkplain #put put}; called before, and once. */
  void makeRoom();

  /**
   * Takes the bits of edges that are neighbours among the rows.
   *
   * @param first place of the first one
   * @param bits of each, from the array's start on
   */
  void put(int first, long[] bits, int count);
}
