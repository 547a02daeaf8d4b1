package org.sparkgpugraph.adapter.fallback;

import org.sparkgpugraph.function.EdgeContext;

/** An edge of GraphX's {@code aggregateMessages} as the user's send function sees it. */
public record GraphXEdge<S, ED, A>(org.apache.spark.graphx.EdgeContext<S, ED, A> edge)
    implements EdgeContext<S, ED, A> {
  @Override
  public long srcId() {
    return edge.srcId();
  }

  @Override
  public long dstId() {
    return edge.dstId();
  }

  @Override
  public S srcAttr() {
    return edge.srcAttr();
  }

  @Override
  public S dstAttr() {
    return edge.dstAttr();
  }

  @Override
  public ED attr() {
    return edge.attr();
  }

  @Override
  public void sendToSrc(A message) {
    edge.sendToSrc(message);
  }

  @Override
  public void sendToDst(A message) {
    edge.sendToDst(message);
  }
}
