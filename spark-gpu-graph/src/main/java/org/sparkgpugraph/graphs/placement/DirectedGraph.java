package org.sparkgpugraph.graphs.placement;

import java.util.Arrays;

/**
 * A directed graph of vertices 0 to {@code vertices − 1}, as compressed sparse rows of its
 * out-edges.
 *
 * @param vertices number of vertices
 * @param offsets where the out-edges of a vertex begin; {@code int[vertices + 1]}
 * @param targets their other ends
 */
public record DirectedGraph(int vertices, int[] offsets, int[] targets) {
  /** Of edges in any order. */
  public static DirectedGraph of(int vertices, int[] sources, int[] destinations) {
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

  /** Number of edges. */
  public int edges() {
    return targets.length;
  }

  /** By vertex: how many edges point at it. */
  public int[] inDegrees() {
    int[] degrees = new int[vertices];
    for (int target : targets) {
      degrees[target]++;
    }
    return degrees;
  }

  /** With every edge turned round. */
  public DirectedGraph reversed() {
    return of(vertices, targets, sources());
  }

  /** With every edge in both directions. */
  public DirectedGraph bothWays() {
    int[] sources = Arrays.copyOf(sources(), 2 * targets.length);
    int[] destinations = Arrays.copyOf(targets, sources.length);
    System.arraycopy(sources, 0, destinations, targets.length, targets.length);
    System.arraycopy(targets, 0, sources, targets.length, targets.length);
    return of(vertices, sources, destinations);
  }

  /**
   * Without the out-edges of vertices that no edge points at: those hear nothing, so that they say
   * nothing new.
   */
  public DirectedGraph ofHearing() {
    int[] degrees = inDegrees();
    int[] starts = new int[vertices + 1];
    for (int v = 0; v < vertices; v++) {
      starts[v + 1] = starts[v] + (degrees[v] == 0 ? 0 : offsets[v + 1] - offsets[v]);
    }
    int[] kept = new int[starts[vertices]];
    for (int v = 0; v < vertices; v++) {
      System.arraycopy(targets, offsets[v], kept, starts[v], starts[v + 1] - starts[v]);
    }
    return new DirectedGraph(vertices, starts, kept);
  }

  private int[] sources() {
    int[] sources = new int[targets.length];
    for (int v = 0; v < vertices; v++) {
      Arrays.fill(sources, offsets[v], offsets[v + 1], v);
    }
    return sources;
  }

  /**
   * Boundary updates of a superstep that changes every vertex: for each vertex the number of other
   * shards that hold one of its targets.
   *
   * @param shard of each vertex, below 64
   */
  public long boundary(byte[] shard) {
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
