package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * The algorithms of the LDBC Graphalytics benchmark, with the values that its specification
 * (version 1.0) prescribes: breadth-first search, PageRank, weakly connected components, community
 * detection by label propagation, single-source shortest paths, local clustering coefficients. An
 * undirected graph has every edge in both directions.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Graphalytics}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class Graphalytics extends org.sparkgpugraph.algorithm.Graphalytics {
  /** Depth of a vertex that breadth-first search does not reach. */
  public static final long UNREACHABLE = org.sparkgpugraph.algorithm.Graphalytics.UNREACHABLE;

  /** The damping factor that the benchmark's graphs prescribe. */
  public static final double DAMPING = org.sparkgpugraph.algorithm.Graphalytics.DAMPING;

  private Graphalytics() {}

  /**
   * Breadth-first search: the number of edges on the shortest path over out-edges, {@link
   * #UNREACHABLE} where there is none. {@link Bfs} with another result.
   *
   * @throws IllegalArgumentException when the source is not a vertex
   */
  @SuppressWarnings("unchecked") // edges keep their attributes
  public static <ED> Graph<Long, ED> bfs(Graph<?, ED> graph, long source, RunOptions options) {
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options)) {
      Sources.check(resident, source);
      return GraphRuns.run(bfsProgram(GpuPregel.on(resident), source, Sources.loaded(options)));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#bfs(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Long> bfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.bfs(graph, source, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Graphalytics#explainBfs(ResidentGraph, long,
   * RunOptions)}.
   */
  public static String explainBfs(ResidentGraph<?, ?> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainBfs(graph, source, options);
  }

  /**
   * PageRank with the ranks of sinks spread over all vertices, a fixed number of times from {@code
   * 1/n}: {@code rank(v) = (1 − d)/n + d · Σ rank(u)/outDegree(u) + d/n · Σ rank(w)}, the first sum
   * over the in-edges, the second over the vertices without out-edges. The ranks' sum is 1. Every
   * superstep evaluates all edges.
   *
   * <p>{@link PageRank}, as GraphX's, starts at 1, keeps what sinks have, and scales the ranks to
   * the number of vertices in the end.
   *
   * @param iterations at least 1
   * @param damping d, in [0, 1]
   */
  public static Graph<Double, Object> pageRank(
      Graph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return GraphRuns.run(
        pageRankProgram(
            GpuPregel.on(graph, Object.class, Object.class), iterations, damping, options));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Graphalytics#pageRank(ResidentGraph, int, double,
   * RunOptions)}.
   */
  public static VertexResult<Double> pageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.pageRank(graph, iterations, damping, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Graphalytics#explainPageRank(ResidentGraph, int, double,
   * RunOptions)}.
   */
  public static String explainPageRank(
      ResidentGraph<?, ?> graph, int iterations, double damping, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainPageRank(
        graph, iterations, damping, options);
  }

  /**
   * Weakly connected components, labelled with their smallest id: {@link ConnectedComponents}. The
   * benchmark accepts any labels.
   */
  public static <ED> Graph<Long, ED> wcc(Graph<?, ED> graph, RunOptions options) {
    return ConnectedComponents.run(graph, Integer.MAX_VALUE, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#wcc(ResidentGraph, RunOptions)}. */
  public static VertexResult<Long> wcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.wcc(graph, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#explainWcc(ResidentGraph, RunOptions)}. */
  public static String explainWcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainWcc(graph, options);
  }

  /**
   * Community detection by label propagation (CDLP): a vertex starts with its id as its label, and
   * in each iteration all take, at the same time, the label that is most frequent among their
   * neighbours, of several the smallest. Neighbours are those of in- and of out-edges; who is both
   * counts twice. {@link LabelPropagation}, which has the same rules.
   *
   * <p>In an undirected graph, which has every edge in both directions, all count twice: the result
   * is that of counting once.
   *
   * @param iterations at least 1
   */
  public static <ED> Graph<Long, ED> cdlp(Graph<?, ED> graph, int iterations, RunOptions options) {
    Checks.iterations(iterations);
    return LabelPropagation.run(graph, iterations, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#cdlp(ResidentGraph, int, RunOptions)}. */
  public static VertexResult<Long> cdlp(
      ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.cdlp(graph, iterations, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Graphalytics#explainCdlp(ResidentGraph, int,
   * RunOptions)}.
   */
  public static String explainCdlp(ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainCdlp(graph, iterations, options);
  }

  /**
   * Lengths of the shortest paths over out-edges, {@link Double#POSITIVE_INFINITY} where there is
   * none: {@link Sssp}.
   *
   * @param graph edge attributes are the weights
   * @throws IllegalArgumentException when the source is not a vertex, or a weight is negative or
   *     NaN
   */
  public static Graph<Double, Double> sssp(
      Graph<?, Double> graph, long source, RunOptions options) {
    return Sssp.run(graph, source, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#sssp(ResidentGraph, long, RunOptions)}. */
  public static VertexResult<Double> sssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.sssp(graph, source, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Graphalytics#explainSssp(ResidentGraph, long,
   * RunOptions)}.
   */
  public static String explainSssp(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainSssp(graph, source, options);
  }

  /**
   * The local clustering coefficient: of the {@code d · (d − 1)} directed edges that there can be
   * among a vertex's d neighbours the share that there is; 0 where {@code d < 2}. Neighbours are
   * the ends of in-edges and out-edges, each once, without the vertex itself. An operator, no
   * vertex program: {@link org.sparkgpugraph.Neighborhoods} tells what it costs.
   */
  public static <ED> Graph<Double, ED> lcc(Graph<?, ED> graph, RunOptions options) {
    return GraphXRuns.run(
        OperatorJob.on(GraphXSource.of(graph, Object.class, Object.class), LCC, options));
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#lcc(ResidentGraph, RunOptions)}. */
  public static VertexResult<Double> lcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.lcc(graph, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Graphalytics#explainLcc(ResidentGraph, RunOptions)}. */
  public static String explainLcc(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.Graphalytics.explainLcc(graph, options);
  }
}
