package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.graphs.placement.Partitioner;
import org.sparkgpugraph.graphs.placement.WeightedGraph;

/**
 * A graph whose hubs' in-edges are held where their sources are, while all other edges are where
 * their targets are (the hybrid cut of PowerLyra, Chen 2015, turned round). A shard merges what its
 * own vertices tell a hub, and sends the hub's shard one partial message; a vertex sends its value
 * to shards that hold another target of it, as ever. Both are sets of vertices and one that owns
 * them, here called nets: whoever owns a net exchanges one number with each other shard that has a
 * vertex of it. What vertices say that hear nothing themselves counts nowhere: they say it once.
 */
final class HubCut {
  /** As in {@link Partitioner#spareUpdates}. */
  private static final int UPDATE = 60;

  private static final int[] FEW = {24, 16, 8, 0};
  private static final int PASSES = 4;

  /** One vertex in so many moves in the last pass of a step. */
  private static final int STILL = 200;

  private final int vertices;
  private final int hubs;
  private final long hubEdges;
  private final long[] load;

  /** Net v: who reads v; net vertices + v: who tells the hub v something. */
  private final int[] offsets;

  private final int[] members;

  /** The nets that a vertex is in. */
  private final int[] netOffsets;

  private final int[] nets;

  private HubCut(int vertices, int hubs, long hubEdges, long[] load, int[] offsets, int[] members) {
    this.vertices = vertices;
    this.hubs = hubs;
    this.hubEdges = hubEdges;
    this.load = load;
    this.offsets = offsets;
    this.members = members;
    netOffsets = new int[vertices + 1];
    for (int member : members) {
      netOffsets[member + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      netOffsets[v + 1] += netOffsets[v];
    }
    nets = new int[members.length];
    int[] at = netOffsets.clone();
    for (int net = 0; net < 2 * vertices; net++) {
      for (int m = offsets[net]; m < offsets[net + 1]; m++) {
        nets[at[members[m]]++] = net;
      }
    }
  }

  /**
   * Cuts the hubs.
   *
   * @param degree vertices with more in-edges are hubs; {@link Integer#MAX_VALUE}: there are none
   */
  static HubCut of(DirectedGraph graph, int degree) {
    int n = graph.vertices();
    int[] inDegrees = graph.inDegrees();
    long[] load = new long[n];
    Arrays.fill(load, 1);
    int[] offsets = new int[2 * n + 1];
    long hubEdges = 0;
    for (int v = 0; v < n; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        int to = graph.targets()[e];
        boolean toHub = inDegrees[to] > degree;
        load[toHub ? v : to]++;
        hubEdges += toHub ? 1 : 0;
        if (to != v && inDegrees[v] > 0) {
          offsets[1 + (toHub ? n + to : v)]++;
        }
      }
    }
    for (int net = 0; net < 2 * n; net++) {
      offsets[net + 1] += offsets[net];
    }
    int[] members = new int[offsets[2 * n]];
    int[] at = offsets.clone();
    for (int v = 0; v < n; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        int to = graph.targets()[e];
        if (to != v && inDegrees[v] > 0) {
          boolean toHub = inDegrees[to] > degree;
          members[at[toHub ? n + to : v]++] = toHub ? v : to;
        }
      }
    }
    int hubs = (int) Arrays.stream(inDegrees).filter(d -> d > degree).count();
    return new HubCut(n, hubs, hubEdges, load, offsets, members);
  }

  /** Number of hubs. */
  int hubs() {
    return hubs;
  }

  /** Edges that point at hubs. */
  long hubEdges() {
    return hubEdges;
  }

  /** The same edges with the loads that shards have where hubs are cut. */
  WeightedGraph weighted(WeightedGraph graph) {
    return new WeightedGraph(graph.offsets(), graph.neighbours(), graph.weights(), load);
  }

  /**
   * What a superstep that changes all values sends.
   *
   * @param values of vertices to other shards
   * @param partials partial messages to hubs
   * @param most what the shard receives that receives most, when partials go straight to the hub's
   *     shard
   * @param mostInTree the same where they go up a binary tree of the shards that have some, which
   *     takes as many exchanges as the tree has levels
   */
  record Sent(long values, long partials, long most, long mostInTree) {
    long all() {
      return values + partials;
    }
  }

  Sent sent(byte[] shard, int shards) {
    long[] straight = new long[shards];
    long[] inTree = new long[shards];
    long[] sums = new long[2];
    int[] path = new int[shards];
    for (int net = 0; net < 2 * vertices; net++) {
      boolean toHub = net >= vertices;
      int home = shard[net % vertices];
      long others = others(net, shard, home);
      sums[toHub ? 1 : 0] += Long.bitCount(others);
      path[0] = home;
      int size = 1;
      for (int i = 1; i < shards; i++) {
        int s = (home + i) % shards;
        if ((others >>> s & 1) != 0) {
          straight[toHub ? home : s]++;
          inTree[toHub ? path[(size - 1) / 2] : s]++;
          path[size++] = s;
        }
      }
    }
    return new Sent(
        sums[0],
        sums[1],
        Arrays.stream(straight).max().orElseThrow(),
        Arrays.stream(inTree).max().orElseThrow());
  }

  /** The shards other than its owner's that have a vertex of a net, as bits. */
  private long others(int net, byte[] shard, int home) {
    long seen = 0;
    for (int m = offsets[net]; m < offsets[net + 1]; m++) {
      seen |= 1L << shard[members[m]];
    }
    return seen & ~(1L << home);
  }

  // ---- placing ----------------------------------------------------------------------------------

  /** The better of the moves from ranges and of those from clusters. */
  byte[] placed(WeightedGraph graph, int shards, double imbalance) {
    WeightedGraph loaded = weighted(graph);
    Partitioner ways = new Partitioner(shards, imbalance);
    byte[] ranges = moved(ways.ranges(loaded), shards, imbalance);
    byte[] levels = moved(ways.levels(loaded), shards, imbalance);
    return sent(ranges, shards).all() < sent(levels, shards).all() ? ranges : levels;
  }

  /** As {@link Partitioner#spareUpdates}, of values and partial messages together. */
  private byte[] moved(byte[] start, int shards, double imbalance) {
    byte[] shard = start.clone();
    int[] held = new int[2 * vertices * shards];
    for (int net = 0; net < 2 * vertices; net++) {
      for (int m = offsets[net]; m < offsets[net + 1]; m++) {
        held[net * shards + shard[members[m]]]++;
      }
    }
    long[] loads = new long[shards];
    for (int v = 0; v < vertices; v++) {
      loads[shard[v]] += load[v];
    }
    double most = imbalance * Arrays.stream(load).sum() / shards;
    for (int few : FEW) {
      int moved = vertices;
      for (int pass = 0; pass < PASSES && moved > vertices / STILL; pass++) {
        moved = 0;
        for (int v = 0; v < vertices; v++) {
          int best = best(v, shard, shards, held, loads, most, few);
          int own = shard[v];
          if (best != own) {
            for (int i = netOffsets[v]; i < netOffsets[v + 1]; i++) {
              held[nets[i] * shards + own]--;
              held[nets[i] * shards + best]++;
            }
            loads[own] -= load[v];
            loads[best] += load[v];
            shard[v] = (byte) best;
            moved++;
          }
        }
      }
    }
    return shard;
  }

  private int best(
      int v, byte[] shard, int shards, int[] held, long[] loads, double most, int few) {
    int own = shard[v];
    long[] cost = new long[shards];
    for (int net = v; net < 2 * vertices; net += vertices) {
      for (int s = 0; s < shards; s++) {
        cost[s] -= held[net * shards + s] > 0 ? UPDATE : 0;
      }
    }
    for (int i = netOffsets[v]; i < netOffsets[v + 1]; i++) {
      int home = shard[nets[i] % vertices];
      for (int s = 0; s < shards; s++) {
        int others = held[nets[i] * shards + s] - (s == own ? 1 : 0);
        cost[s] += s == home ? 0 : others == 0 ? UPDATE : few / (others + 1);
      }
    }
    int best = own;
    for (int s = 0; s < shards; s++) {
      long then = loads[s] + load[v];
      boolean eases = cost[s] == cost[best] && s != own && then < loads[best];
      if (then <= most && (cost[s] < cost[best] || eases)) {
        best = s;
      }
    }
    return best;
  }

  /** How many times its share of edges and vertices together the fullest shard holds. */
  double fullest(byte[] shard, int shards) {
    return fullest(shard, shards, load);
  }

  /** How many times its share of the vertices a shard holds at most. */
  double mostVertices(byte[] shard, int shards) {
    long[] one = new long[vertices];
    Arrays.fill(one, 1);
    return fullest(shard, shards, one);
  }

  private static double fullest(byte[] shard, int shards, long[] load) {
    long[] loads = new long[shards];
    for (int v = 0; v < shard.length; v++) {
      loads[shard[v]] += load[v];
    }
    return (double) Arrays.stream(loads).max().orElseThrow() * shards / Arrays.stream(loads).sum();
  }
}
