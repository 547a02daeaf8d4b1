package io.sparkgpugraph.graph;

/** When a graph's rows are made. With several partitions, or shards, it is always {@link #NOW}. */
public enum RowsMade {
  /** While the graph is built. */
  NOW,
  /**
   * Where and when they are first needed, by a device or on the host; the arrays of the edges are
   * kept until the host has sorted them, but are somebody else's, and so are those of their values
   * where these are such as programs read.
   */
  LATER,
  /**
   * The same, of arrays that are kept for the graph alone: they are let go of, too, once the host
   * has made rows for programs that push.
   */
  LATER_OF_OWN
}
