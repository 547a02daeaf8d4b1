package io.sparkgpugraph.graph;

import java.util.List;

/** The partitions of a graph that one executor holds, with what connects them. */
public interface ExecutorGraph {
  /** Mapping between original and dense ids. */
  VertexIds ids();

  /** Number of vertices that exist, isolated ones too. */
  long vertexCount();

  /** Number of edges. */
  long edgeCount();

  /** The partitions, by index; their ranges cover 0…n−1 in order. Empty ones are legal. */
  List<? extends GraphPartition> partitions();

  /** Boundary lists of all pairs (home, reader) with something in them. */
  List<BoundaryList> boundaries();

  /** Bytes held now. */
  long bytes();
}
