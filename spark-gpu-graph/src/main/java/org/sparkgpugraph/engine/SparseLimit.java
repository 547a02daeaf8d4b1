package org.sparkgpugraph.engine;

import org.sparkgpugraph.run.KernelChoice;

/**
 * When a superstep is walked sparsely. A sparse superstep marks along the edges of the active
 * vertices and then gathers the rows that it marked, so it pays while they are a small part of all
 * edges.
 */
public final class SparseLimit {
  /** Sparse below this part of all edges, when the superstep before was dense … */
  private static final double ENTER = 1 / 24.0;

  /** … and as long as this is not exceeded: a change of kernel costs a cold cache. */
  private static final double STAY = 1 / 16.0;

  private SparseLimit() {}

  /**
   * Most active vertices and edges of theirs, added up, with which a superstep is sparse.
   *
   * @param before what the superstep before was
   * @param edges edges of the graph
   * @param vertices its vertices
   */
  public static long of(KernelChoice before, long edges, long vertices) {
    return (long) ((edges + vertices) * (before.isSparse() ? STAY : ENTER));
  }
}
