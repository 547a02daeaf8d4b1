package org.sparkgpugraph.lib;

import java.util.OptionalLong;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * PageRank along edge weights.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.WeightedPageRank}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class WeightedPageRank extends org.sparkgpugraph.algorithm.WeightedPageRank {
  private WeightedPageRank() {}

  /**
   * A fixed number of iterations.
   *
   * @param graph edge attributes are the weights
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   * @throws IllegalArgumentException when a weight is negative, NaN or infinite, or those of a
   *     vertex's out-edges add up to infinity
   */
  public static Graph<Double, Double> run(
      Graph<?, Double> graph, int numIter, double resetProb, RunOptions options) {
    return run(graph, numIter, resetProb, OptionalLong.empty(), options);
  }

  /**
   * A fixed number of iterations, personalised when a source is given.
   *
   * @param srcId vertex that random jumps lead to; empty: all
   * @throws IllegalArgumentException as above, and when the source is no vertex
   */
  public static Graph<Double, Double> run(
      Graph<?, Double> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    check(numIter, resetProb);
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Double> resident =
            GpuPregel.loadWithEdgeAttributes(graph, Object.class, Double.class, options);
        ResidentGraph<Double, Double> weighed = weighed(resident, srcId, loaded)) {
      return GraphRuns.run(program(GpuPregel.on(weighed), numIter, resetProb, srcId, loaded));
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.WeightedPageRank#run(ResidentGraph, int, double,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, int numIter, double resetProb, RunOptions options) {
    return org.sparkgpugraph.algorithm.WeightedPageRank.run(graph, numIter, resetProb, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.WeightedPageRank#run(ResidentGraph, int, double,
   * OptionalLong, RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.WeightedPageRank.run(
        graph, numIter, resetProb, srcId, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.WeightedPageRank#explain(ResidentGraph, int, double,
   * OptionalLong, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<?, Double> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.WeightedPageRank.explain(
        graph, numIter, resetProb, srcId, options);
  }
}
