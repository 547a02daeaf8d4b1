package org.sparkgpugraph.graphs.placement;

import java.util.Arrays;
import java.util.Random;

/**
 * Ways to place the vertices of a graph on shards of about equal load. Each returns the shard of
 * each vertex.
 */
public final class Partitioner {
  /** Most shards: sets of them are the bits of a number. */
  public static final int MOST_SHARDS = Long.SIZE;

  /** How much more than its share a shard may hold where vertices follow edges. */
  private static final double SLACK = 1.05;

  private static final long SEED = 7;

  /** Clusters that a shard is made of, at least. */
  private static final int PIECES = 16;

  private static final int ROUNDS = 4;

  /** Numbers of targets, by vertex and shard, that one array has. */
  private static final int MOST_COUNTS = Integer.MAX_VALUE - 8;

  /** What an update costs. */
  private static final int UPDATE = 60;

  /** What a source costs that has one other reader, twice; step by step. */
  private static final int[] FEW = {24, 16, 8, 0};

  /** From so many other readers on a source costs nothing. */
  private static final int COSTS = FEW[0] + 1;

  /** One vertex in so many moves in the last pass that spares updates. */
  private static final int STILL = 200;

  private final int shards;

  /** The same where vertices are moved to spare updates. */
  private final double imbalance;

  private final double slack;

  /**
   * @param shards to place vertices on, 1 to {@value #MOST_SHARDS}
   * @param imbalance how many times its share a shard may hold, above 1; ways that follow edges
   *     alone use no more than {@value #SLACK}
   */
  public Partitioner(int shards, double imbalance) {
    this.shards = shards;
    this.imbalance = imbalance;
    slack = Math.min(SLACK, imbalance);
  }

  // ---- ranges -----------------------------------------------------------------------------------

  /** Ranges of ids with about equal loads: what loading does. */
  public byte[] ranges(WeightedGraph graph) {
    int[] order = new int[graph.vertices()];
    Arrays.setAll(order, v -> v);
    return cut(graph, order);
  }

  /** Ranges of a breadth-first order that begins at a vertex far from another one. */
  public byte[] breadthFirst(WeightedGraph graph) {
    int[] order = order(graph, 0);
    return cut(graph, order(graph, order[order.length - 1]));
  }

  private byte[] cut(WeightedGraph graph, int[] order) {
    byte[] shard = new byte[order.length];
    double share = (double) graph.totalLoad() / shards;
    long before = 0;
    for (int v : order) {
      shard[v] = (byte) Math.min(shards - 1, (int) ((before + graph.load()[v] / 2) / share));
      before += graph.load()[v];
    }
    return shard;
  }

  /** Vertices in breadth-first order; other components follow, by their least vertices. */
  private static int[] order(WeightedGraph graph, int start) {
    int n = graph.vertices();
    int[] order = new int[n];
    boolean[] seen = new boolean[n];
    int end = 0;
    int read = 0;
    for (int root = -1; root < n; root++) {
      int v = root < 0 ? start : root;
      if (!seen[v]) {
        seen[v] = true;
        order[end++] = v;
      }
      while (read < end) {
        int from = order[read++];
        for (int e = graph.offsets()[from]; e < graph.offsets()[from + 1]; e++) {
          int to = graph.neighbours()[e];
          if (!seen[to]) {
            seen[to] = true;
            order[end++] = to;
          }
        }
      }
    }
    return order;
  }

  // ---- streams ----------------------------------------------------------------------------------

