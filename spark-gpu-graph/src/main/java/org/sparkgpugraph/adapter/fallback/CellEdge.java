package org.sparkgpugraph.adapter.fallback;

import org.sparkgpugraph.function.EdgeContext;

/**
 * An edge between cells as the user's send function sees it: an edge between values. Messages to a
 * side that is closed in this superstep are dropped.
 */
final class CellEdge<S, ED, A> implements EdgeContext<S, ED, A> {
  private final org.apache.spark.graphx.EdgeContext<VertexCell<S>, ED, A> edge;
  private final boolean sourceOpen;
  private final boolean destinationOpen;
  private final boolean bags;

  /**
   * @param bags whether a message travels as a {@link MessageBag}
   */
  CellEdge(
      org.apache.spark.graphx.EdgeContext<VertexCell<S>, ED, A> edge,
      boolean sourceOpen,
      boolean destinationOpen,
      boolean bags) {
    this.bags = bags;
    this.edge = edge;
    this.sourceOpen = sourceOpen;
    this.destinationOpen = destinationOpen;
  }

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
    return value(edge.srcAttr());
  }

  @Override
  public S dstAttr() {
    return value(edge.dstAttr());
  }

  // An end that is not among the graph's vertices has no cell; GraphX shows null there.
  private static <S> S value(VertexCell<S> cell) {
    return cell == null ? null : cell.value();
  }

  @Override
  public ED attr() {
    return edge.attr();
  }

  @SuppressWarnings("unchecked") // what travels as an A is a bag of them
  private A travelling(A message) {
    return bags ? (A) new MessageBag<>(message) : message;
  }

  @Override
  public void sendToSrc(A message) {
    if (sourceOpen) {
      edge.sendToSrc(travelling(message));
    }
  }

  @Override
  public void sendToDst(A message) {
    if (destinationOpen) {
      edge.sendToDst(travelling(message));
    }
  }
}
