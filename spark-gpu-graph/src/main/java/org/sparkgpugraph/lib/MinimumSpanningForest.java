package org.sparkgpugraph.lib;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * A minimum spanning forest: of the edges of every connected component as many as connect all of
 * its vertices, without a cycle and with the smallest sum of weights. Edge directions do not count;
 * of parallel edges the lightest counts, self-loops do not.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.MinimumSpanningForest}, which says how it works,
 * with GraphX graphs in and out.
 */
public final class MinimumSpanningForest extends org.sparkgpugraph.algorithm.MinimumSpanningForest {
  private MinimumSpanningForest() {}

  /**
   * Runs to the end.
   *
   * @param graph edge attributes are the weights
   * @return each vertex with its parent in the forest
   * @throws IllegalArgumentException when a weight is NaN or infinite
   */
  public static Graph<Joined, Double> run(Graph<?, Double> graph, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Double> resident =
            GpuPregel.loadWithEdgeAttributes(graph, Object.class, Double.class, options);
        Grown grown = grow(resident, loaded)) {
      return GraphRuns.run(values(GpuPregel.on(grown.graph()), loaded));
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MinimumSpanningForest#run(ResidentGraph, RunOptions)}.
   */
  public static VertexResult<Joined> run(ResidentGraph<?, Double> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.MinimumSpanningForest.run(graph, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.MinimumSpanningForest#explain(ResidentGraph,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, Double> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.MinimumSpanningForest.explain(graph, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.MinimumSpanningForest#edges(VertexResult)}. */
  public static JavaRDD<EdgeBlock> edges(VertexResult<Joined> forest) {
    return org.sparkgpugraph.algorithm.MinimumSpanningForest.edges(forest);
  }

  /** As {@link org.sparkgpugraph.algorithm.MinimumSpanningForest#weight(VertexResult)}. */
  public static double weight(VertexResult<Joined> forest) {
    return org.sparkgpugraph.algorithm.MinimumSpanningForest.weight(forest);
  }
}
