package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Hubs and authorities (Kleinberg: Authoritative sources in a hyperlinked environment, 1999). From
 * hubs of 1, again and again: {@code authority(v) = Σ hub(u)} over the in-edges, {@code hub(v) = Σ
 * authority(w)} over the out-edges; the squares of the authorities add up to 1, and those of the
 * hubs.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Hits}, which says how it works, with GraphX graphs
 * in and out.
 */
public final class Hits extends org.sparkgpugraph.algorithm.Hits {
  private Hits() {}

  /**
   * A fixed number of iterations.
   *
   * @param iterations at least 1
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Scores, ED> run(Graph<?, ED> graph, int iterations, RunOptions options) {
    return GraphRuns.run(
        program(GpuPregel.on(graph, Object.class, Object.class), iterations, options));
  }

  /** As {@link org.sparkgpugraph.algorithm.Hits#run(ResidentGraph, int, RunOptions)}. */
  public static VertexResult<Scores> run(
      ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Hits.run(graph, iterations, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Hits#explain(ResidentGraph, int, RunOptions)}. */
  public static String explain(ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Hits.explain(graph, iterations, options);
  }
}
