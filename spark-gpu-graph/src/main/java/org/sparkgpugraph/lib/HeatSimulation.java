package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Heat that flows along edges (HS), step by step, until nothing changes any more.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.HeatSimulation}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class HeatSimulation extends org.sparkgpugraph.algorithm.HeatSimulation {
  private HeatSimulation() {}

  /**
   * Runs until nothing changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first heats, edge attributes the conductances
   * @param tolerance 0 or more
   * @param maxIterations bound on the steps, at least 1
   * @throws IllegalArgumentException when a conductance is negative, NaN or infinite, or heats grow
   *     without end
   */
  public static Graph<Double, Double> run(
      Graph<Double, Double> graph, double tolerance, int maxIterations, RunOptions options) {
    return GraphRuns.observed(
        options,
        observed -> {
          var on = GpuPregel.on(graph, Double.class, Double.class);
          var program = program(on, tolerance, maxIterations, observed);
          return GraphRuns.checked(CONDUCTANCES, graph, options, () -> GraphRuns.run(program));
        },
        report -> {
          if (isUnstable(report)) {
            throw GraphRuns.loaded(graph, options, HeatSimulation::unstable);
          }
        });
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.HeatSimulation#run(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.HeatSimulation.run(graph, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.HeatSimulation#explain(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static String explain(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.HeatSimulation.explain(
        graph, tolerance, maxIterations, options);
  }
}
