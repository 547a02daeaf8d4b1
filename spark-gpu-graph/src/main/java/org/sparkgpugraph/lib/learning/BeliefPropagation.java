package org.sparkgpugraph.lib.learning;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Belief propagation (sum-product) on a pairwise Markov field of k states a vertex.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.learning.BeliefPropagation}, which says how it
 * works, with GraphX graphs in and out.
 */
public final class BeliefPropagation
    extends org.sparkgpugraph.algorithm.learning.BeliefPropagation {
  private BeliefPropagation() {}

  /**
   * Runs with one potential for all edges, until no logarithm of a message or belief changes by
   * more than the tolerance.
   *
   * @param graph vertex attributes are the priors, k numbers of 0 or more; edge attributes are not
   *     read
   * @param k number of states, 1 to {@value #MAX_STATES}
   * @param potential {@code k * k} numbers from 1e-150 to 1e150: a row for each state of the source
   * @param until when it ends, and how it runs
   * @return the graph with beliefs, {@code double[k]}, which add up to 1
   * @throws IllegalArgumentException when a prior is negative, NaN, infinite or all 0, the
   *     potential has not k · k elements of that range, arrays have not k elements, two vertices
   *     are connected by several edges or one to itself, or there is no vertex
   */
  public static <ED> Graph<double[], ED> run(
      Graph<double[], ED> graph, int k, double[] potential, Convergence until, RunOptions options) {
    double[] checked = checked(k, potential);
    try (ResidentGraph<double[], Object> resident =
        GpuPregel.load(graph, double[].class, Object.class, options)) {
      return propagated(resident, k, checked, until, options);
    }
  }

  /**
   * The same where each edge has a potential of its own.
   *
   * @param graph vertex attributes are the priors, k numbers of 0 or more; edge attributes the
   *     potentials, {@code k * k} numbers from 1e-150 to 1e150: a row for each state of the source
   * @param k number of states, 1 to {@value #MAX_STATES_OF_EDGES}
   * @throws IllegalArgumentException as above
   */
  public static Graph<double[], double[]> run(
      Graph<double[], double[]> graph, int k, Convergence until, RunOptions options) {
    try (ResidentGraph<double[], double[]> resident =
        GpuPregel.load(graph, double[].class, double[].class, options)) {
      return propagated(resident, k, null, until, options);
    }
  }

  private static <ED> Graph<double[], ED> propagated(
      ResidentGraph<double[], ?> resident,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    try (Beliefs beliefs = beliefs(resident, k, potential, until, options)) {
      return GraphRuns.run(copied(GpuPregel.on(beliefs.graph())));
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.BeliefPropagation#run(ResidentGraph, int,
   * double[], Convergence, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.BeliefPropagation.run(
        graph, k, potential, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.BeliefPropagation#run(ResidentGraph, int,
   * Convergence, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph, int k, Convergence until, RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.BeliefPropagation.run(graph, k, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.BeliefPropagation#explain(ResidentGraph, int,
   * double[], Convergence, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.BeliefPropagation.explain(
        graph, k, potential, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.BeliefPropagation#explain(ResidentGraph, int,
   * Convergence, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], double[]> graph, int k, Convergence until, RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.BeliefPropagation.explain(graph, k, until, options);
  }
}
