package io.sparkgpugraph.graph;

/** When a graph's rows are made. With several partitions, or shards, it is always {@link #NOW}. */
public enum RowsMade {
  /** While the graph is built. */
  NOW,
  /**
   * Where and when they are first needed, by a device or on the host; the arrays of the edges are
   * kept until the host has sorted them, but are somebody else's.
   */
  LATER,
  /** The same, of arrays that are kept for the graph alone. */
  LATER_OF_OWN
}
