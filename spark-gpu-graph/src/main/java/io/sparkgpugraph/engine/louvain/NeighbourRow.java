package io.sparkgpugraph.engine.louvain;

/** The neighbours of one vertex of a level, in any order, and more than once. Of one thread. */
final class NeighbourRow {
  /** Numbers of the neighbours, never the vertex itself. */
  int[] neighbours = new int[64];

  /** Weight of the connection, in units. */
  long[] weights = new long[64];

  /** Number of entries. */
  int size;

  /** Partition that the last row came from: the next one is probably there too. */
  int partition;

  /** Makes room for a row; it is empty then. */
  void reserve(int entries) {
    size = 0;
    if (entries > neighbours.length) {
      int room = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(entries, 2L * neighbours.length));
      neighbours = new int[room];
      weights = new long[room];
    }
  }
}
