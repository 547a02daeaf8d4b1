package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.graph.Csr;
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
  private final Map<GraphPartition, int[][]> costs = new WeakHashMap<>();

  /** See {@link VertexGrouping#group}. */
  synchronized Csr grouped(Csr transpose, int targets, int shift) {
    if (shift == 0) {
      return transpose;
    }
    return grouped
        .computeIfAbsent(transpose, t -> new HashMap<>())
        .computeIfAbsent(shift, s -> VertexGrouping.group(transpose, targets, s));
  }

  /**
   * For each held vertex the edges that its being active selects.
   *
   * @param perIn its in-edges count
   * @param perOut its out-edges count
   * @return {@code int[stored]}
   */
  synchronized int[] activeCosts(GraphPartition partition, boolean perIn, boolean perOut) {
    int[][] kinds = costs.computeIfAbsent(partition, p -> new int[4][]);
    int kind = (perIn ? 1 : 0) + (perOut ? 2 : 0);
    if (kinds[kind] == null) {
      int[] cost = new int[partition.stored()];
      for (int v = 0; v < cost.length; v++) {
        long sum = perIn ? partition.inDegree(v) : 0;
        sum += perOut ? partition.outDegree(v) : 0;
        cost[v] = (int) Math.min(sum, Integer.MAX_VALUE);
      }
      kinds[kind] = cost;
    }
    return kinds[kind];
  }
}
