package org.sparkgpugraph.graphs.placement;

import java.util.Arrays;

/**
 * An undirected graph that partitioners work on: every edge stands in the rows of both ends.
 *
 * @param offsets where the row of a vertex begins; {@code int[vertices + 1]}
 * @param neighbours of all vertices
 * @param weights how many edges each entry stands for; null: one each
 * @param load of each vertex: edges that its shard holds for it, and one for itself
 */
public record WeightedGraph(int[] offsets, int[] neighbours, int[] weights, long[] load) {
  /**
   * The same without directions.
   *
   * @param outEdges whether a shard holds the out-edges of its vertices, too, so that they are
   *     loads
   */
  public static WeightedGraph of(DirectedGraph graph, boolean outEdges) {
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
      load[v] =
          1 + (outEdges ? at - offsets[v] : reversed.offsets()[v + 1] - reversed.offsets()[v]);
    }
    return new WeightedGraph(offsets, neighbours, null, load);
  }

  /** The same edges with other loads. */
  public WeightedGraph with(long[] loads) {
    return new WeightedGraph(offsets, neighbours, weights, loads);
  }

  /** Number of vertices. */
  public int vertices() {
    return load.length;
  }

  /** How many edges an entry stands for. */
  public int weight(int entry) {
    return weights == null ? 1 : weights[entry];
  }

  /** Of all vertices. */
  public long totalLoad() {
    return Arrays.stream(load).sum();
  }

  /**
   * The graph of clusters.
   *
   * @param cluster of each vertex, 0 to {@code clusters − 1}
   */
  public WeightedGraph contracted(int[] cluster, int clusters) {
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
    int[] ends = new int[Math.min(neighbours.length, 1 << 10)];
    int[] sums = new int[ends.length];
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
              if (size == ends.length) {
                int more = (int) Math.min(neighbours.length, 2L * size);
                ends = Arrays.copyOf(ends, more);
                sums = Arrays.copyOf(sums, more);
              }
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
