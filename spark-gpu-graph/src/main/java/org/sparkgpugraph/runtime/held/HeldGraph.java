package org.sparkgpugraph.runtime.held;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * A graph, or a shard of one, in an executor's memory, with what ties it to its source.
 *
 * @param graph structure
 * @param layouts one for each vertex partition of the source, of the vertices held here; empty when
 *     the source has none
 * @param attributes vertex attributes by dense id, ghosts' too, or null when none were loaded
 * @param outEdges whether the out-edges of the vertices held here are at hand
 * @param loadHeapPeak most bytes of this JVM's heap that were in use while it was loaded; 0: not
 *     known
 */
public record HeldGraph(
    ExecutorGraph graph,
    List<VertexLayout> layouts,
    Columns attributes,
    boolean outEdges,
    long loadHeapPeak) {
  /** What is loaded beside the structure. */
  public Needs loaded() {
    return new Needs(attributes != null, graph.edgeType() != null, outEdges);
  }

  /** Whether the vertex with this id is held here. */
  public boolean contains(long id) {
    return isVertex(graph.ids().dense(id));
  }

  /** Whether a dense id is a vertex that is held here. */
  boolean isVertex(long dense) {
    if (dense < 0) {
      return false;
    }
    GraphPartition partition = graph.partitions().get(graph.partitionOf(dense));
    long local = dense - partition.firstVertex();
    if (local < 0 || local >= partition.stored()) {
      return false;
    }
    long[] present = partition.present();
    return present == null || (present[(int) (local >>> 6)] >>> local & 1) != 0;
  }

  /** The same graph with other attributes. */
  HeldGraph with(Columns others) {
    return new HeldGraph(graph, layouts, others, outEdges, loadHeapPeak);
  }
}
