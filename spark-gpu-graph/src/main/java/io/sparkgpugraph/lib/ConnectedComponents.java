package io.sparkgpugraph.lib;

import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.PregelBuilder;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;

/**
 * Labels every vertex with the smallest id of its connected component; edge directions do not count
 * ({@code org.apache.spark.graphx.lib.ConnectedComponents}).
 *
 * <p>A vertex starts with its own id and takes the smallest among its neighbours': as many
 * supersteps as the largest distance to a component's smallest id, each evaluating the edges of the
 * vertices that changed.
 */
public final class ConnectedComponents {
  private ConnectedComponents() {}

  /** Runs to the end. */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph) {
    return run(graph, Integer.MAX_VALUE);
  }

  /**
   * Runs at most {@code maxIterations} supersteps.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int maxIterations) {
    return run(graph, maxIterations, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, int)}, with options. */
  @SuppressWarnings("unchecked")
  public static <ED> Graph<Long, ED> run(
      Graph<?, ED> graph, int maxIterations, RunOptions options) {
    return (Graph<Long, ED>)
        program(GpuPregel.on(graph, Object.class, Object.class), maxIterations, options).run();
  }

  /** Runs on a resident graph. */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return program(GpuPregel.on(graph), maxIterations, options).runVertices();
  }

  /** Tells what a run on a resident graph would do ({@link PregelBuilder#explain}). */
  public static String explain(ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return program(GpuPregel.on(graph), maxIterations, options).explain();
  }

  static <VD, ED> PregelBuilder<VD, ED, Long, Long, Long> program(
      PregelBuilder<VD, ED, VD, Object, VD> on, int maxIterations, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(Long.MAX_VALUE)
        .activeDirection(EdgeDirection.Either())
        .maxIterations(maxIterations)
        .vertexProgram((id, component, message) -> Math.min(component, message))
        .sendMessage(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              } else if (edge.srcAttr() > edge.dstAttr()) {
                edge.sendToSrc(edge.dstAttr());
              }
            })
        .mergeMessage(Math::min)
        .options(options);
  }
}
