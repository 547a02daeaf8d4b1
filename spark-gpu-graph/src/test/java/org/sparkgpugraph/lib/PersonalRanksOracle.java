package org.sparkgpugraph.lib;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Personalised PageRank for several sources in sequential code, as GraphX computes it: sparse
 * vectors with an entry for each source that has reached a vertex.
 */
final class PersonalRanksOracle {
  private PersonalRanksOracle() {}

  /**
   * A rank for each source at every vertex; those for one source add up to 1.
   *
   * @param stale whether a vertex whose vector {@link #looksEqual} to the one before is still seen
   *     with that by its successors, as in GraphX 3.5 and 4.0
   */
  static Map<Long, double[]> of(
      TestGraph<?, ?> graph, int iterations, double reset, long[] sources, boolean stale) {
    Map<Long, SortedMap<Integer, Double>> ranks = new HashMap<>();
    Map<Long, Integer> degrees = new HashMap<>();
    for (long id : graph.ids()) {
      ranks.put(id, new TreeMap<>());
    }
    for (int i = 0; i < sources.length; i++) {
      ranks.get(sources[i]).put(i, 1.0);
    }
    for (long source : graph.sources()) {
      degrees.merge(source, 1, Integer::sum);
    }
    Map<Long, SortedMap<Integer, Double>> seen = new HashMap<>(ranks);
    for (int iteration = 0; iteration < iterations; iteration++) {
      Map<Long, SortedMap<Integer, Double>> next = new HashMap<>();
      for (long id : graph.ids()) {
        next.put(id, new TreeMap<>());
      }
      for (int e = 0; e < graph.edgeCount(); e++) {
        SortedMap<Integer, Double> sum = next.get(graph.destinations()[e]);
        double weight = 1.0 / degrees.get(graph.sources()[e]);
        seen.get(graph.sources()[e]).forEach((i, rank) -> sum.merge(i, rank * weight, Double::sum));
      }
      next.values().forEach(sum -> sum.replaceAll((i, rank) -> rank * (1.0 - reset)));
      for (int i = 0; i < sources.length; i++) {
        next.get(sources[i]).merge(i, reset, Double::sum);
      }
      for (long id : graph.ids()) {
        if (!stale || !looksEqual(ranks.get(id), next.get(id))) {
          seen.put(id, next.get(id));
        }
      }
      ranks = next;
    }
    double[] sums = new double[sources.length];
    ranks.values().forEach(vector -> vector.forEach((i, rank) -> sums[i] += rank));
    Map<Long, double[]> all = new HashMap<>();
    ranks.forEach(
        (id, vector) -> {
          double[] values = new double[sources.length];
          vector.forEach((i, rank) -> values[i] = rank / sums[i]);
          all.put(id, values);
        });
    return all;
  }

  /**
   * What Breeze 2.1 says of two sparse vectors without stored zeros: entries are compared until one
   * of them has no more.
   */
  private static boolean looksEqual(
      SortedMap<Integer, Double> one, SortedMap<Integer, Double> other) {
    var left = one.entrySet().iterator();
    var right = other.entrySet().iterator();
    while (left.hasNext() && right.hasNext()) {
      if (!left.next().equals(right.next())) {
        return false;
      }
    }
    return true;
  }
}
