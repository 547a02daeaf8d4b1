package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Communities by label propagation ({@code org.apache.spark.graphx.lib.LabelPropagation}; Raghavan,
 * Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
 * networks, Physical Review E 76, 2007). A vertex starts with its own id as its label; in a step
 * all vertices take, at the same time, the label that is most frequent among their neighbours:
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.LabelPropagation}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class LabelPropagation extends org.sparkgpugraph.algorithm.LabelPropagation {
  private LabelPropagation() {}

  /**
   * Runs at most {@code maxSteps} steps.
   *
   * @return each vertex's label, the id of some vertex
   * @throws IllegalArgumentException when {@code maxSteps} is not positive
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int maxSteps) {
    return run(graph, maxSteps, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, int)}, with options. */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int maxSteps, RunOptions options) {
    return GraphRuns.run(
        program(GpuPregel.on(graph, Object.class, Object.class), maxSteps, options));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.LabelPropagation#run(ResidentGraph, int, RunOptions)}.
   */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxSteps, RunOptions options) {
    return org.sparkgpugraph.algorithm.LabelPropagation.run(graph, maxSteps, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.LabelPropagation#explain(ResidentGraph, int,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, int maxSteps, RunOptions options) {
    return org.sparkgpugraph.algorithm.LabelPropagation.explain(graph, maxSteps, options);
  }
}
