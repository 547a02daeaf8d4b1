package org.sparkgpugraph.engine.louvain;

import org.sparkgpugraph.engine.operator.RowWindow;

/** The neighbours of one vertex of a level, in any order, and more than once. Of one thread. */
final class NeighbourRow {
  /** Numbers of the neighbours, never the vertex itself. */
  int[] neighbours = new int[64];

  /** Weights of the connections, in units; not read where all are 1. */
  long[] weights = new long[0];

  /** Whether every weight is 1. */
  boolean unit;

  /** Number of entries. */
  int size;

  /** Edges that the row is read from. */
  final RowWindow edges = new RowWindow();

  /** Partition that the last row came from: the next one is probably there too. */
  int partition;

  /**
   * Makes room for a row; it is empty then.
   *
   * @param ones whether every weight is 1
   */
  void reserve(int entries, boolean ones) {
    size = 0;
    unit = ones;
    if (entries > neighbours.length) {
      neighbours = new int[room(entries, neighbours.length)];
    }
    if (!ones && entries > weights.length) {
      weights = new long[room(entries, weights.length)];
    }
  }

  private static int room(int entries, int had) {
    return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(entries, 2L * had));
  }

  /** Weight of an entry. */
  long weight(int entry) {
    return unit ? 1 : weights[entry];
  }
}
