package org.sparkgpugraph.lib;

import java.util.OptionalLong;
import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * PageRank, with GraphX's signatures and results ({@code org.apache.spark.graphx.lib.PageRank}).
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.PageRank}, which says how it works, with GraphX
 * graphs in and out.
 *
 * <p>Differences from GraphX: a source that is no vertex is an error, and {@link
 * #runParallelPersonalizedPageRank(Graph, int, double, long[])} is right where GraphX's is not.
 *
 * <p>The result's edge attribute is {@code 1 / outDegree(source)}, as GraphX's is.
 */
public final class PageRank extends org.sparkgpugraph.algorithm.PageRank {
  /** GraphX's default probability of a random jump. */
  public static final double RESET_PROBABILITY =
      org.sparkgpugraph.algorithm.PageRank.RESET_PROBABILITY;

  private PageRank() {}

  /** A fixed number of iterations, reset probability 0.15. */
  public static Graph<Double, Double> run(Graph<?, ?> graph, int numIter) {
    return run(graph, numIter, RESET_PROBABILITY);
  }

  /**
   * A fixed number of iterations.
   *
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   */
  public static Graph<Double, Double> run(Graph<?, ?> graph, int numIter, double resetProb) {
    return runWithOptions(graph, numIter, resetProb, OptionalLong.empty(), true);
  }

  /**
   * A fixed number of iterations, personalised when a source is given.
   *
   * @param srcId vertex that random jumps lead to; empty: all
   * @param normalized whether to scale the sum of the ranks
   * @throws IllegalArgumentException when the source is no vertex (GraphX gives NaN for all then)
   */
  public static Graph<Double, Double> runWithOptions(
      Graph<?, ?> graph, int numIter, double resetProb, OptionalLong srcId, boolean normalized) {
    return runWithOptions(graph, numIter, resetProb, srcId, normalized, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runWithOptions(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return from(
        graph,
        Object.class,
        srcId,
        options,
        (on, how) -> GraphRuns.runWeighted(fixed(on, numIter, resetProb, srcId, normalized, how)));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#run(ResidentGraph, int, double, RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph, int numIter, double resetProb, RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.run(graph, numIter, resetProb, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#run(ResidentGraph, int, double, OptionalLong,
   * RunOptions)}.
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.run(graph, numIter, resetProb, srcId, options);
  }

  /** Until no vertex changes by more than {@code tol}, reset probability 0.15. */
  public static Graph<Double, Double> runUntilConvergence(Graph<?, ?> graph, double tol) {
    return runUntilConvergence(graph, tol, RESET_PROBABILITY);
  }

  /**
   * Until no vertex changes by more than {@code tol}.
   *
   * @param tol tolerance, not negative; far below 1e-12 rounding may keep ranks changing for ever
   * @param resetProb probability of a random jump, in [0, 1]
   */
  public static Graph<Double, Double> runUntilConvergence(
      Graph<?, ?> graph, double tol, double resetProb) {
    return runUntilConvergenceWithOptions(graph, tol, resetProb, OptionalLong.empty());
  }

  /**
   * Until convergence, personalised when a source is given.
   *
   * @throws IllegalArgumentException when the source is no vertex (GraphX gives NaN for all then)
   */
  public static Graph<Double, Double> runUntilConvergenceWithOptions(
      Graph<?, ?> graph, double tol, double resetProb, OptionalLong srcId) {
    return runUntilConvergenceWithOptions(graph, tol, resetProb, srcId, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runUntilConvergenceWithOptions(
      Graph<?, ?> graph, double tol, double resetProb, OptionalLong srcId, RunOptions options) {
    Checks.tolerance(tol);
    check(resetProb);
    return from(
        graph,
        Object.class,
        srcId,
        options,
        (on, how) -> GraphRuns.runWeighted(converging(on, tol, resetProb, srcId, how)));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#runUntilConvergence(ResidentGraph, double,
   * double, RunOptions)}.
   */
  public static VertexResult<Double> runUntilConvergence(
      ResidentGraph<?, ?> graph, double tol, double resetProb, RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.runUntilConvergence(graph, tol, resetProb, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#runUntilConvergence(ResidentGraph, double,
   * double, OptionalLong, RunOptions)}.
   */
  public static VertexResult<Double> runUntilConvergence(
      ResidentGraph<?, ?> graph,
      double tol,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.runUntilConvergence(
        graph, tol, resetProb, srcId, options);
  }

  /**
   * A fixed number of iterations that go on from earlier ranks, as GraphX does it: only the number
   * of vertices of {@code graphs} is looked at; edges and their weights are those of {@code
   * preRankGraph}, the result of an earlier run.
   *
   * @param preRankGraph vertex attributes are the first ranks, edge attributes the weights 1 /
   *     outDegree
   * @throws IllegalArgumentException when the graphs have different numbers of vertices, or the
   *     source is no vertex of {@code preRankGraph}
   */
  public static Graph<Double, Double> runWithOptionsWithPreviousPageRank(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      Graph<Double, Double> preRankGraph) {
    return runWithOptionsWithPreviousPageRank(
        graph, numIter, resetProb, srcId, normalized, preRankGraph, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runWithOptionsWithPreviousPageRank(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      Graph<Double, Double> preRankGraph,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    long vertices = graph.vertices().count();
    long ranked = preRankGraph.vertices().count();
    if (vertices != ranked) {
      throw new IllegalArgumentException(
          "Graph and previous pageRankGraph must have the same number of vertices but got "
              + vertices
              + " and "
              + ranked);
    }
    return from(
        preRankGraph,
        Double.class,
        srcId,
        options,
        (on, how) -> GraphRuns.run(continued(on, numIter, resetProb, srcId, normalized, how)));
  }

  /** A variant: from a graph and how its run is carried out to ranks. */
  private interface Variant<A> {
    Graph<Double, Double> run(PregelBuilder<A, A, A, Object, A> on, RunOptions options);
  }

  /**
   * Runs on a GraphX graph. Where there is a source the graph is loaded before the run for a look
   * at it; but not where stock GraphX runs, which looks for it in the GraphX graph.
   *
   * @param type of the vertices' and the edges' attributes
   * @throws IllegalArgumentException when the source is no vertex
   */
  private static <A> Graph<Double, Double> from(
      Graph<?, ?> graph,
      Class<A> type,
      OptionalLong srcId,
      RunOptions options,
      Variant<A> variant) {
    boolean stock = OperatorJob.asksForStock(graph.vertices().sparkContext(), options);
    if (stock && srcId.isPresent()) {
      GraphRuns.check(graph, srcId.getAsLong());
    }
    if (stock || srcId.isEmpty()) {
      return variant.run(GpuPregel.on(graph, type, type), options);
    }
    try (ResidentGraph<A, A> resident = GpuPregel.load(graph, type, type, options)) {
      Sources.check(resident, srcId.getAsLong());
      return variant.run(GpuPregel.on(resident), Sources.loaded(options));
    }
  }

  /**
   * Personalised ranks for several sources, each as {@link #runWithOptions} gives it for one:
   * component i of a vertex's vector is its rank for source i. {@value
   * ParallelPersonalizedPageRank#WIDTH} sources share one run; more take more. GraphX's own (3.5
   * and 4.0) gives other values on most graphs, because vectors that changed may count as
   * unchanged: docs/compatibility.md.
   *
   * @param sources ids of vertices, each once (GraphX takes any, and lets the last of equal ones
   *     win)
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there is
   *     none
   */
  public static Graph<Vector, Double> runParallelPersonalizedPageRank(
      Graph<?, ?> graph, int numIter, double resetProb, long[] sources) {
    return runParallelPersonalizedPageRank(graph, numIter, resetProb, sources, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Vector, Double> runParallelPersonalizedPageRank(
      Graph<?, ?> graph, int numIter, double resetProb, long[] sources, RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return ParallelPersonalizedPageRank.run(graph, numIter, resetProb, sources, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#runParallelPersonalizedPageRank(ResidentGraph,
   * int, double, long[], RunOptions)}.
   */
  public static VertexResult<double[]> runParallelPersonalizedPageRank(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.runParallelPersonalizedPageRank(
        graph, numIter, resetProb, sources, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#explain(ResidentGraph, int, double,
   * RunOptions)}.
   */
  public static String explain(
      ResidentGraph<?, ?> graph, int numIter, double resetProb, RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.explain(graph, numIter, resetProb, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#explainUntilConvergence(ResidentGraph, double,
   * double, RunOptions)}.
   */
  public static String explainUntilConvergence(
      ResidentGraph<?, ?> graph, double tol, double resetProb, RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.explainUntilConvergence(
        graph, tol, resetProb, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.PageRank#explainWithPreviousPageRank(ResidentGraph, int,
   * double, RunOptions)}.
   */
  public static String explainWithPreviousPageRank(
      ResidentGraph<Double, Double> preRankGraph,
      int numIter,
      double resetProb,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.explainWithPreviousPageRank(
        preRankGraph, numIter, resetProb, options);
  }

  /**
   * As {@link
   * org.sparkgpugraph.algorithm.PageRank#explainParallelPersonalizedPageRank(ResidentGraph, int,
   * double, long[], RunOptions)}.
   */
  public static String explainParallelPersonalizedPageRank(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.PageRank.explainParallelPersonalizedPageRank(
        graph, numIter, resetProb, sources, options);
  }
}
