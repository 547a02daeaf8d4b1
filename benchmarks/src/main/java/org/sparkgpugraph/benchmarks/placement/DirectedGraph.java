package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;
import java.util.Random;

/**
 * A directed graph of vertices 0 to {@code vertices − 1}, as compressed sparse rows of its
 * out-edges.
 *
 * @param vertices number of vertices
 * @param offsets where the out-edges of a vertex begin; {@code int[vertices + 1]}
 * @param targets their other ends
 */
record DirectedGraph(int vertices, int[] offsets, int[] targets) {
  /** Of edges in any order. */
  static DirectedGraph of(int vertices, int[] sources, int[] destinations) {
    int[] offsets = new int[vertices + 1];
    for (int source : sources) {
      offsets[source + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] at = offsets.clone();
    int[] targets = new int[sources.length];
    for (int e = 0; e < sources.length; e++) {
      targets[at[sources[e]]++] = destinations[e];
    }
    return new DirectedGraph(vertices, offsets, targets);
  }

  int edges() {
    return targets.length;
  }

  int[] inDegrees() {
    int[] degrees = new int[vertices];
    for (int target : targets) {
      degrees[target]++;
    }
    return degrees;
  }

  DirectedGraph reversed() {
    int[] sources = new int[targets.length];
    for (int v = 0; v < vertices; v++) {
      Arrays.fill(sources, offsets[v], offsets[v + 1], v);
    }
    return of(vertices, targets, sources);
  }

  /** The same graph with ids that tell nothing. */
  DirectedGraph shuffled(long seed) {
    Random random = new Random(seed);
    int[] id = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      int other = random.nextInt(v + 1);
      id[v] = id[other];
      id[other] = v;
    }
    int[] sources = new int[targets.length];
    int[] destinations = new int[targets.length];
    for (int v = 0; v < vertices; v++) {
      for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        sources[e] = id[v];
        destinations[e] = id[targets[e]];
      }
    }
    return of(vertices, sources, destinations);
  }

  /**
   * Boundary updates of a superstep that changes every vertex: for each vertex the number of other
   * shards that hold one of its targets.
   *
   * @param shard of each vertex, below 64
   */
  long boundary(byte[] shard) {
    long readers = 0;
    for (int v = 0; v < vertices; v++) {
      long seen = 1L << shard[v];
      for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        seen |= 1L << shard[targets[e]];
      }
      readers += Long.bitCount(seen) - 1;
    }
    return readers;
  }
}
