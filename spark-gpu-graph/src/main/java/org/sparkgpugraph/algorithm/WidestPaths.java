package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;

/**
 * Single-source widest paths (SSWP): the largest width that a directed path from the source to each
 * vertex can have, where a path is as wide as its narrowest edge. {@code width(v) =
 * max(min(width(u), w(u, v)))} over the in-edges; {@link Double#POSITIVE_INFINITY} for the source
 * itself, 0 where there is no path.
 *
 * <p>By frontier: a vertex whose width grew offers it to its successors. Each superstep evaluates
 * the out-edges of the vertices that changed. Source: the SSWP benchmark of Khorasani's
 * dissertation (2016), whose update predicate is {@code new > old}. GraphX has no such algorithm.
 */
public class WidestPaths {
  protected static final Weights WIDTHS =
      Weights.any("width", "widest paths need widths of 0 or more");

  /** Only for classes with more ways in. */
  protected WidestPaths() {}

  /**
   * Runs on a resident graph, whose edge values are the widths.
   *
   * @param graph edge values are the widths
   * @throws IllegalArgumentException when the source is not a vertex, or a width is negative or NaN
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return WIDTHS.checked(
        graph, () -> program(ProgramBuilder.on(graph), source, options).runVertices());
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, Double> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return program(ProgramBuilder.on(graph), source, options).explain();
  }

  protected static <VD> ProgramBuilder<VD, Double, Double, Double, Double> program(
      ProgramBuilder<VD, Double, VD, Object, VD> on, long source, RunOptions options) {
    return on.state(
            (id, attribute, inDegree, outDegree) -> id == source ? Double.POSITIVE_INFINITY : 0.0)
        .initialMessage(0.0)
        .activeDirection(ActiveDirection.OUT)
        .vertexProgram((id, width, message) -> Math.max(width, message))
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0)) {
                throw new IllegalArgumentException(
                    "an edge's width " + Weights.FAULT + ": widest paths need 0 or more");
              }
              double width = Math.min(edge.srcAttr(), edge.attr());
              if (width > edge.dstAttr()) {
                edge.sendToDst(width);
              }
            })
        .mergeMessage(Math::max)
        .monotone()
        .options(options);
  }
}
