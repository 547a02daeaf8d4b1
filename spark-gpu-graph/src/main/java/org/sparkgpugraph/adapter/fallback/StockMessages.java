package org.sparkgpugraph.adapter.fallback;

import org.apache.spark.graphx.EdgeContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/** GraphX's own {@code aggregateMessages} of functions that were written in Java. */
public final class StockMessages {
  private StockMessages() {}

  /** Runs when the result is read, as GraphX does. */
  @SuppressWarnings("unchecked") // nobody knows the class of the messages: they stay objects
  public static <VD, ED, A> VertexRDD<A> run(
      Graph<VD, ED> graph,
      SendMessage<VD, ED, A> send,
      MergeMessage<A> merge,
      TripletFields fields) {
    F1<EdgeContext<VD, ED, A>, BoxedUnit> sending =
        edge -> {
          send.send(new GraphXEdge<>(edge));
          return BoxedUnit.UNIT;
        };
    F2<A, A, A> merging = merge::merge;
    ClassTag<A> any = (ClassTag<A>) (Object) ClassTag$.MODULE$.Object();
    return graph.aggregateMessages(sending, merging, fields, any);
  }
}
