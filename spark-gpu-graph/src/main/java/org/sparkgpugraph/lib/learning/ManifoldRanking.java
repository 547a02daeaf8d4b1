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
 * Multi-manifold ranking (MMR): k rankings at once, each along weights of its own.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.learning.ManifoldRanking}, which says how it works,
 * with GraphX graphs in and out.
 */
public final class ManifoldRanking extends org.sparkgpugraph.algorithm.learning.ManifoldRanking {
  private ManifoldRanking() {}

  /** As the next one, with every edge in every step. */
  public static Graph<double[], double[]> run(
      Graph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return run(graph, k, alpha, Convergence.everyEdge(tolerance, maxIterations), options);
  }

  /**
   * Runs until no rank changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first ranks, edge attributes the weights: arrays of k
   * @param k number of rankings, 1 to {@value #MAX_RANKINGS}
   * @param alpha share of the neighbours, from 0 to 1
   * @param until when it ends, and how it runs
   * @return the graph with ranks, {@code double[k]}
   * @throws IllegalArgumentException when a rank is NaN or infinite, a weight is negative, NaN or
   *     infinite, weights of a vertex add up to infinity, arrays have not k elements, or there is
   *     no vertex
   */
  public static Graph<double[], double[]> run(
      Graph<double[], double[]> graph, int k, double alpha, Convergence until, RunOptions options) {
    try (ResidentGraph<double[], double[]> resident =
        GpuPregel.load(graph, double[].class, double[].class, options)) {
      boolean edges = resident.edgeCount() > 0;
      RunOptions loaded = Sources.loaded(options);
      var program = program(GpuPregel.on(resident), edges, k, alpha, until, loaded);
      check(resident, k);
      return GraphRuns.run(program);
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.ManifoldRanking#run(ResidentGraph, int, double,
   * double, int, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.ManifoldRanking.run(
        graph, k, alpha, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.ManifoldRanking#explain(ResidentGraph, int,
   * double, double, int, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.ManifoldRanking.explain(
        graph, k, alpha, tolerance, maxIterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.ManifoldRanking#run(ResidentGraph, int, double,
   * Convergence, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.ManifoldRanking.run(
        graph, k, alpha, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.ManifoldRanking#explain(ResidentGraph, int,
   * double, Convergence, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.ManifoldRanking.explain(
        graph, k, alpha, until, options);
  }
}
