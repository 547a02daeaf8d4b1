package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * The local clustering coefficient of an undirected graph (Watts and Strogatz 1998): of all pairs
 * of a vertex's neighbours the share that an edge connects, {@code 2 · triangles / (d · (d − 1))},
 * and 0 below two neighbours. Directions, loops and parallel edges do not count. {@link
 * Graphalytics#lcc} is the one of directed graphs. Costs what {@link TriangleCount} does. GraphX
 * has no such algorithm.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.ClusteringCoefficient}, which says how it works,
 * with GraphX graphs in and out.
 */
public final class ClusteringCoefficient extends org.sparkgpugraph.algorithm.ClusteringCoefficient {
  private ClusteringCoefficient() {}

  /** Runs on a GraphX graph. */
  public static <ED> Graph<Double, ED> run(Graph<?, ED> graph, RunOptions options) {
    return GraphXRuns.run(
        OperatorJob.on(GraphXSource.of(graph, Object.class, Object.class), OPERATOR, options));
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ClusteringCoefficient#run(ResidentGraph, RunOptions)}.
   */
  public static VertexResult<Double> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.ClusteringCoefficient.run(graph, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ClusteringCoefficient#explain(ResidentGraph,
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.ClusteringCoefficient.explain(graph, options);
  }
}
