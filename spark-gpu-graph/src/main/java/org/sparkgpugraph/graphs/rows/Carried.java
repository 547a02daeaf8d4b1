package org.sparkgpugraph.graphs.rows;

/**
 * What {@link RowSort} carries with each edge from where it was to its place among the rows: some
 * {@code long}s. Thread-safe, for different edges.
 */
interface Carried {
  /** How many longs it carries with each edge, at least 1. */
  default int longs() {
    return 1;
  }

  /** Whether it is put on the heap; then the neighbours are, too. */
  default boolean onHeap() {
    return true;
  }

  /**
   * The bits of some edges, those of one behind those of the other.
   *
   * @param first number of the first one in the order of the edges
   */
  void read(long first, int count, long[] into);

  /**
   * Makes room for all that will be {@linkplain #put put}; called before, and once.
   *
   * @param edges so many at most
   */
  void makeRoom(int edges);

  /**
   * Takes the bits of edges that are neighbours among the rows.
   *
   * @param first place of the first one
   * @param bits of each, from the array's start on
   */
  void put(int first, long[] bits, int count);
}
