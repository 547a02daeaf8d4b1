package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.Components;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Labels every vertex with the smallest id of its connected component; edge directions do not count
 * ({@code org.apache.spark.graphx.lib.ConnectedComponents}).
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.ConnectedComponents}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class ConnectedComponents extends org.sparkgpugraph.algorithm.ConnectedComponents {
  private ConnectedComponents() {}

  /** Runs to the end. */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph) {
    return run(graph, Integer.MAX_VALUE);
  }

  /**
   * Runs at most {@code maxIterations} supersteps; {@link Integer#MAX_VALUE}: to the end.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int maxIterations) {
    return run(graph, maxIterations, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, int)}, with options. */
  public static <ED> Graph<Long, ED> run(
      Graph<?, ED> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.vertices().sparkContext(), maxIterations, options)
        ? Components.of(graph, options)
        : runProgram(graph, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ConnectedComponents#run(ResidentGraph, int, RunOptions)}.
   */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.ConnectedComponents.run(graph, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ConnectedComponents#explain(ResidentGraph, int,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.ConnectedComponents.explain(graph, maxIterations, options);
  }

  /** Runs the vertex program, superstep by superstep, also without a bound on them. */
  @SuppressWarnings("unchecked") // edges keep their attributes
  public static <ED> Graph<Long, ED> runProgram(
      Graph<?, ED> graph, int maxIterations, RunOptions options) {
    return GraphRuns.run(
        program(GpuPregel.on(graph, Object.class, Object.class), maxIterations, options));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ConnectedComponents#runProgram(ResidentGraph, int,
   * RunOptions)}.
   */
  public static VertexResult<Long> runProgram(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.ConnectedComponents.runProgram(
        graph, maxIterations, options);
  }
}
