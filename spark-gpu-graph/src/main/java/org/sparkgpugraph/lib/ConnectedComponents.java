package org.sparkgpugraph.lib;

import org.apache.spark.SparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.Components;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * Labels every vertex with the smallest id of its connected component; edge directions do not count
 * ({@code org.apache.spark.graphx.lib.ConnectedComponents}).
 *
 * <p>Without a bound on the iterations it is the operator {@link Components}: every edge is looked
 * at once or twice. With one, under {@code spark.gpugraph.kernel} other than auto, and on stock
 * GraphX it is the vertex program, whose labels flood the graph as GraphX's do: a vertex starts
 * with its own id and takes the smallest among its neighbours'; as many supersteps as the largest
 * distance to a component's smallest id, each evaluating the edges of the vertices that changed.
 * The values are GraphX's.
 */
public final class ConnectedComponents {
  private ConnectedComponents() {}

  /** Runs to the end. */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph) {
    return run(graph, Integer.MAX_VALUE);
  }

  /**
   * Runs at most {@code maxIterations} supersteps; {@link Integer#MAX_VALUE}: to the end.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, int maxIterations) {
    return run(graph, maxIterations, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, int)}, with options. */
  public static <ED> Graph<Long, ED> run(
      Graph<?, ED> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.vertices().sparkContext(), maxIterations, options)
        ? Components.of(graph, options)
        : runProgram(graph, maxIterations, options);
  }

  /** Runs on a resident graph. */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.sparkContext(), maxIterations, options)
        ? Components.of(graph, options)
        : runProgram(graph, maxIterations, options);
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.sparkContext(), maxIterations, options)
        ? Components.explain(graph, options)
        : program(GpuPregel.on(graph), maxIterations, options).explain();
  }

  private static boolean isOperator(SparkContext sc, int maxIterations, RunOptions options) {
    return maxIterations == Integer.MAX_VALUE && !OperatorJob.asksForProgram(sc, options);
  }

  /** Runs the vertex program, superstep by superstep, also without a bound on them. */
  @SuppressWarnings("unchecked") // edges keep their attributes
  public static <ED> Graph<Long, ED> runProgram(
      Graph<?, ED> graph, int maxIterations, RunOptions options) {
    return (Graph<Long, ED>)
        program(GpuPregel.on(graph, Object.class, Object.class), maxIterations, options).run();
  }

  /** Runs the vertex program on a resident graph. */
  public static VertexResult<Long> runProgram(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return program(GpuPregel.on(graph), maxIterations, options).runVertices();
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
