package org.sparkgpugraph.lib.learning;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;

/**
 * Alternating least squares (ALS): factors of users and items whose dot products are close to the
 * ratings.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares}, which says how
 * it works, with GraphX graphs in and out. A run's error is in the report that the observer of its
 * options gets: {@link #error(RunReport)}.
 */
public final class AlternatingLeastSquares
    extends org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares {
  /** Seed of the first factors unless another is given. */
  public static final long SEED = org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.SEED;

  /** Largest rank. */
  public static final int MAX_RANK =
      org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.MAX_RANK;

  private AlternatingLeastSquares() {}

  /**
   * Runs on a graph whose edge attributes are the ratings.
   *
   * @param graph edges lead from users to items
   * @return the graph with factors, {@code double[rank]}
   * @throws IllegalArgumentException when there is no rating, one is not finite, a vertex is both
   *     user and item, equations have no single solution (λ = 0), or numbers become too large
   */
  public static Graph<double[], Double> run(
      Graph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Double> resident =
        GpuPregel.loadWithEdgeAttributes(graph, Object.class, Double.class, options)) {
      return checked(
          resident,
          conf,
          loaded,
          () -> GraphRuns.run(program(GpuPregel.on(resident), conf, seed, loaded)));
    }
  }

  /** As {@link #run(Graph, Conf, long, RunOptions)}, with seed {@value #SEED}. */
  public static Graph<double[], Double> run(Graph<?, Double> graph, Conf conf) {
    return run(graph, conf, SEED, RunOptions.DEFAULT);
  }

  /**
   * As {@link #run(Graph, Conf, long, RunOptions)}, change-driven.
   *
   * @param epsilon by how much what a vertex tells may be off what it told, from 0 to below 1
   */
  public static Graph<double[], Double> runDeltas(
      Graph<?, Double> graph, Conf conf, double epsilon, long seed, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Double> resident =
        GpuPregel.loadWithEdgeAttributes(graph, Object.class, Double.class, options)) {
      return checked(
          resident,
          conf,
          loaded,
          () -> GraphRuns.run(deltas(GpuPregel.on(resident), conf, epsilon, seed, loaded)));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares#predict}. */
  public static double predict(double[] user, double[] item) {
    return org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.predict(user, item);
  }

  /** As {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares#error(RunReport)}. */
  public static double error(RunReport report) {
    return org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.error(report);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares#run(ResidentGraph, Conf,
   * long, RunOptions)}.
   */
  public static Model run(
      ResidentGraph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.run(
        graph, conf, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares#runDeltas(ResidentGraph,
   * Conf, double, long, RunOptions)}.
   */
  public static VertexResult<double[]> runDeltas(
      ResidentGraph<?, Double> graph, Conf conf, double epsilon, long seed, RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.runDeltas(
        graph, conf, epsilon, seed, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares#explain(ResidentGraph,
   * Conf, RunOptions)}.
   */
  public static String explain(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.explain(
        graph, conf, options);
  }
}
