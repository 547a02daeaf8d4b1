package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Single-source shortest paths over non-negative edge weights: the length of the shortest directed
 * path from the source to every vertex, {@code d(v) = min(d(u) + w(u, v))} over the in-edges and 0
 * for the source; {@link Double#POSITIVE_INFINITY} where there is no path.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Sssp}, which says how it works, with GraphX graphs
 * in and out.
 */
public final class Sssp extends org.sparkgpugraph.algorithm.Sssp {
  private Sssp() {}

  /**
   * Runs to the end.
   *
   * @param graph edge attributes are the weights
   * @param source id of the source
   * @throws IllegalArgumentException when the source is not a vertex, or a weight is negative or
   *     NaN
   */
  public static Graph<Double, Double> run(Graph<?, Double> graph, long source) {
    return run(graph, source, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, long)}, with options. */
  public static Graph<Double, Double> run(Graph<?, Double> graph, long source, RunOptions options) {
    return run(graph, source, Integer.MAX_VALUE, options);
  }

  /**
   * Runs at most {@code maxIterations} supersteps: paths of at most that many edges are seen.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  public static Graph<Double, Double> run(
      Graph<?, Double> graph, long source, int maxIterations, RunOptions options) {
    try (ResidentGraph<Object, Double> resident = GraphRuns.load(graph, Double.class, options)) {
      Sources.check(resident, source);
      RunOptions loaded = Sources.loaded(options);
      return WEIGHTS.checked(
          resident,
          () -> GraphRuns.run(program(GpuPregel.on(resident), source, maxIterations, loaded)));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.Sssp#run(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Sssp.run(graph, source, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Sssp#run(ResidentGraph, long, int, RunOptions)}. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Sssp.run(graph, source, maxIterations, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Sssp#explain(ResidentGraph, long, int, RunOptions)}. */
  public static String explain(
      ResidentGraph<?, Double> graph, long source, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Sssp.explain(graph, source, maxIterations, options);
  }
}
