package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;
import java.util.List;
import java.util.function.LongPredicate;

/** The partitions of a graph that one executor holds, with what connects them. */
public interface ExecutorGraph {
  /**
   * Mapping between original and dense ids. An end of an edge has a dense id even where it is not a
   * vertex ({@link GraphPartition#present()}).
   */
  VertexIds ids();

  /** Number of vertices that exist, isolated ones too. */
  long vertexCount();

  /** Number of edges. */
  long edgeCount();

  /** The partitions, by index; their ranges cover 0…n−1 in order. Empty ones are legal. */
  List<? extends GraphPartition> partitions();

  /** Index of the partition whose range holds a dense id. */
  int partitionOf(long dense);

  /** Boundary lists of all pairs (home, reader) with something in them. */
  List<BoundaryList> boundaries();

  /** Type of the edge values that are loaded, or null when none are. */
  ValueType edgeType();

  /**
   * Loads edge values into a graph that was built without, in the order of its edges. Replaces
   * values loaded before. Must not run at the same time as a program.
   *
   * @param type their type
   * @param blocks the blocks that the graph was built from, in the same order
   * @throws IllegalArgumentException when the blocks hold other edges
   * @throws NullValueException when a value is null
   */
  void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks);

  /**
   * The same graph with every edge turned round: a view, in-edges and out-edges change places,
   * nothing is copied.
   */
  ExecutorGraph reversed();

  /**
   * A graph with some vertices and edges left out. It has the same dense ids, partitions and
   * ghosts, so tables of values fit both; what is left out is not {@linkplain
   * GraphPartition#present() present}.
   *
   * @param vertices which original ids stay; null: all
   * @param edges which edges stay, of those whose two ends stay; null: all
   */
  ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges);

  /** Bytes held now. */
  long bytes();
}
