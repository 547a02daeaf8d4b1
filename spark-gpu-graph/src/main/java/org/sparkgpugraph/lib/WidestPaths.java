package org.sparkgpugraph.lib;

import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.support.Runs;
import org.sparkgpugraph.lib.support.Sources;
import org.sparkgpugraph.lib.support.Weights;
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
public final class WidestPaths {
  private static final Weights WIDTHS =
      Weights.any("width", "widest paths need widths of 0 or more");

  private WidestPaths() {}

  /**
   * Runs to the end.
   *
   * @param graph edge attributes are the widths
   * @throws IllegalArgumentException when the source is not a vertex, or a width is negative or NaN
   */
  public static Graph<Double, Double> run(Graph<?, Double> graph, long source, RunOptions options) {
    try (ResidentGraph<Object, Double> resident = Runs.load(graph, Double.class, options)) {
      Sources.check(resident, source);
      RunOptions loaded = Sources.loaded(options);
      return WIDTHS.checked(resident, () -> program(GpuPregel.on(resident), source, loaded).run());
    }
  }

  /** Runs on a resident graph, whose edge values are the widths. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return WIDTHS.checked(graph, () -> program(GpuPregel.on(graph), source, options).runVertices());
  }

  /** Tells what {@link #run(ResidentGraph, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, Double> graph, long source, RunOptions options) {
    Sources.check(graph, source);
    return program(GpuPregel.on(graph), source, options).explain();
  }

  static <VD> PregelBuilder<VD, Double, Double, Double, Double> program(
      PregelBuilder<VD, Double, VD, Object, VD> on, long source, RunOptions options) {
    return on.state(
            (id, attribute, inDegree, outDegree) -> id == source ? Double.POSITIVE_INFINITY : 0.0)
        .initialMessage(0.0)
        .activeDirection(EdgeDirection.Out())
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
