package org.sparkgpugraph.lib.support;

import org.apache.spark.graphx.Graph;

/** Graphs that are computed before what they are made of goes. */
public final class Materialized {
  private Materialized() {}

  /** Caches and computes a graph; where that fails nothing of it stays cached. */
  public static <VD, ED> Graph<VD, ED> of(Graph<VD, ED> graph) {
    graph.cache();
    try {
      graph.vertices().count();
      graph.edges().count();
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      graph.unpersist(false);
      throw e;
    }
    return graph;
  }
}
