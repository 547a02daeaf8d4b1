package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Single-source widest paths (SSWP): the largest width that a directed path from the source to each
 * vertex can have, where a path is as wide as its narrowest edge. {@code width(v) =
 * max(min(width(u), w(u, v)))} over the in-edges; {@link Double#POSITIVE_INFINITY} for the source
 * itself, 0 where there is no path.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.WidestPaths}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class WidestPaths extends org.sparkgpugraph.algorithm.WidestPaths {
  private WidestPaths() {}

  /**
   * Runs to the end.
   *
   * @param graph edge attributes are the widths
   * @throws IllegalArgumentException when the source is not a vertex, or a width is negative or NaN
   */
  public static Graph<Double, Double> run(Graph<?, Double> graph, long source, RunOptions options) {
    try (ResidentGraph<Object, Double> resident = GraphRuns.load(graph, Double.class, options)) {
      Sources.check(resident, source);
      RunOptions loaded = Sources.loaded(options);
      return WIDTHS.checked(
          resident, () -> GraphRuns.run(program(GpuPregel.on(resident), source, loaded)));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.WidestPaths#run(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.WidestPaths.run(graph, source, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.WidestPaths#explain(ResidentGraph, long, RunOptions)}.
   */
  public static String explain(ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.WidestPaths.explain(graph, source, options);
  }
}
