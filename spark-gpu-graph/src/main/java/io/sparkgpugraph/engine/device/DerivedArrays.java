package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.graph.Csr;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Host arrays that only devices need and that are made from a graph's structure: kept as long as
 * that structure, so that a graph's runs make (and upload) them once. Thread-safe.
 */
final class DerivedArrays {
  // A Csr is equal to another one when its arrays are the same objects.
  private final Map<Csr, Map<Integer, Csr>> grouped = new WeakHashMap<>();
  private final Map<GraphPartition, Map<ActiveWork, int[]>> costs = new WeakHashMap<>();

  /** See {@link VertexGrouping#group}. */
  synchronized Csr grouped(Csr transpose, int targets, int shift) {
    if (shift == 0) {
      return transpose;
    }
    return grouped
        .computeIfAbsent(transpose, t -> new HashMap<>())
        .computeIfAbsent(shift, s -> VertexGrouping.group(transpose, targets, s));
  }

  /** See {@link ActiveWork#costs}. */
  synchronized int[] activeCosts(
      ExecutorGraph graph, GraphPartition partition, ActiveWork work, int threads) {
    return costs
        .computeIfAbsent(partition, p -> new HashMap<>())
        .computeIfAbsent(work, w -> w.costs(graph, partition, threads));
  }
}
