package org.sparkgpugraph.lib.learning;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Multi-modal learning (MML): k numbers a vertex, spread along edges that have a weight for each of
 * several modalities.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.learning.MultiModal}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class MultiModal extends org.sparkgpugraph.algorithm.learning.MultiModal {
  private MultiModal() {}

  /**
   * Runs until no value changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first values, k numbers; edge attributes have a weight
   *     for each modality
   * @param k numbers of a vertex, 1 to {@value #MAX_LENGTH}
   * @param alpha a weight for each modality, at least one
   * @param until when it ends, and how it runs
   * @return the graph with values, {@code double[k]}
   * @throws IllegalArgumentException when a value or weight is NaN or infinite, arrays have another
   *     length, there is no vertex, values grow without end, or a change-driven run might
   */
  public static Graph<double[], double[]> run(
      Graph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    try (ResidentGraph<double[], double[]> resident =
        GpuPregel.load(graph, double[].class, double[].class, options)) {
      boolean edges = resident.edgeCount() > 0;
      RunOptions loaded = Sources.loaded(options);
      // Refuses bad arguments before values are looked at.
      program(GpuPregel.on(resident), edges, k, alpha, until, loaded);
      check(resident, k, alpha, until);
      return GraphRuns.observed(
          loaded,
          observed ->
              GraphRuns.run(program(GpuPregel.on(resident), edges, k, alpha, until, observed)),
          report -> checkGrowth(resident, alpha, report));
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.MultiModal#run(ResidentGraph, int, double[],
   * Convergence, RunOptions)}.
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.MultiModal.run(graph, k, alpha, until, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.learning.MultiModal#explain(ResidentGraph, int, double[],
   * Convergence, RunOptions)}.
   */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      RunOptions options) {
    return org.sparkgpugraph.algorithm.learning.MultiModal.explain(graph, k, alpha, until, options);
  }
}
