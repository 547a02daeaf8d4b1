package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * A maximal independent set: vertices of which no two are neighbours, and to which none can be
 * added. Edge directions, parallel edges and self-loops do not count, so any graph will do.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.MaximalIndependentSet}, which says how it works,
 * with GraphX graphs in and out.
 */
public final class MaximalIndependentSet extends org.sparkgpugraph.algorithm.MaximalIndependentSet {
  private MaximalIndependentSet() {}

  /**
   * Runs to the end.
   *
   * @return whether each vertex is in the set
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Boolean, ED> run(Graph<?, ED> graph, long seed, RunOptions options) {
    return GraphRuns.run(program(GpuPregel.on(graph, Object.class, Object.class), seed, options));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MaximalIndependentSet#run(ResidentGraph, long,
   * RunOptions)}.
   */
  public static VertexResult<Boolean> run(
      ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.MaximalIndependentSet.run(graph, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MaximalIndependentSet#explain(ResidentGraph, long,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.MaximalIndependentSet.explain(graph, seed, options);
  }
}
