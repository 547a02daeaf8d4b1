package org.sparkgpugraph.adapter.run;

import org.apache.spark.graphx.EdgeContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.graphs.model.ValueMismatchException;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.run.RootAccess;
import scala.Function1;
import scala.Function2;
import scala.reflect.ClassTag;
import scala.runtime.BoxedUnit;

/** What the Scala class {@code org.sparkgpugraph.scaladsl.GpuGraphOps} calls. */
public final class ScalaMessages {
  private ScalaMessages() {}

  /** As GraphX's {@code graph.aggregateMessages}. */
  public static <VD, ED, A> VertexRDD<A> aggregate(
      Graph<VD, ED> graph,
      Function1<EdgeContext<VD, ED, A>, BoxedUnit> send,
      Function2<A, A, A> merge,
      TripletFields fields,
      ClassTag<VD> vertexTag,
      ClassTag<ED> edgeTag,
      ClassTag<A> messageTag) {
    GraphSource source;
    try {
      source = GraphXSource.of(graph, vertexTag.runtimeClass(), edgeTag.runtimeClass());
    } catch (ValueMismatchException e) {
      return ScalaPregel.onGraphX(
          graph,
          RunOptions.DEFAULT,
          ScalaPregel.noValues(vertexTag, e),
          () -> graph.aggregateMessages(send, merge, fields, messageTag));
    }
    return aggregate(source, null, graph, send, merge, fields, messageTag);
  }

  /**
   * As GraphX's {@code graph.aggregateMessages}, on a graph that executors hold.
   *
   * @param resident an {@code org.sparkgpugraph.ResidentGraph}
   */
  @SuppressWarnings("unchecked") // stock GraphX runs only where attributes are those of its graph
  public static <VD, ED, A> VertexRDD<A> aggregate(
      Object resident,
      Function1<EdgeContext<VD, ED, A>, BoxedUnit> send,
      Function2<A, A, A> merge,
      TripletFields fields,
      ClassTag<A> messageTag) {
    GraphView view = RootAccess.get().view(resident);
    GraphSource source = view.state().source();
    Graph<VD, ED> graph = (Graph<VD, ED>) GraphXSource.graph(source);
    return aggregate(source, view, graph, send, merge, fields, messageTag);
  }

  private static <VD, ED, A> VertexRDD<A> aggregate(
      GraphSource source,
      GraphView resident,
      Graph<VD, ED> graph,
      Function1<EdgeContext<VD, ED, A>, BoxedUnit> send,
      Function2<A, A, A> merge,
      TripletFields fields,
      ClassTag<A> tag) {
    return GraphXRuns.run(
        GraphXRuns.messages(source, resident, send, merge, fields, RunOptions.DEFAULT),
        tag,
        () -> graph.aggregateMessages(send, merge, fields, tag));
  }
}
