package org.sparkgpugraph;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphView;

/**
 * GraphX's Pregel on the executors' GPUs, or on all their cores where there is no GPU.
 *
 * <pre>{@code
 * Graph<Double, Double> distances =
 *     GpuPregel.on(graph, Double.class, Double.class)
 *         .initialMessage(Double.POSITIVE_INFINITY)
 *         .activeDirection(EdgeDirection.Out())
 *         .vertexProgram((id, distance, message) -> Math.min(distance, message))
 *         .sendMessage(
 *             edge -> {
 *               if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
 *                 edge.sendToDst(edge.srcAttr() + edge.attr());
 *               }
 *             })
 *         .mergeMessage(Math::min)
 *         .run();
 * }</pre>
 *
 * <p>The lambdas are the program: they are read from their bytecode, so that no object is made per
 * vertex, edge or message. What cannot be read that way runs on stock GraphX, with a log line that
 * says why ({@code spark.gpugraph.fallback}). Semantics are GraphX's, point by point
 * (docs/compatibility.md).
 */
public final class GpuPregel {
  private GpuPregel() {}

  /**
   * Starts a program on a GraphX graph. The graph is neither changed nor unpersisted.
   *
   * @param vertexClass class of the vertex attributes: Integer, Long, Float, Double, Boolean, or a
   *     record of them; any other class may be carried but not read by the program
   * @param edgeClass class of the edge attributes, likewise
   */
  public static <VD, ED> PregelBuilder<VD, ED, VD, Object, VD> on(
      Graph<?, ?> graph, Class<VD> vertexClass, Class<ED> edgeClass) {
    return new PregelBuilder<>(GraphXSource.of(graph, vertexClass, edgeClass));
  }

  /** Starts a program on a graph that the executors already hold. */
  public static <VD, ED> PregelBuilder<VD, ED, VD, Object, VD> on(ResidentGraph<VD, ED> graph) {
    return new PregelBuilder<>(graph);
  }

  /**
   * Starts a sequence of edge maps and vertex maps on a graph that the executors already hold; see
   * {@link GraphSteps}.
   */
  public static <VD, ED> GraphSteps<VD, ED, VD, VD> steps(ResidentGraph<VD, ED> graph) {
    return GraphSteps.on(graph);
  }

  /**
   * Loads a GraphX graph once for many programs: its structure now, attributes when a program first
   * reads them. Close it when done.
   *
   * @param vertexClass class of the vertex attributes, see {@link #on(Graph, Class, Class)}
   * @param edgeClass class of the edge attributes
   */
  public static <VD, ED> ResidentGraph<VD, ED> load(
      Graph<?, ?> graph, Class<VD> vertexClass, Class<ED> edgeClass) {
    return load(graph, vertexClass, edgeClass, RunOptions.DEFAULT);
  }

  /** As {@link #load(Graph, Class, Class)}, with options: partitions. */
  public static <VD, ED> ResidentGraph<VD, ED> load(
      Graph<?, ?> graph, Class<VD> vertexClass, Class<ED> edgeClass, RunOptions options) {
    return new ResidentGraph<>(
        GraphView.load(GraphXSource.of(graph, vertexClass, edgeClass), options, false, false),
        true);
  }

  /**
   * As {@link #load(Graph, Class, Class, RunOptions)}, with the edges' attributes at the same time:
   * for programs that read them that takes half as long as to load them behind the structure.
   *
   * @throws IllegalArgumentException when an edge's attribute is not of the class
   */
  public static <VD, ED> ResidentGraph<VD, ED> loadWithEdgeAttributes(
      Graph<?, ?> graph, Class<VD> vertexClass, Class<ED> edgeClass, RunOptions options) {
    return new ResidentGraph<>(
        GraphView.load(GraphXSource.of(graph, vertexClass, edgeClass), options, true, false), true);
  }

  /** As {@link ResidentGraph#load(JavaRDD, Class, RunOptions)}. */
  public static <ED> ResidentGraph<Object, ED> load(
      JavaRDD<EdgeBlock> edges, Class<ED> edgeClass, RunOptions options) {
    return ResidentGraph.load(edges, edgeClass, options);
  }

  /** As {@link ResidentGraph#load(JavaRDD, JavaRDD, Class, RunOptions)}. */
  public static <ED> ResidentGraph<Object, ED> load(
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      Class<ED> edgeClass,
      RunOptions options) {
    return ResidentGraph.load(edges, vertices, edgeClass, options);
  }

  /**
   * GraphX's {@code Pregel.apply} in Java: everything in one call.
   *
   * @param graph the graph; neither changed nor unpersisted
   * @param vertexClass class of the vertex attributes
   * @param edgeClass class of the edge attributes
   * @param initialMessage the message of superstep 0
   * @param maxIterations bound on the supersteps after it, at least 1
   * @param activeDirection which edges are evaluated after superstep 0
   */
  public static <VD, ED, A> Graph<VD, ED> pregel(
      Graph<VD, ED> graph,
      Class<VD> vertexClass,
      Class<ED> edgeClass,
      A initialMessage,
      int maxIterations,
      EdgeDirection activeDirection,
      VertexProgram<VD, A> vertexProgram,
      SendMessage<VD, ED, A> sendMessage,
      MergeMessage<A> mergeMessage) {
    return on(graph, vertexClass, edgeClass)
        .initialMessage(initialMessage)
        .maxIterations(maxIterations)
        .activeDirection(activeDirection)
        .vertexProgram(vertexProgram)
        .sendMessage(sendMessage)
        .mergeMessage(mergeMessage)
        .run();
  }
}
