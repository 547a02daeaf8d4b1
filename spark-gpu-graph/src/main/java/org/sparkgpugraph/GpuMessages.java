package org.sparkgpugraph;

import java.util.Objects;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.adapter.fallback.StockMessages;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.function.EdgeContext;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.run.MessagesJob;

/**
 * GraphX's {@code aggregateMessages} on the executors' GPUs, or on all their cores where there is
 * no GPU: a function sends messages along each edge, another merges those to a vertex.
 *
 * <pre>{@code
 * VertexRDD<Double> sums =
 *     GpuMessages.aggregate(
 *         graph, Double.class, Double.class,
 *         edge -> edge.sendToDst(edge.srcAttr() * edge.attr()),
 *         Double::sum);
 * }</pre>
 *
 * <p>The result has the vertices to which a message was sent, and no others. It shares partitioner
 * and index of the graph's vertices, so that joins of both ({@code innerJoin}, {@code leftJoin},
 * {@code graph.outerJoinVertices}) shuffle nothing. Other than GraphX's it is computed when this
 * returns, and persisted in memory and on disk: {@code unpersist} it when it is no longer needed.
 *
 * <p>What cannot be lifted runs on stock GraphX, with a log line that says why ({@code
 * spark.gpugraph.fallback}). Messages are values as those of {@link GpuPregel}; their class is what
 * the send function sends.
 */
public final class GpuMessages {
  private GpuMessages() {}

  /** As {@link #aggregate(Graph, Class, Class, SendMessage, MergeMessage, TripletFields)}. */
  public static <VD, ED, A> VertexRDD<A> aggregate(
      Graph<VD, ED> graph,
      Class<VD> vertexClass,
      Class<ED> edgeClass,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge) {
    return aggregate(graph, vertexClass, edgeClass, send, merge, TripletFields.All);
  }

  /**
   * Sends and merges messages.
   *
   * @param graph neither changed nor unpersisted
   * @param vertexClass class of the vertex attributes, see {@link GpuPregel#on(Graph, Class,
   *     Class)}
   * @param edgeClass class of the edge attributes
   * @param send calls {@link EdgeContext#sendToSrc} and {@link EdgeContext#sendToDst}
   * @param merge combines two messages to one vertex; commutative and associative
   * @param fields what {@code send} reads, for stock GraphX; the engines find it out. A function
   *     that reads what is left out runs on stock GraphX, which gives null for it
   */
  public static <VD, ED, A> VertexRDD<A> aggregate(
      Graph<VD, ED> graph,
      Class<VD> vertexClass,
      Class<ED> edgeClass,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields) {
    return aggregate(graph, vertexClass, edgeClass, send, merge, fields, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static <VD, ED, A> VertexRDD<A> aggregate(
      Graph<VD, ED> graph,
      Class<VD> vertexClass,
      Class<ED> edgeClass,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields,
      RunOptions options) {
    return run(
        GraphXSource.of(graph, vertexClass, edgeClass), null, graph, send, merge, fields, options);
  }

  /**
   * As {@link #aggregate(Graph, Class, Class, SendMessage, MergeMessage)}, on a graph that
   * executors hold: nothing is loaded again.
   *
   * @throws IllegalStateException when the graph was not made from a GraphX graph, or is a reversed
   *     view
   */
  public static <VD, ED, A> VertexRDD<A> aggregate(
      ResidentGraph<VD, ED> graph, SendMessage<VD, ED, A> send, MergeMessage<A> merge) {
    return aggregate(graph, send, merge, TripletFields.All, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  @SuppressWarnings("unchecked") // stock GraphX runs only where attributes are those of its graph
  public static <VD, ED, A> VertexRDD<A> aggregate(
      ResidentGraph<VD, ED> graph,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields,
      RunOptions options) {
    GraphView view = graph.view();
    GraphSource source = view.state().source();
    return run(
        source, view, (Graph<VD, ED>) GraphXSource.graph(source), send, merge, fields, options);
  }

  /**
   * Tells what {@link #aggregate(Graph, Class, Class, SendMessage, MergeMessage, TripletFields)}
   * would do, without running: engine and why, the messages' class, or why the functions cannot be
   * lifted.
   */
  public static <VD, ED, A> String explain(
      Graph<VD, ED> graph,
      Class<VD> vertexClass,
      Class<ED> edgeClass,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields) {
    GraphSource source = GraphXSource.of(graph, vertexClass, edgeClass);
    return job(source, null, send, merge, fields, RunOptions.DEFAULT).explain();
  }

  private static <VD, ED, A> VertexRDD<A> run(
      GraphSource source,
      GraphView resident,
      Graph<VD, ED> graph,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields,
      RunOptions options) {
    return GraphXRuns.run(
        job(source, resident, send, merge, fields, options),
        null,
        () -> StockMessages.run(graph, send, merge, fields));
  }

  private static <VD, ED, A> MessagesJob job(
      GraphSource source,
      GraphView resident,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields,
      RunOptions options) {
    Objects.requireNonNull(send, "send is null");
    Objects.requireNonNull(merge, "merge is null");
    Objects.requireNonNull(fields, "fields is null");
    return GraphXRuns.messages(source, resident, send, merge, fields, options);
  }
}
