package org.sparkgpugraph.algorithm;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.operator.ConnectedComponentsOperator;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * Labels every vertex with the smallest id of its connected component; edge directions do not count
 * ({@code org.apache.spark.graphx.lib.ConnectedComponents}).
 *
 * <p>Without a bound on the iterations it is an operator ({@link ConnectedComponentsOperator}):
 * every edge is looked at once or twice. With one, under {@code spark.gpugraph.kernel} other than
 * auto, and on stock GraphX it is the vertex program, whose labels flood the graph as GraphX's do:
 * a vertex starts with its own id and takes the smallest among its neighbours'; as many supersteps
 * as the largest distance to a component's smallest id, each evaluating the edges of the vertices
 * that changed. The values are GraphX's.
 */
public class ConnectedComponents {
  /** Only for classes with more ways in. */
  protected ConnectedComponents() {}

  /**
   * Runs on a resident graph.
   *
   * @throws IllegalArgumentException when {@code maxIterations} is not positive
   */
  public static VertexResult<Long> run(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.sparkContext(), maxIterations, options)
        ? Internals.result(operator(graph, options).runVertices())
        : runProgram(graph, maxIterations, options);
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return isOperator(graph.sparkContext(), maxIterations, options)
        ? operator(graph, options).explain()
        : program(ProgramBuilder.on(graph), maxIterations, options).explain();
  }

  /** Turned round it has the same components, and one of several executors may lack out-edges. */
  private static OperatorJob operator(ResidentGraph<?, ?> graph, RunOptions options) {
    return OperatorJob.on(
        Internals.view(graph).forward(), new ConnectedComponentsOperator(), options);
  }

  protected static boolean isOperator(SparkContext sc, int maxIterations, RunOptions options) {
    return maxIterations == Integer.MAX_VALUE && !OperatorJob.asksForProgram(sc, options);
  }

  /** Runs the vertex program on a resident graph. */
  public static VertexResult<Long> runProgram(
      ResidentGraph<?, ?> graph, int maxIterations, RunOptions options) {
    return program(ProgramBuilder.on(graph), maxIterations, options).runVertices();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Long, Long, Long> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, int maxIterations, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(Long.MAX_VALUE)
        .activeDirection(ActiveDirection.EITHER)
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
