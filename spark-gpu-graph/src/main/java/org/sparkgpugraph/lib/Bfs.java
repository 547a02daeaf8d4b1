package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Breadth-first search: the number of edges on the shortest directed path from the source to every
 * vertex.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Bfs}, which says how it works, with GraphX graphs
 * in and out.
 */
public final class Bfs extends org.sparkgpugraph.algorithm.Bfs {
  private Bfs() {}

  /**
   * Runs to the end.
   *
   * @param source id of the source
   * @throws IllegalArgumentException when the source is not a vertex
   */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph, long source) {
    return run(graph, source, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, long)}, with options. */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph, long source, RunOptions options) {
    return run(graph, source, Integer.MAX_VALUE, options);
  }

  /**
   * Runs at most {@code maxIterations} supersteps: levels up to it are found.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  @SuppressWarnings("unchecked")
  public static <ED> Graph<Integer, ED> run(
      Graph<?, ED> graph, long source, int maxIterations, RunOptions options) {
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options)) {
      Sources.check(resident, source);
      return GraphRuns.run(
          program(GpuPregel.on(resident), source, maxIterations, Sources.loaded(options)));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.Bfs#run(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Bfs.run(graph, source, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Bfs#run(ResidentGraph, long, int, RunOptions)}. */
  public static VertexResult<Integer> run(
      ResidentGraph<?, ?> graph, long source, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Bfs.run(graph, source, maxIterations, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Bfs#explain(ResidentGraph, long, int, RunOptions)}. */
  public static String explain(
      ResidentGraph<?, ?> graph, long source, int maxIterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Bfs.explain(graph, source, maxIterations, options);
  }
}
