package org.sparkgpugraph.graphs.placement;

import java.util.Arrays;

/**
 * What shards tell each other in a superstep, as a hypergraph: a net is a set of vertices and one
 * vertex that owns it, and the owner's shard exchanges one number with each other shard that has a
 * vertex of the net. There is a net for each vertex, of those that read its value; with {@linkplain
 * #cut hubs} two more for each of these, of the vertices whose messages their shard merges into one
 * partial message to the hub (the hybrid cut of PowerLyra, Chen 2015, turned round).
 *
 * <p>Vertices that no edge points at hear nothing, so that they tell others nothing new. What they
 * say is in nets of its own, which are <i>silent</i>.
 */
public final class Nets {
  private final int vertices;
  private final boolean[] hears;

  /** Nets of readers, then those of partial messages, then the silent ones of these. */
  private final int[] offsets;

  private final int[] members;

  /** The nets that a vertex is in. */
  private final int[] netOffsets;

  private final int[] nets;

  /** By number of the hub: the vertex. */
  private final int[] hubs;

  /** By vertex: the number of the hub; −1: it is none. Null: there are none. */
  private final int[] hubOf;

  private Nets(
      boolean[] hears,
      int[] offsets,
      int[] members,
      int[] netOffsets,
      int[] nets,
      int[] hubs,
      int[] hubOf) {
    vertices = hears.length;
    this.hears = hears;
    this.offsets = offsets;
    this.members = members;
    this.netOffsets = netOffsets;
    this.nets = nets;
    this.hubs = hubs;
    this.hubOf = hubOf;
  }

  /**
   * Values alone: a vertex is read by the targets of its edges.
   *
   * @param graph all its edges
   * @param reversed the same turned round
   */
  public static Nets of(DirectedGraph graph, DirectedGraph reversed) {
    return new Nets(
        hearing(reversed),
        graph.offsets(),
        graph.targets(),
        reversed.offsets(),
        reversed.targets(),
        new int[0],
        null);
  }

  private static boolean[] hearing(DirectedGraph reversed) {
    boolean[] hears = new boolean[reversed.vertices()];
    for (int v = 0; v < hears.length; v++) {
      hears[v] = reversed.offsets()[v + 1] > reversed.offsets()[v];
    }
    return hears;
  }

  /**
   * Values, and partial messages to hubs, which read nothing.
   *
   * @param graph all its edges
   * @param degree vertices with more in-edges are hubs
   */
  public static Nets cut(DirectedGraph graph, int degree) {
    int n = graph.vertices();
    int[] inDegrees = graph.inDegrees();
    boolean[] hears = new boolean[n];
    int[] hubOf = new int[n];
    int[] hubs = new int[n];
    int count = 0;
    for (int v = 0; v < n; v++) {
      hears[v] = inDegrees[v] > 0;
      boolean isHub = inDegrees[v] > degree;
      hubOf[v] = isHub ? count : -1;
      hubs[count] = v;
      count += isHub ? 1 : 0;
    }
    hubs = Arrays.copyOf(hubs, count);
    int[] offsets = new int[n + 2 * count + 1];
    int[] netOffsets = new int[n + 1];
    for (int v = 0; v < n; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        int to = graph.targets()[e];
        if (to != v) {
          offsets[1 + net(v, to, hubOf, hears, n, count)]++;
          netOffsets[1 + (hubOf[to] < 0 ? to : v)]++;
        }
      }
    }
    sum(offsets);
    sum(netOffsets);
    int[] members = new int[offsets[n + 2 * count]];
    int[] nets = new int[members.length];
    int[] at = offsets.clone();
    for (int v = 0; v < n; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        int to = graph.targets()[e];
        if (to != v) {
          members[at[net(v, to, hubOf, hears, n, count)]++] = hubOf[to] < 0 ? to : v;
        }
      }
    }
    at = netOffsets.clone();
    for (int net = 0; net < n + 2 * count; net++) {
      for (int m = offsets[net]; m < offsets[net + 1]; m++) {
        nets[at[members[m]]++] = net;
      }
    }
    return new Nets(hears, offsets, members, netOffsets, nets, hubs, hubOf);
  }

  /** The net that an edge makes a vertex a member of. */
  private static int net(int from, int to, int[] hubOf, boolean[] hears, int vertices, int hubs) {
    if (hubOf[to] < 0) {
      return from;
    }
    return vertices + hubOf[to] + (hears[from] ? 0 : hubs);
  }

  private static void sum(int[] counts) {
    for (int i = 1; i < counts.length; i++) {
      counts[i] += counts[i - 1];
    }
  }

  /** Number of nets. */
  public int count() {
    return offsets.length - 1;
  }

  /** Vertices that are told partial messages. */
  public int hubs() {
    return hubs.length;
  }

  /** Whether a net is of partial messages, not of a value. */
  public boolean isPartial(int net) {
    return net >= vertices;
  }

  /** The vertex that owns a net. */
  public int owner(int net) {
    return net < vertices ? net : hubs[(net - vertices) % hubs.length];
  }

  /** Whether nothing new is said by a net. */
  public boolean isSilent(int net) {
    return net < vertices ? !hears[net] : net >= vertices + hubs.length;
  }

  /** The shards other than its owner's that have a vertex of a net, as bits. */
  public long others(int net, byte[] shard) {
    long seen = 0;
    for (int m = offsets[net]; m < offsets[net + 1]; m++) {
      seen |= 1L << shard[members[m]];
    }
    return seen & ~(1L << shard[owner(net)]);
  }

  /**
   * Numbers that shards exchange in a superstep that changes every vertex.
   *
   * @param shard of each vertex, below 64
   * @param silent whether those are counted, too, that are said once
   */
  public long exchanged(byte[] shard, boolean silent) {
    long all = 0;
    for (int net = 0; net < count(); net++) {
      all += silent || !isSilent(net) ? Long.bitCount(others(net, shard)) : 0;
    }
    return all;
  }

  /**
   * What a shard has to do for each vertex where hubs are {@linkplain #cut}: the edges that it
   * walks, those to hubs where their sources are, and one more for itself. Vertices that count for
   * more leave less to spare.
   *
   * @param graph all edges
   * @param degree vertices with more in-edges are hubs
   */
  public static long[] loads(DirectedGraph graph, int degree) {
    int[] inDegrees = graph.inDegrees();
    long[] load = new long[graph.vertices()];
    for (int v = 0; v < load.length; v++) {
      load[v] += 1 + (inDegrees[v] > degree ? 0 : inDegrees[v]);
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        load[v] += inDegrees[graph.targets()[e]] > degree ? 1 : 0;
      }
    }
    return load;
  }

  // ---- for moves --------------------------------------------------------------------------------

  /** By net and shard: how many of its vertices that holds. */
  int[] held(byte[] shard, int shards) {
    int[] held = new int[count() * shards];
    for (int net = 0; net < count(); net++) {
      for (int m = offsets[net]; m < offsets[net + 1]; m++) {
        held[net * shards + shard[members[m]]]++;
      }
    }
    return held;
  }

  /** Where the {@linkplain #netOf nets} of a vertex begin; those of the next one end them. */
  int firstNet(int vertex) {
    return netOffsets[vertex];
  }

  /** A net that a vertex is in. */
  int netOf(int index) {
    return nets[index];
  }

  /**
   * The number of a vertex's first net of partial messages, those of its silent ones are behind.
   */
  int partials(int vertex) {
    return hubOf == null || hubOf[vertex] < 0 ? -1 : vertices + hubOf[vertex];
  }
}
