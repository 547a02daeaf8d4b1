package org.sparkgpugraph.lib.learning;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Label propagation with soft labels: a probability for each of k labels at every vertex.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.learning.SoftLabels}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class SoftLabels extends org.sparkgpugraph.algorithm.learning.SoftLabels {
  private SoftLabels() {}

  /**
   * Runs until no element of a label changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first labels, k numbers of 0 or more; edge attributes
   *     the weights
   * @param k number of labels, 1 to {@value #MAX_LABELS}
   * @param alpha share of the neighbours, from 0 to 1
   * @param pull what has the rest
   * @param until when it ends, and how it runs
   * @return the graph with labels, {@code double[k]}: they add up to 1, or are 0
   * @throws IllegalArgumentException when a label or a weight is negative, NaN or infinite, arrays
   *     have not k elements, there is no vertex, or a change-driven run is asked for with {@link
   *     Pull#PREVIOUS} or an α of 1
   */
  public static Graph<double[], Double> run(
      Graph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    try (ResidentGraph<double[], Double> resident =
        GpuPregel.load(graph, double[].class, Double.class, options)) {
      var program = program(GpuPregel.on(resident), k, alpha, pull, until, Sources.loaded(options));
      check(resident, k);
      return GraphRuns.run(program);
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.SoftLabels#run(ResidentGraph, int, double, Pull,
   * Convergence, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.SoftLabels.run(
        graph, k, alpha, pull, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.SoftLabels#explain(ResidentGraph, int, double,
   * Pull, Convergence, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.SoftLabels.explain(
        graph, k, alpha, pull, until, options);
  }
}
