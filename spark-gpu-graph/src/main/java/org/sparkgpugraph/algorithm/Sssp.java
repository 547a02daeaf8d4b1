package org.sparkgpugraph.algorithm;

import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;

/**
 * Single-source shortest paths over non-negative edge weights: the length of the shortest directed
 * path from the source to every vertex, {@code d(v) = min(d(u) + w(u, v))} over the in-edges and 0
 * for the source; {@link Double#POSITIVE_INFINITY} where there is no path.
 *
 * <p>Bellman-Ford by frontier (Bellman 1958, Ford 1956): a vertex whose distance fell offers {@code
 * distance + weight} to its successors. Each superstep evaluates the out-edges of the vertices that
 * changed; as many supersteps as the shortest path with the most edges has, at most. Of parallel
 * edges the lightest counts. GraphX has no such algorithm, but its documentation has this program.
 */
public class Sssp {
  protected static final Weights WEIGHTS =
      Weights.any("weight", "shortest paths need weights of 0 or more");

  /** Only for classes with more ways in. */
  protected Sssp() {}

  /**
   * Runs on a resident graph, whose edge values are the weights.
   *
   * @param graph edge values are the weights
   * @param source id of the source
   * @throws IllegalArgumentException when the source is not a vertex, or a weight is negative or
   *     NaN
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, RunOptions options) {
    return run(graph, source, Integer.MAX_VALUE, options);
  }

  /** As above, at most {@code maxIterations} supersteps. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, long source, int maxIterations, RunOptions options) {
    Sources.check(graph, source);
    return WEIGHTS.checked(
        graph,
        () -> program(ProgramBuilder.on(graph), source, maxIterations, options).runVertices());
  }

  /** Tells what a run on a resident graph would do ({@link ProgramBuilder#explain}). */
  public static String explain(
      ResidentGraph<?, Double> graph, long source, int maxIterations, RunOptions options) {
    Sources.check(graph, source);
    return program(ProgramBuilder.on(graph), source, maxIterations, options).explain();
  }

  protected static <VD> ProgramBuilder<VD, Double, Double, Double, Double> program(
      ProgramBuilder<VD, Double, VD, Object, VD> on,
      long source,
      int maxIterations,
      RunOptions options) {
    return on.state(
            (id, attribute, inDegree, outDegree) -> id == source ? 0.0 : Double.POSITIVE_INFINITY)
        .initialMessage(Double.POSITIVE_INFINITY)
        .activeDirection(ActiveDirection.OUT)
        .maxIterations(maxIterations)
        .vertexProgram((id, distance, message) -> Math.min(distance, message))
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0)) {
                throw new IllegalArgumentException(
                    "an edge weight " + Weights.FAULT + ": shortest paths need 0 or more");
              }
              double distance = edge.srcAttr() + edge.attr();
              if (distance < edge.dstAttr()) {
                edge.sendToDst(distance);
              }
            })
        .mergeMessage(Math::min)
        .monotone()
        .options(options);
  }
}
