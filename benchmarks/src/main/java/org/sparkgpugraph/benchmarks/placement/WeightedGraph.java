package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;

/**
 * An undirected graph that partitioners work on: every edge stands in the rows of both ends.
 *
 * @param offsets where the row of a vertex begins; {@code int[vertices + 1]}
 * @param neighbours of all vertices
 * @param weights how many edges each entry stands for; null: one each
 * @param load of each vertex: in-edges that its shard holds, and one for itself
 */
record WeightedGraph(int[] offsets, int[] neighbours, int[] weights, long[] load) {
  static WeightedGraph of(DirectedGraph graph) {
    DirectedGraph reversed = graph.reversed();
    int n = graph.vertices();
    int[] offsets = new int[n + 1];
    int[] neighbours = new int[2 * graph.edges()];
    long[] load = new long[n];
    int at = 0;
    for (int v = 0; v < n; v++) {
      for (DirectedGraph side : new DirectedGraph[] {graph, reversed}) {
        int count = side.offsets()[v + 1] - side.offsets()[v];
        System.arraycopy(side.targets(), side.offsets()[v], neighbours, at, count);
        at += count;
      }
      offsets[v + 1] = at;
      load[v] = 1 + reversed.offsets()[v + 1] - reversed.offsets()[v];
    }
    return new WeightedGraph(offsets, neighbours, null, load);
  }

  int vertices() {
    return load.length;
  }

  int weight(int entry) {
    return weights == null ? 1 : weights[entry];
  }

  long totalLoad() {
    return Arrays.stream(load).sum();
  }

  /**
   * The graph of clusters.
   *
   * @param cluster of each vertex, 0 to {@code clusters − 1}
   */
  WeightedGraph contracted(int[] cluster, int clusters) {
    int[] first = new int[clusters + 1];
    for (int c : cluster) {
      first[c + 1]++;
    }
    for (int c = 0; c < clusters; c++) {
      first[c + 1] += first[c];
    }
    int[] members = new int[cluster.length];
    int[] at = first.clone();
    for (int v = 0; v < cluster.length; v++) {
      members[at[cluster[v]]++] = v;
    }
    int[] rows = new int[clusters + 1];
    int[] ends = new int[neighbours.length];
    int[] sums = new int[neighbours.length];
    long[] loads = new long[clusters];
    int[] place = new int[clusters];
    Arrays.fill(place, -1);
    int size = 0;
    for (int c = 0; c < clusters; c++) {
      for (int m = first[c]; m < first[c + 1]; m++) {
        int v = members[m];
        loads[c] += load[v];
        for (int e = offsets[v]; e < offsets[v + 1]; e++) {
          int other = cluster[neighbours[e]];
          if (other != c) {
            if (place[other] < rows[c]) {
              place[other] = size;
              ends[size] = other;
              size++;
            }
            sums[place[other]] += weight(e);
          }
        }
      }
      rows[c + 1] = size;
    }
    return new WeightedGraph(rows, Arrays.copyOf(ends, size), Arrays.copyOf(sums, size), loads);
  }
}
