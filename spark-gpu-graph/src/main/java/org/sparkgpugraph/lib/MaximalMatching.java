package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * A maximal matching: edges of which no two touch, and to which none can be added. Edge directions,
 * parallel edges and self-loops do not count, so any graph will do.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.MaximalMatching}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class MaximalMatching extends org.sparkgpugraph.algorithm.MaximalMatching {
  private MaximalMatching() {}

  /**
   * Runs to the end.
   *
   * @return the id of each vertex's partner; its own id where it has none
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, long seed, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Object> resident =
            GpuPregel.load(graph, Object.class, Object.class, options);
        VertexResult<Long> result = run(resident, seed, loaded)) {
      return GraphRuns.graph(resident, result, Long.class, loaded);
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MaximalMatching#run(ResidentGraph, long, RunOptions)}.
   */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.MaximalMatching.run(graph, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MaximalMatching#explain(ResidentGraph, long,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.MaximalMatching.explain(graph, seed, options);
  }
}
