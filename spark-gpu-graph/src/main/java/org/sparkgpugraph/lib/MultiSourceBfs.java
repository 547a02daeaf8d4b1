package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Breadth-first searches from up to {@value #WIDTH} sources at once: which of them reach a vertex
 * over directed edges, and the sum of the numbers of edges from those that do. Closeness and
 * harmonic measures by sampled sources, reachability and diameters are made of it.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.MultiSourceBfs}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class MultiSourceBfs extends org.sparkgpugraph.algorithm.MultiSourceBfs {
  /** Sources of one run. */
  public static final int WIDTH = org.sparkgpugraph.algorithm.MultiSourceBfs.WIDTH;

  private MultiSourceBfs() {}

  /**
   * Runs to the end.
   *
   * @param sources ids of vertices, each once, at most {@value #WIDTH}
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there are
   *     none or more
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Reached, ED> run(
      Graph<?, ED> graph, long[] sources, RunOptions options) {
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options);
        ResidentGraph<Long, Object> marked = marked(resident, sources)) {
      return GraphRuns.run(program(GpuPregel.on(marked), Sources.loaded(options)));
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MultiSourceBfs#run(ResidentGraph, long[], RunOptions)}.
   */
  public static VertexResult<Reached> run(
      ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    return org.sparkgpugraph.algorithm.MultiSourceBfs.run(graph, sources, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MultiSourceBfs#explain(ResidentGraph, long[],
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long[] sources, RunOptions options) {
    return org.sparkgpugraph.algorithm.MultiSourceBfs.explain(graph, sources, options);
  }
}
