package org.sparkgpugraph.run;

/** Which of its edges a vertex evaluates. */
public enum Gather {
  /** GraphX: exactly the edges that the active direction selects. */
  ACTIVE,
  /**
   * Warp segmentation, KiTES: a vertex of whose in-edges the active direction selects at least one
   * evaluates all its in-edges, and likewise its out-edges for messages to the source.
   */
  ALL
}
