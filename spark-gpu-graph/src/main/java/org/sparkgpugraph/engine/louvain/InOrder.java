package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * A level of few vertices, and all that comes behind it: vertices decide one after the other, not a
 * class at a time, since of few vertices those of a class are too many of all, and what they gain
 * by what was before they lose by each other. Several orders are tried, drawn by a hash, of which
 * the one that leads to the largest modularity is kept: with few vertices much depends on it.
 *
 * @param rows all of the level
 * @param inside twice the weight of what is inside of communities
 * @param together communities that vertices begin in; null: every one alone
 */
record InOrder(
    LouvainOperator operator,
    CoarseRows rows,
    long[] strengths,
    long inside,
    int[] together,
    WorkerTeam team,
    LocalMoving.Tools[] tools) {
  /** Orders that are tried at most. */
  private static final int MOST_ORDERS = 16;

  /** As many orders are tried as have this many entries in their rows, together. */
  private static final long ENTRIES = 1 << 18;

  /**
   * What a level has found.
   *
   * @param communities of the vertices that all began with
   */
  record Found(LevelCommunities communities, double modularity) {}

  /** The levels of the best order; none where no vertices come together. */
  List<Found> best() {
    int orders = (int) Math.min(MOST_ORDERS, Math.max(1, ENTRIES / Math.max(1, rows.entries())));
    List<Found> best = List.of();
    for (int i = 0; i < orders; i++) {
      List<Found> found = levels(i);
      if (last(found) > last(best)) {
        best = found;
      }
    }
    return best;
  }

  private static double last(List<Found> levels) {
    return levels.isEmpty() ? Double.NEGATIVE_INFINITY : levels.get(levels.size() - 1).modularity();
  }

  private List<Found> levels(int attempt) {
    List<Found> levels = new ArrayList<>();
    LevelCommunities vertices = LevelCommunities.alone(strengths.length);
    CoarseRows level = rows;
    LevelState state = new LevelState(strengths, inside, operator.gamma(), together);
    boolean ofParts = together != null;
    while (true) {
      int[] order = order(state.size, attempt * 64 + levels.size());
      double gain = move(level, state, order);
      int[] communities = operator.refine() ? parts(level, state.community) : state.community;
      LevelCommunities found = LevelCommunities.number(communities);
      if (!found.merge()) {
        return levels;
      }
      state.become(communities);
      levels.add(new Found(vertices.then(found), state.modularity()));
      LouvainOperator.Next next = operator.next(gain, ofParts);
      if (next == LouvainOperator.Next.END) {
        return levels;
      }
      LevelCommunities parts = found;
      if (next == LouvainOperator.Next.PARTS) {
        LevelCommunities refined = LevelCommunities.number(refine(level, state, order));
        parts = refined.merge() ? refined : found;
      }
      ofParts = parts != found;
      int[] begin = ofParts ? parts.within(state.community) : null;
      level = new Coarsening(team, tools).sums(level, parts.of(), parts.count());
      vertices = vertices.then(parts);
      state = new LevelState(parts.sums(state.strengths), state.inside, operator.gamma(), begin);
    }
  }

  private int[] parts(CoarseRows level, int[] community) {
    ConnectedParts parts = new ConnectedParts(community.length);
    parts.join(level, community, team, tools);
    return parts.smallest();
  }

  /** Sweeps as long as they are worth while; returns by how much modularity has grown. */
  private double move(CoarseRows level, LevelState state, int[] order) {
    LocalMoving moving = new LocalMoving(level, state, 0, team, tools, null);
    double began = state.modularity();
    double before = began;
    boolean all = true;
    while (true) {
      boolean moved = sweep(moving, order);
      double now = state.modularity();
      boolean worth = moved && now > before && now - before >= operator.minGain();
      before = now;
      if (!worth && all) {
        return now - began;
      }
      // Who has no neighbour that moved may gain by what communities have lost.
      all = !worth;
      if (all) {
        moving.markAll();
      }
    }
  }

  private boolean sweep(LocalMoving moving, int[] order) {
    boolean[] moved = {false};
    team.runAlone(member -> moved[0] = moving.sweep(order));
    return moved[0];
  }

  /** Names of the parts that communities are put together of. */
  private int[] refine(CoarseRows level, LevelState state, int[] order) {
    LevelState refined = new LevelState(state.strengths, 0, operator.gamma(), null);
    CommunityBounds bounds = new CommunityBounds(state.community, state.strengths);
    sweep(new LocalMoving(level, refined, 0, team, tools, bounds), order);
    return refined.community;
  }

  /** All vertices, in an order that a number stands for. */
  private static int[] order(int vertices, int number) {
    long[] drawn = new long[vertices];
    for (int v = 0; v < vertices; v++) {
      long h = (v + 1L) * 0x9E3779B97F4A7C15L + (number + 1L) * 0xD1B54A32D192ED03L;
      h = (h ^ h >>> 32) * 0xBF58476D1CE4E5B9L;
      h = (h ^ h >>> 29) * 0x94D049BB133111EBL;
      drawn[v] = h & 0x7FFFFFFF00000000L | v;
    }
    Arrays.sort(drawn);
    return Arrays.stream(drawn).mapToInt(d -> (int) d).toArray();
  }
}
