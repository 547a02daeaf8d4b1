package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Activation of a neural network (NN) whose vertices are neurons and whose edges are weighted
 * connections: {@code x(v) = tanh(Σ w(u, v) · x(u))} over the in-edges, again and again. A neuron
 * without in-edges is an input and keeps its value.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.NeuralNetwork}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class NeuralNetwork extends org.sparkgpugraph.algorithm.NeuralNetwork {
  private NeuralNetwork() {}

  /**
   * Runs until nothing changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first values, edge attributes the weights
   * @param tolerance 0 or more
   * @param maxIterations bound on the supersteps, at least 1: feedback may swing for ever
   * @throws IllegalArgumentException when a weight is NaN or infinite, or what a neuron adds up is
   *     NaN: first values are, or are infinite, or weights are too large
   */
  public static Graph<Double, Double> run(
      Graph<Double, Double> graph, double tolerance, int maxIterations, RunOptions options) {
    var on = GpuPregel.on(graph, Double.class, Double.class);
    var program = program(on, tolerance, maxIterations, options);
    return GraphRuns.checked(WEIGHTS, graph, options, () -> GraphRuns.run(program));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.NeuralNetwork#run(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.NeuralNetwork.run(graph, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.NeuralNetwork#explain(ResidentGraph, double, int,
   * RunOptions)}.
   */
  public static String explain(
      ResidentGraph<Double, Double> graph,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.NeuralNetwork.explain(
        graph, tolerance, maxIterations, options);
  }
}
