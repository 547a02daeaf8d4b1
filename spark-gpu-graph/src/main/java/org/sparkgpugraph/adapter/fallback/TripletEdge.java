package org.sparkgpugraph.adapter.fallback;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.graphx.EdgeTriplet;
import org.sparkgpugraph.function.EdgeContext;
import scala.Tuple2;

/** A triplet of GraphX's Pregel as an {@link EdgeContext}; keeps the messages in their order. */
final class TripletEdge<S, ED, A> implements EdgeContext<S, ED, A> {
  private final EdgeTriplet<S, ED> triplet;
  private final List<Tuple2<Object, A>> messages = new ArrayList<>(2);

  TripletEdge(EdgeTriplet<S, ED> triplet) {
    this.triplet = triplet;
  }

  /** What was sent, as (vertex id, message). */
  List<Tuple2<Object, A>> messages() {
    return messages;
  }

  @Override
  public long srcId() {
    return triplet.srcId();
  }

  @Override
  public long dstId() {
    return triplet.dstId();
  }

  @Override
  public S srcAttr() {
    return triplet.srcAttr();
  }

  @Override
  public S dstAttr() {
    return triplet.dstAttr();
  }

  @Override
  public ED attr() {
    return triplet.attr();
  }

  @Override
  public void sendToSrc(A message) {
    messages.add(new Tuple2<>(triplet.srcId(), message));
  }

  @Override
  public void sendToDst(A message) {
    messages.add(new Tuple2<>(triplet.dstId(), message));
  }
}
