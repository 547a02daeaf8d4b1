package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * A colouring: a number from 0 for every vertex, another one than those of its neighbours, at most
 * as large as the largest number of neighbours that a vertex has. Edge directions, parallel edges
 * and self-loops do not count, so any graph will do.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.GraphColouring}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class GraphColouring extends org.sparkgpugraph.algorithm.GraphColouring {
  private GraphColouring() {}

  /**
   * Runs to the end.
   *
   * @return the colour of each vertex, from 0
   */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph, long seed, RunOptions options) {
    return GraphRuns.run(program(GpuPregel.on(graph, Object.class, Object.class), seed, options));
  }

  /** As {@link org.sparkgpugraph.algorithm.GraphColouring#run(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.GraphColouring.run(graph, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.GraphColouring#explain(ResidentGraph, long, RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.GraphColouring.explain(graph, seed, options);
  }
}
