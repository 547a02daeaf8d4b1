package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.adapter.fallback.StockGraphX;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import scala.reflect.ClassTag;

/**
 * Counts the triangles that every vertex is a corner of ({@code
 * org.apache.spark.graphx.lib.TriangleCount}). Directions do not count, nor do loops and parallel
 * edges.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.TriangleCount}, which says how it works, with
 * GraphX graphs in and out.
 *
 * <p>Unlike GraphX's, {@link #runPreCanonicalized} counts right on every graph, so that both
 * methods do the same: GraphX's gives too large a count, or fails, when an edge occurs twice.
 */
public final class TriangleCount extends org.sparkgpugraph.algorithm.TriangleCount {
  private TriangleCount() {}

  /**
   * Counts on any graph.
   *
   * @return the graph with its edges as they are
   * @throws ArithmeticException when a count does not fit into an Integer
   */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph) {
    return run(graph, RunOptions.DEFAULT);
  }

  /**
   * As {@link #run(Graph)}, with options.
   *
   * @param options engine GRAPHX, or fallback ALWAYS: stock GraphX counts, of which the observer
   *     hears nothing
   */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph, RunOptions options) {
    if (OperatorJob.asksForStock(graph.vertices().sparkContext(), options)) {
      return stock(graph);
    }
    return GraphXRuns.run(
        OperatorJob.on(GraphXSource.of(graph, Object.class, Object.class), OPERATOR, options));
  }

  @SuppressWarnings("unchecked") // Scala's Int is an Object to Java
  private static <VD, ED> Graph<Integer, ED> stock(Graph<VD, ED> graph) {
    return (Graph<Integer, ED>)
        (Graph<?, ED>)
            StockGraphX.call(
                () ->
                    org.apache.spark.graphx.lib.TriangleCount.run(
                        graph, graph.vertices().vdTag(), (ClassTag<ED>) GraphXTags.edge(graph)));
  }

  /** The same as {@link #run(Graph)}: a graph without loops and parallel edges is not needed. */
  public static <ED> Graph<Integer, ED> runPreCanonicalized(Graph<?, ED> graph) {
    return run(graph, RunOptions.DEFAULT);
  }

  /** As {@link org.sparkgpugraph.algorithm.TriangleCount#run(ResidentGraph, RunOptions)}. */
  public static VertexResult<Integer> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.TriangleCount.run(graph, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.TriangleCount#explain(ResidentGraph, RunOptions)}. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.TriangleCount.explain(graph, options);
  }
}
