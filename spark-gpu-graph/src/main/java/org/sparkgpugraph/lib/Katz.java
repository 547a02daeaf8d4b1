package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Katz centrality (1953).
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Katz}, which says how it works, with GraphX graphs
 * in and out.
 */
public final class Katz extends org.sparkgpugraph.algorithm.Katz {
  private Katz() {}

  /**
   * Runs until convergence, or the bound on the iterations.
   *
   * @param alpha attenuation, 0 or more
   * @param beta what every vertex has for itself
   * @param tolerance 0 or more
   * @param maxIterations at least 1
   * @throws IllegalArgumentException when values grow without end
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Double, ED> run(
      Graph<?, ED> graph,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return GraphRuns.observed(
        options,
        observed ->
            GraphRuns.run(
                program(
                    GpuPregel.on(graph, Object.class, Object.class),
                    alpha,
                    beta,
                    tolerance,
                    maxIterations,
                    observed)),
        report -> requireConvergence(report, alpha));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Katz#run(ResidentGraph, double, double, double, int,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.Katz.run(
        graph, alpha, beta, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Katz#explain(ResidentGraph, double, double, double, int,
   * RunOptions)}.
   */
  public static String explain(
      ResidentGraph<?, ?> graph,
      double alpha,
      double beta,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.Katz.explain(
        graph, alpha, beta, tolerance, maxIterations, options);
  }
}
