package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Betweenness centrality from some sources: for each vertex the share of shortest paths that lead
 * through it.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Betweenness}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class Betweenness extends org.sparkgpugraph.algorithm.Betweenness {
  private Betweenness() {}

  /**
   * Runs once per source.
   *
   * @param sources ids of vertices, each once
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there is
   *     none
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Double, ED> run(Graph<?, ED> graph, long[] sources, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Object> resident =
            GpuPregel.load(graph, Object.class, Object.class, options);
        ResidentGraph<Forward, Object> swept = sweptButLast(resident, sources, loaded)) {
      return GraphRuns.run(totals(GpuPregel.on(swept), last(sources), 1.0, loaded));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.Betweenness#run(ResidentGraph, long[], RunOptions)}. */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    return org.sparkgpugraph.algorithm.Betweenness.run(graph, sources, options);
  }

  /**
   * An estimate for all vertices as sources: the sum over some, drawn uniformly without
   * replacement, times the number of vertices per drawn one.
   *
   * @param sources how many are drawn; as many as there are vertices: exact
   * @param seed of the draw, which depends on the ids alone beside it
   * @throws IllegalArgumentException when that is less than 1, or more than there are vertices
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Double, ED> sampled(
      Graph<?, ED> graph, int sources, long seed, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Object> resident =
        GpuPregel.load(graph, Object.class, Object.class, options)) {
      long[] drawn = draw(resident, sources, seed, loaded);
      try (ResidentGraph<Forward, Object> swept = sweptButLast(resident, drawn, loaded)) {
        return GraphRuns.run(
            totals(GpuPregel.on(swept), last(drawn), share(resident, drawn), loaded));
      }
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Betweenness#sampled(ResidentGraph, int, long,
   * RunOptions)}.
   */
  public static VertexResult<Double> sampled(
      ResidentGraph<?, ?> graph, int sources, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.Betweenness.sampled(graph, sources, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Betweenness#explainSampled(ResidentGraph, int, long,
   * RunOptions)}.
   */
  public static String explainSampled(
      ResidentGraph<?, ?> graph, int sources, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.Betweenness.explainSampled(graph, sources, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Betweenness#explain(ResidentGraph, long[], RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    return org.sparkgpugraph.algorithm.Betweenness.explain(graph, sources, options);
  }
}
