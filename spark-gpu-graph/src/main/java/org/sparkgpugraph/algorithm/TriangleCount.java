package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.intersect.Measure;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.run.RunOptions;

/**
 * Counts the triangles that every vertex is a corner of ({@code
 * org.apache.spark.graphx.lib.TriangleCount}). Directions do not count, nor do loops and parallel
 * edges.
 *
 * <p>Each edge is kept at its end of the smaller degree, and the rows of both ends of every edge
 * are intersected ({@link SortedIntersection}): O(edges^1.5) steps at worst, no hash sets, no
 * message per neighbour.
 */
public class TriangleCount {
  protected static final SortedIntersection OPERATOR = new SortedIntersection(Measure.TRIANGLES);

  /** Only for classes with more ways in. */
  protected TriangleCount() {}

  /**
   * Counts on a resident graph.
   *
   * @throws ArithmeticException when a count does not fit into an Integer
   */
  public static VertexResult<Integer> run(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.run(graph, OPERATOR, options);
  }

  /** Tells how {@link #run(ResidentGraph, RunOptions)} would run. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return Internals.explain(graph, OPERATOR, options);
  }
}
