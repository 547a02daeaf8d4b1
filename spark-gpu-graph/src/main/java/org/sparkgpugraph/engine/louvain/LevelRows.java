package org.sparkgpugraph.engine.louvain;

/**
 * Who is connected with whom in a level: symmetric, each entry at both of its ends, of which this
 * executor holds those of a contiguous range of vertices. Thread-safe.
 */
interface LevelRows {
  /** Number of the first vertex that is held. */
  int first();

  /** Number behind that of the last vertex that is held. */
  int end();

  /** Puts the row of a vertex that is held into a buffer. */
  void load(int vertex, NeighbourRow into);
}
