package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Voltages in a network of resistors (CS): {@code V(v) = Σ G(u, v) · V(u) / Σ G(u, v)} over the
 * in-edges, Jacobi's method for Kirchhoff's current law; G is a conductance. Vertices with a given
 * voltage keep it. A resistor is two edges, one in each direction.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.CircuitSimulation}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class CircuitSimulation extends org.sparkgpugraph.algorithm.CircuitSimulation {
  /** Attribute of a vertex whose voltage is to be computed. */
  public static final double FREE = org.sparkgpugraph.algorithm.CircuitSimulation.FREE;

  private CircuitSimulation() {}

  /**
   * Runs until nothing changes by more than the tolerance.
   *
   * @param graph vertex attributes are the given voltages, NaN where there is none; edge attributes
   *     the conductances
   * @param tolerance 0 or more
   * @param maxIterations bound on the supersteps, at least 1
   * @throws IllegalArgumentException when a conductance is negative, NaN or infinite, or those of
   *     the in-edges of a vertex without a given voltage add up to infinity, or the current into
   *     such a vertex is not finite
   */
  public static Graph<Double, Double> run(
      Graph<Double, Double> graph, double tolerance, int maxIterations, RunOptions options) {
    var on = GpuPregel.on(graph, Double.class, Double.class);
    var program = program(on, tolerance, maxIterations, options);
    return GraphRuns.checked(CONDUCTANCES, graph, options, () -> GraphRuns.run(program));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.CircuitSimulation#run(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.CircuitSimulation.run(
        graph, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.CircuitSimulation#explain(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static String explain(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.CircuitSimulation.explain(
        graph, tolerance, maxIterations, options);
  }
}
