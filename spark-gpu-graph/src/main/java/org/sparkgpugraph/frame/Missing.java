package org.sparkgpugraph.frame;

/** What to do with an edge an end of which is no vertex. */
public enum Missing {
  /** The graph is refused, with an example. */
  ERROR,
  /** The end becomes a vertex whose columns are null. */
  ADD,
  /** The edge is left out of what algorithms see. */
  DROP
}
