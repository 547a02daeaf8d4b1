package io.sparkgpugraph.engine;

/** Which of its edges a vertex evaluates. */
public enum Gather {
  /** GraphX: exactly the edges that the active direction selects. */
  ACTIVE,
  /**
   * Warp segmentation, KiTES: a vertex with at least one active neighbour evaluates all its edges.
   */
  ALL
}