  /**
   * Linear deterministic greedy (Stanton and Kliot 2012), restreamed (Nishimura and Ugander 2013):
   * each vertex goes where most of its neighbours are, times the room that is left there.
   */
  public byte[] greedy(WeightedGraph graph, int passes) {
    byte[] shard = new byte[graph.vertices()];
    Arrays.fill(shard, (byte) -1);
    double most = slack * graph.totalLoad() / shards;
    for (int pass = 0; pass < passes; pass++) {
      double[] held = new double[shards];
      long[] found = new long[shards];
      for (int v = 0; v < shard.length; v++) {
        count(graph, shard, v, found);
        int best = 0;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int s = 0; s < shards; s++) {
          double room = 1 - (held[s] + graph.load()[v]) / most;
          // Where nobody is: the emptiest.
          double score = room <= 0 ? room - 1 : (found[s] + 1e-3) * room;
          if (score > bestScore) {
            bestScore = score;
            best = s;
          }
        }
        shard[v] = (byte) best;
        held[best] += graph.load()[v];
      }
    }
    return shard;
  }

  private void count(WeightedGraph graph, byte[] shard, int v, long[] found) {
    Arrays.fill(found, 0);
    for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
      int s = shard[graph.neighbours()[e]];
      if (s >= 0) {
        found[s] += graph.weight(e);
      }
    }
  }

  // ---- label propagation on several levels
  // --------------------------------------------------------

  /**
   * Clusters of bounded load by label propagation, contracted, until no more become one; these are
   * placed greedily, and on the way back each vertex goes where most of its neighbours are, as far
   * as there is room (Meyerhenke, Sanders and Schulz 2014).
   */
  public byte[] levels(WeightedGraph graph) {
    return levels(graph, new Random(SEED));
  }

  private byte[] levels(WeightedGraph graph, Random random) {
    int n = graph.vertices();
    int[] cluster = clusters(graph, graph.totalLoad() / shards / PIECES, random);
    int[] dense = new int[n];
    Arrays.fill(dense, -1);
    int clusters = 0;
    for (int v = 0; v < n; v++) {
      if (dense[cluster[v]] < 0) {
        dense[cluster[v]] = clusters++;
      }
      cluster[v] = dense[cluster[v]];
    }
    byte[] shard;
    if (clusters > 0.9 * n || clusters < PIECES * shards) {
      shard = placed(graph);
    } else {
      byte[] above = levels(graph.contracted(cluster, clusters), random);
      shard = new byte[n];
      for (int v = 0; v < n; v++) {
        shard[v] = above[cluster[v]];
      }
    }
    refine(graph, shard);
    return shard;
  }

  private static int[] clusters(WeightedGraph graph, long most, Random random) {
    int n = graph.vertices();
    int[] label = new int[n];
    Arrays.setAll(label, v -> v);
    long[] held = graph.load().clone();
    int[] seen = new int[n];
    int[] found = new int[n];
    int[] order = label.clone();
    for (int v = n - 1; v > 0; v--) {
      int other = random.nextInt(v + 1);
      int one = order[v];
      order[v] = order[other];
      order[other] = one;
    }
    for (int round = 0; round < ROUNDS; round++) {
      int moved = 0;
      for (int v : order) {
        int labels = 0;
        for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
          int l = label[graph.neighbours()[e]];
          if (found[l] == 0) {
            seen[labels++] = l;
          }
          found[l] += graph.weight(e);
        }
        int best = label[v];
        for (int i = 0; i < labels; i++) {
          int l = seen[i];
          boolean fits = l == label[v] || held[l] + graph.load()[v] <= most;
          if (fits && found[l] > found[best]) {
            best = l;
          }
        }
        for (int i = 0; i < labels; i++) {
          found[seen[i]] = 0;
        }
        if (best != label[v]) {
          held[label[v]] -= graph.load()[v];
          held[best] += graph.load()[v];
          label[v] = best;
          moved++;
        }
      }
      if (moved < n / 100) {
        break;
      }
    }
    return label;
  }

  /** The best of a breadth-first cut and a greedy stream, both refined. */
  private byte[] placed(WeightedGraph graph) {
    byte[] best = null;
    long least = Long.MAX_VALUE;
    for (byte[] shard : new byte[][] {breadthFirst(graph), greedy(graph, 10), ranges(graph)}) {
      for (int i = 0; i < ROUNDS; i++) {
        refine(graph, shard);
      }
      long cut = cutWeight(graph, shard);
      if (cut < least) {
        least = cut;
        best = shard;
      }
    }
    return best;
  }

  private static long cutWeight(WeightedGraph graph, byte[] shard) {
    long cut = 0;
    for (int v = 0; v < shard.length; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        cut += shard[graph.neighbours()[e]] == shard[v] ? 0 : graph.weight(e);
      }
    }
    return cut;
  }

  private void refine(WeightedGraph graph, byte[] shard) {
    double most = slack * graph.totalLoad() / shards;
    long[] held = held(graph, shard);
    long[] found = new long[shards];
    for (int round = 0; round < ROUNDS; round++) {
      for (int v = 0; v < shard.length; v++) {
        count(graph, shard, v, found);
        int own = shard[v];
        int best = own;
        for (int s = 0; s < shards; s++) {
          boolean fits = held[s] + graph.load()[v] <= most;
          boolean eases = found[s] == found[best] && held[s] + graph.load()[v] < held[best];
          if (s != own && fits && (found[s] > found[best] || eases)) {
            best = s;
          }
        }
        held[own] -= graph.load()[v];
        held[best] += graph.load()[v];
        shard[v] = (byte) best;
      }
    }
  }

  /** Load of each shard. */
  public long[] held(WeightedGraph graph, byte[] shard) {
    long[] held = new long[shards];
    for (int v = 0; v < shard.length; v++) {
      held[shard[v]] += graph.load()[v];
    }
    return held;
  }

  // ---- by what is counted -----------------------------------------------------------------------

  /**
   * Moves vertices as long as that spares what shards tell each other, not edges between them: what
   * a partitioner that knows the exchange can gain on top. First a net of which few vertices are in
   * a shard costs there, too, the less the more they are, so that what could be freed in a few
   * moves is seen from afar; that costs less in each step, and in the last one what travels alone
   * counts. What is silent counts between shards that are equal otherwise, so that vertices that
   * hear nothing stay beside their readers. Of shards that are equal in that, too, a vertex takes
   * the emptier.
   *
   * @param nets what shards tell each other
   * @param weighted loads of the same vertices
   * @param passes over all vertices in each step, at most; none where nets times shards are 2³¹ or
   *     more
   */
  public byte[] spareUpdates(Nets nets, WeightedGraph weighted, byte[] start, int passes) {
    byte[] shard = start.clone();
    int n = shard.length;
    if ((long) nets.count() * shards > MOST_COUNTS) {
      return shard;
    }
    int[] held = nets.held(shard, shards);
    long[] loads = held(weighted, shard);
    double most = imbalance * weighted.totalLoad() / shards;
    for (int few : FEW) {
      int[] costs = new int[COSTS];
      for (int others = 1; others < COSTS; others++) {
        costs[others] = few / (others + 1);
      }
      costs[0] = UPDATE;
      int moved = n;
      for (int pass = 0; pass < passes && moved > n / STILL; pass++) {
        moved = move(nets, weighted, shard, held, loads, most, costs);
      }
    }
    return shard;
  }

  /**
   * One pass over all vertices.
   *
   * @param held by net and shard: how many of its vertices that holds
   * @param costs of a shard's having a vertex of a net, by the number of its others there
   * @return how many moved
   */
  private int move(
      Nets nets,
      WeightedGraph weighted,
      byte[] shard,
      int[] held,
      long[] loads,
      double most,
      int[] costs) {
    long[] cost = new long[shards];
    long[] silent = new long[shards];
    int moved = 0;
    for (int v = 0; v < shard.length; v++) {
      int own = shard[v];
      Arrays.fill(cost, 0);
      Arrays.fill(silent, 0);
      owned(v, nets.isSilent(v) ? silent : cost, held);
      int partials = nets.partials(v);
      if (partials >= 0) {
        owned(partials, cost, held);
        owned(partials + nets.hubs(), silent, held);
      }
      for (int i = nets.firstNet(v); i < nets.firstNet(v + 1); i++) {
        int net = nets.netOf(i);
        int home = shard[nets.owner(net)];
        long[] ofNet = nets.isSilent(net) ? silent : cost;
        for (int s = 0; s < shards; s++) {
          int others = held[net * shards + s] - (s == own ? 1 : 0);
          ofNet[s] += home == s ? 0 : costs[Math.min(others, COSTS - 1)];
        }
      }
      // Where hubs are cut those that are heard do better where there is room.
      boolean follows = nets.hubs() == 0 || nets.isSilent(v);
      int best = own;
      for (int s = 0; s < shards; s++) {
        long load = loads[s] + weighted.load()[v];
        int order = Long.compare(cost[s], cost[best]);
        order = order == 0 && follows ? Long.compare(silent[s], silent[best]) : order;
        boolean eases = order == 0 && s != own && load < loads[best];
        if (load <= most && (order < 0 || eases)) {
          best = s;
        }
      }
      if (best != own) {
        for (int i = nets.firstNet(v); i < nets.firstNet(v + 1); i++) {
          int net = nets.netOf(i);
          held[net * shards + own]--;
          held[net * shards + best]++;
        }
        loads[own] -= weighted.load()[v];
        loads[best] += weighted.load()[v];
        shard[v] = (byte) best;
        moved++;
      }
    }
    return moved;
  }

  /** Who owns a net has one other to tell less where it is held beside some of it. */
  private void owned(int net, long[] cost, int[] held) {
    for (int s = 0; s < shards; s++) {
      cost[s] += held[net * shards + s] > 0 ? -UPDATE : 0;
    }
  }
}
