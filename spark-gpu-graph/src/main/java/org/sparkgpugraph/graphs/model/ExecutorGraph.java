package org.sparkgpugraph.graphs.model;

import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * The partitions of a graph that one executor holds, with what connects them. A large graph is cut
 * into several executor graphs, each with the vertices that {@link VertexOwners} say; {@link
 * #exports()} and {@link #imports()} tell what connects them. Dense ids number the vertices that
 * this executor graph knows, held ones and ghosts, shard by shard, those of a shard in ascending
 * order of their original ids.
 */
public interface ExecutorGraph {
  /**
   * Mapping between original and dense ids. An end of an edge has a dense id even where it is not a
   * vertex ({@link GraphPartition#present()}).
   */
  VertexIds ids();

  /**
   * Number of vertices of the whole graph that exist, isolated ones too.
   *
   * @throws IllegalStateException when this is a shard that has not received it
   */
  long vertexCount();

  /** Number of vertices held here that exist. */
  default long heldVertices() {
    return vertexCount();
  }

  /** Number of edges held here (each edge is held by the executor graph of its destination). */
  long edgeCount();

  /**
   * The partitions, by index; their ranges follow each other. Where this is the whole graph they
   * cover 0…n−1. Empty ones are legal.
   */
  List<? extends GraphPartition> partitions();

  /** Index of the partition whose range holds a dense id; −1 when none here does. */
  int partitionOf(long dense);

  /** The first dense id that is held here: that of the first partition. */
  default long firstHeld() {
    return partitions().get(0).firstVertex();
  }

  /** The dense id behind the last one that is held here. */
  default long endHeld() {
    GraphPartition last = partitions().get(partitions().size() - 1);
    return last.firstVertex() + last.stored();
  }

  /** Boundary lists of all pairs (home, reader) of partitions here with something in them. */
  List<BoundaryList> boundaries();

  /**
   * Local index at the reader of each vertex of one of these lists, where ranges of partitions
   * overlap, so that it may be held there.
   *
   * @return null when all are ghosts, contiguous from {@link BoundaryList#firstGhost()} on
   */
  default int[] locals(BoundaryList list) {
    return null;
  }

  /**
   * Boundary lists whose home is a partition here and whose reader is one of another executor
   * graph; ordered by (peer, home, reader), as the peer orders its {@link #imports()}.
   *
   * @throws IllegalStateException when this is a shard that is not connected yet
   */
  default List<RemoteBoundary> exports() {
    return List.of();
  }

  /**
   * Boundary lists whose reader is a partition here and whose home is one of another executor
   * graph; ordered by (peer, home, reader). Together with {@link #boundaries()} they cover every
   * ghost of every partition here once.
   *
   * @throws IllegalStateException when this is a shard that is not connected yet
   */
  default List<RemoteBoundary> imports() {
    return List.of();
  }

  /** Type of the edge values that are loaded, or null when none are. */
  ValueType edgeType();

  /**
   * Loads edge values into a graph that was built without, in the order of its edges. Replaces
   * values loaded before. Must not run at the same time as a program.
   *
   * @param type their type
   * @param blocks the blocks that the graph was built from, in the same order
   * @throws IllegalArgumentException when the blocks hold other edges
   * @throws IllegalStateException when this is one of several shards, whose builder does it
   * @throws NullValueException when a value is null
   */
  void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks);

  /**
   * The same graph with every edge turned round: a view, in-edges and out-edges change places,
   * nothing is copied.
   *
   * @throws IllegalStateException when this is one of several shards and was loaded without
   *     out-edges
   */
  ExecutorGraph reversed();

  /**
   * This graph and the other way round of it, where {@link #reversed} has been asked for: all that
   * devices may hold parts of.
   */
  default List<ExecutorGraph> views() {
    return List.of(this);
  }

  /**
   * A graph with some vertices and edges left out. It has the same dense ids, partitions and
   * ghosts, so tables of values fit both; what is left out is not {@linkplain
   * GraphPartition#present() present}. One of several shards must be connected again afterwards,
   * all with the same predicates, because degrees change.
   *
   * @param vertices which original ids stay; null: all
   * @param edges which edges stay, of those whose two ends stay; null: all
   */
  ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges);

  /** Bytes held on the heap now. */
  long bytes();

  /**
   * Counts what is kept beside this graph as long as it lives, such as its rows in another order.
   *
   * @param bytes on the heap
   * @return whether there is room for it; otherwise it is not counted, and is not to be made
   */
  default boolean keep(long bytes) {
    return true;
  }

  /** Where the edges of all partitions are now. */
  default EdgeBytes edgeBytes() {
    return partitions().stream()
        .map(GraphPartition::edgeBytes)
        .reduce(EdgeBytes.NONE, EdgeBytes::plus);
  }

  /** Whether partitions give their out-edges: not those of a shard that was loaded without them. */
  default boolean hasOutEdges() {
    return true;
  }
}
