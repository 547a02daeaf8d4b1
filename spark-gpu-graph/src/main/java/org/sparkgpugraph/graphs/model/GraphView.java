package org.sparkgpugraph.graphs.model;

import java.util.List;
import org.sparkgpugraph.program.ValueType;

/** A graph seen in another way: what a view does not say otherwise is as in the graph. */
public abstract class GraphView<G extends ExecutorGraph> implements ExecutorGraph {
  private final G graph;

  protected GraphView(G graph) {
    this.graph = graph;
  }

  /** The graph that this is a view of. */
  public final G graph() {
    return graph;
  }

  @Override
  public VertexIds ids() {
    return graph.ids();
  }

  @Override
  public long vertexCount() {
    return graph.vertexCount();
  }

  @Override
  public long heldVertices() {
    return graph.heldVertices();
  }

  @Override
  public long edgeCount() {
    return graph.edgeCount();
  }

  @Override
  public boolean keep(long bytes) {
    return graph.keep(bytes);
  }

  @Override
  public int partitionOf(long dense) {
    return graph.partitionOf(dense);
  }

  @Override
  public List<BoundaryList> boundaries() {
    return graph.boundaries();
  }

  @Override
  public List<RemoteBoundary> exports() {
    return graph.exports();
  }

  @Override
  public List<RemoteBoundary> imports() {
    return graph.imports();
  }

  @Override
  public boolean hasOutEdges() {
    return graph.hasOutEdges();
  }

  @Override
  public ValueType edgeType() {
    return graph.edgeType();
  }

  @Override
  public void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks) {
    graph.loadEdgeValues(type, blocks);
  }

  @Override
  public long bytes() {
    return graph.bytes();
  }
}
