package org.sparkgpugraph.engine.louvain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which community each vertex of a level is in, and what follows from it. Every executor keeps all
 * of it, the same. A community has the number of one of the level's vertices.
 *
 * <p>Weights are whole numbers of a unit, so that sums do not depend on the order in which they are
 * made, and neither does the modularity: sums of squares are kept in 128 bits.
 */
final class LevelState {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Number of vertices. */
  final int size;

  /** Sum of the weights at each vertex, loops twice; what a vertex stands for counts with it. */
  final long[] strengths;

  /** Community of each vertex. */
  final int[] community;

  /** The same before the moves that are being applied. */
  final int[] before;

  /** Sum of the strengths of each community's members. */
  final long[] totals;

  /** Twice the weight of all edges: the sum of all strengths. */
  final long whole;

  private final double gamma;

  /** Twice the weight of the edges inside of communities. */
  long inside;

  /**
   * A level before anything has moved.
   *
   * @param inside twice the weight of what is inside of communities
   * @param together communities that vertices begin in; null: every one alone
   */
  LevelState(long[] strengths, long inside, double gamma, int[] together) {
    size = strengths.length;
    this.strengths = strengths;
    this.inside = inside;
    this.gamma = gamma;
    totals = new long[size];
    community = new int[size];
    become(together == null ? LevelCommunities.alone(size).of() : together);
    before = community.clone();
    whole = Arrays.stream(strengths).sum();
  }

  /** Moves a vertex; by several threads at the same time, each vertex by one. */
  void move(int vertex, int to) {
    LONGS.getAndAdd(totals, community[vertex], -strengths[vertex]);
    LONGS.getAndAdd(totals, to, strengths[vertex]);
    community[vertex] = to;
  }

  /** What the strength of a vertex costs it per unit of a community's total. */
  double share(int vertex) {
    return gamma * strengths[vertex] / whole;
  }

  /** Modularity: {@code inside / whole − γ · Σ (total / whole)²}; 0 without edges. */
  double modularity() {
    if (whole == 0) {
      return 0;
    }
    long high = 0;
    long low = 0;
    for (long total : totals) {
      long square = total * total;
      low += square;
      high += Math.multiplyHigh(total, total);
      high += Long.compareUnsigned(low, square) < 0 ? 1 : 0;
    }
    return modularity(inside, whole, gamma, high, low);
  }

  /**
   * Modularity; 0 without edges.
   *
   * @param high upper 64 bits of the sum of the squares of all totals
   * @param low its lower bits
   */
  static double modularity(long inside, long whole, double gamma, long high, long low) {
    if (whole == 0) {
      return 0;
    }
    double squares = high * 0x1p64 + (low >>> 1) * 2.0 + (low & 1);
    return (double) inside / whole - gamma * (squares / ((double) whole * whole));
  }

  /** Puts every vertex where it was; {@link #totals} are not right any more. */
  void restore(int[] communities, long insideThen) {
    System.arraycopy(communities, 0, community, 0, size);
    inside = insideThen;
  }

  /** Puts vertices into communities with the same weight inside. */
  final void become(int[] communities) {
    Arrays.fill(totals, 0);
    for (int v = 0; v < size; v++) {
      community[v] = communities[v];
      totals[community[v]] += strengths[v];
    }
  }
}
