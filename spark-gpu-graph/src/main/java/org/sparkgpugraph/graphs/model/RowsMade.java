package org.sparkgpugraph.graphs.model;

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
   * The same, where no device can want the edges: the host lets go of them, too, once it has made
   * rows for programs that push.
   */
  LATER_ON_HOST,
  /** The same, of arrays that nobody but the graph has, whoever needs rows of them. */
  LATER_OF_OWN
}
