package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Modularity by its formula, and Louvain's method the plain way: one vertex after the other. */
public final class LouvainOracle {
  private LouvainOracle() {}

  /**
   * The formula, community by community.
   *
   * @param gamma resolution
   * @param communities community of each vertex that has an edge
   */
  public static double modularity(
      long[] sources,
      long[] destinations,
      double[] weights,
      double gamma,
      Map<Long, Long> communities) {
    Map<Long, Double> totals = new HashMap<>();
    double inside = 0;
    double whole = 0;
    for (int e = 0; e < sources.length; e++) {
      long one = communities.get(sources[e]);
      long other = communities.get(destinations[e]);
      totals.merge(one, weights[e], Double::sum);
      totals.merge(other, weights[e], Double::sum);
      inside += one == other ? 2 * weights[e] : 0;
      whole += 2 * weights[e];
    }
    double expected = 0;
    for (double total : totals.values()) {
      expected += total * total;
    }
    return whole == 0 ? 0 : inside / whole - gamma * expected / (whole * whole);
  }

  /** Communities of a graph whose vertices are 0 to n - 1 and whose edges count 1 each. */
  public static Map<Long, Long> communities(int n, long[] sources, long[] destinations) {
    List<Map<Integer, Double>> rows = rows(n);
    for (int e = 0; e < sources.length; e++) {
      rows.get((int) sources[e]).merge((int) destinations[e], 1.0, Double::sum);
      rows.get((int) destinations[e]).merge((int) sources[e], 1.0, Double::sum);
    }
    int[] label = identity(n);
    for (int[] level = level(rows); level != null; level = level(rows)) {
      int[] communities = level;
      label = Arrays.stream(label).map(v -> communities[v]).toArray();
      List<Map<Integer, Double>> next = rows(Arrays.stream(level).max().getAsInt() + 1);
      for (int v = 0; v < level.length; v++) {
        int own = level[v];
        rows.get(v).forEach((u, w) -> next.get(own).merge(communities[u], w, Double::sum));
      }
      rows = next;
    }
    Map<Long, Long> communities = new TreeMap<>();
    for (int v = 0; v < n; v++) {
      communities.put((long) v, (long) label[v]);
    }
    return communities;
  }

  private static List<Map<Integer, Double>> rows(int count) {
    List<Map<Integer, Double>> rows = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      rows.add(new TreeMap<>());
    }
    return rows;
  }

  private static int[] identity(int n) {
    int[] identity = new int[n];
    Arrays.setAll(identity, v -> v);
    return identity;
  }

  /** Numbered communities of a level's vertices; null: none has moved. */
  private static int[] level(List<Map<Integer, Double>> rows) {
    int n = rows.size();
    double[] strengths = new double[n];
    Arrays.setAll(
        strengths, v -> rows.get(v).values().stream().mapToDouble(Double::doubleValue).sum());
    double whole = Arrays.stream(strengths).sum();
    double[] totals = strengths.clone();
    int[] community = identity(n);
    boolean moved = true;
    boolean any = false;
    while (moved) {
      moved = false;
      for (int v = 0; v < n; v++) {
        Map<Integer, Double> to = new TreeMap<>(Map.of(community[v], 0.0));
        for (Map.Entry<Integer, Double> entry : rows.get(v).entrySet()) {
          if (entry.getKey() != v) {
            to.merge(community[entry.getKey()], entry.getValue(), Double::sum);
          }
        }
        totals[community[v]] -= strengths[v];
        int best = community[v];
        double most = to.get(best) - strengths[v] * totals[best] / whole;
        for (Map.Entry<Integer, Double> entry : to.entrySet()) {
          double score = entry.getValue() - strengths[v] * totals[entry.getKey()] / whole;
          if (score > most + 1e-9) {
            most = score;
            best = entry.getKey();
          }
        }
        totals[best] += strengths[v];
        moved |= best != community[v];
        community[v] = best;
      }
      any |= moved;
    }
    int[] used = Arrays.stream(community).distinct().sorted().toArray();
    return any ? Arrays.stream(community).map(c -> Arrays.binarySearch(used, c)).toArray() : null;
  }
}
