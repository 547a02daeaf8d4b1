package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.adapter.fallback.StockGraphX;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.lib.support.Internals;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import scala.reflect.ClassTag;

/**
 * Counts the triangles that every vertex is a corner of ({@code
 * org.apache.spark.graphx.lib.TriangleCount}). Directions do not count, nor do loops and parallel
 * edges.
 *
 * <p>Each edge is kept at its end of the smaller degree, and the rows of both ends of every edge
 * are intersected ({@link org.sparkgpugraph.Neighborhoods}): O(edges^1.5) steps at worst, no hash
 * sets, no message per neighbour.
 *
 * <p>Unlike GraphX's, {@link #runPreCanonicalized} counts right on every graph, so that both
 * methods do the same: GraphX's gives too large a count, or fails, when an edge occurs twice.
 */
public final class TriangleCount {
  private static final SortedIntersection OPERATOR = new SortedIntersection(Measure.TRIANGLES);

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

  /** Counts on a resident graph. */
  public static VertexResult<Integer> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.run(graph, OPERATOR, options);
  }

  /** Tells how {@link #run(ResidentGraph, RunOptions)} would run. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.explain(graph, OPERATOR, options);
  }
}
