package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Labels every vertex with the smallest id of its strongly connected component ({@code
 * org.apache.spark.graphx.lib.StronglyConnectedComponents}).
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.StronglyConnectedComponents}, which says how it
 * works, with GraphX graphs in and out.
 */
public final class StronglyConnectedComponents
    extends org.sparkgpugraph.algorithm.StronglyConnectedComponents {
  private StronglyConnectedComponents() {}

  /**
   * Runs at most {@code numIter} iterations.
   *
   * @param numIter at least 1; the number of components on the longest chain of them, and 1, is
   *     always enough
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int numIter) {
    return run(graph, numIter, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, int)}, with options. */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int numIter, RunOptions options) {
    Checks.iterations(numIter);
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Object> resident =
        GpuPregel.load(graph, Object.class, Object.class, options)) {
      if (isOperator(resident, numIter, loaded)) {
        return GraphXRuns.run(operator(resident, loaded));
      }
      try (ResidentGraph<Labelled, Object> labelled = labelled(resident, numIter, loaded)) {
        return GraphRuns.run(components(GpuPregel.on(labelled), loaded));
      }
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.StronglyConnectedComponents#run(ResidentGraph, int,
   * RunOptions)}.
   */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, int numIter, RunOptions options) {
    return org.sparkgpugraph.algorithm.StronglyConnectedComponents.run(graph, numIter, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.StronglyConnectedComponents#explain(ResidentGraph,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.StronglyConnectedComponents.explain(graph, options);
  }
}
