package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexOwners;

/** Computes new edge attributes, a whole edge partition at a time. */
@FunctionalInterface
public interface EdgeValueFunction extends Serializable {
  /**
   * Makes the attributes of one edge partition. Runs in a task, and again when the result's blocks
   * are lost.
   *
   * @param partition index of the edge partition
   * @param edges the edges and their old attributes
   * @return an array of {@code edges.size()} attributes in the order of the edges: a primitive
   *     array, or one of boxes or records, by the class tag given beside the function
   */
  Object apply(int partition, EdgeBlock edges);

  /**
   * Attributes that depend on the source alone, such as {@link #perOutEdge}. The function is asked
   * about once per distinct source of a GraphX partition, whose edges are sorted by it.
   *
   * @param value by original id of the source; several threads call it
   * @param threads to work with, at least 1
   * @return {@code double[edges.size()]}
   */
  static double[] bySource(EdgeBlock edges, LongToDoubleFunction value, int threads) {
    double[] values = new double[edges.size()];
    try (Workers workers = new Workers(threads)) {
      workers.forEachChunk(
          values.length,
          (from, to) -> {
            long source = 0;
            double found = 0;
            for (int i = from; i < to; i++) {
              long of = edges.source(i);
              if (i == from || of != source) {
                source = of;
                found = value.applyAsDouble(of);
              }
              values[i] = found;
            }
          });
    }
    return values;
  }

  /**
   * {@code 1 / outDegree}, the edge attribute of GraphX's PageRank result.
   *
   * @param shards of the graph, all of them
   * @param owners which one holds a vertex
   */
  static LongToDoubleFunction perOutEdge(List<ExecutorGraph> shards, VertexOwners owners) {
    return id -> {
      ExecutorGraph graph = shards.get(owners.shardOf(id));
      long dense = graph.ids().dense(id);
      GraphPartition home = graph.partitions().get(graph.partitionOf(dense));
      return 1.0 / home.outDegree((int) (dense - home.firstVertex()));
    };
  }
}
