package org.sparkgpugraph.engine.cores;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Peels a graph on the processor's cores (Kabir and Madduri 2017, "Parallel k-core decomposition on
 * multicore platforms"). A member of the team has a share of the vertices, and those that go
 * because of it; a level is two phases: a look at who is left, of whom those go that have k edges
 * to them, then their edges are taken away at the other ends, and whoever has no more than k then
 * goes, too. Degrees never fall below k: what is taken away too much is given back by who sees it.
 */
final class CpuCores {
  private static final VarHandle DEGREES = MethodHandles.arrayElementVarHandle(int[].class);

  /** Vertices that are left below which waking others takes longer than it saves. */
  private static final int ALONE = 1 << 12;

  private final Csr rows;
  private final long[] present;
  private final int[] degrees;
  private final WorkerTeam team;
  private final Member[] members;

  private CpuCores(GraphPartition partition, WorkerTeam team) {
    rows = partition.inEdges();
    present = partition.present();
    degrees = new int[partition.stored()];
    this.team = team;
    members = new Member[team.size()];
    for (int m = 0; m < members.length; m++) {
      members[m] = new Member(begin(m), begin(m + 1));
    }
  }

  /** Where a member's vertices begin: rows that follow each other, with as many edges for each. */
  private int begin(int member) {
    long edges = (long) rows.edges() * member / members.length;
    long vertices = (long) degrees.length * member / members.length;
    return member == 0 || member == members.length || rows.edges() == 0
        ? (int) vertices
        : rows.rowOf((int) edges);
  }

  /**
   * Peels.
   *
   * @param partition the only one
   * @param level whose degree is no more than this goes
   * @param all whether the levels that follow are peeled, too
   * @return of each vertex how many edges it had to who was left when it went; or, of one level,
   *     has to who is left
   * @throws java.util.concurrent.CancellationException when the caller is interrupted
   */
  static int[] peel(GraphPartition partition, int level, boolean all, int threads) {
    try (WorkerTeam team = new WorkerTeam("cores", threads)) {
      CpuCores cores = new CpuCores(partition, team);
      cores.count();
      cores.peel(level, all);
      return cores.degrees;
    }
  }

  private boolean exists(int v) {
    return GraphPartition.exists(present, v);
  }

  private void count() {
    long start = System.nanoTime();
    team.each(true, members.length, (who, m) -> members[m].count());
    PhaseTimes.ended("cores: degrees", start);
  }

  private void peel(int level, boolean all) {
    long start = System.nanoTime();
    int k = level;
    int left = degrees.length;
    for (boolean first = true; left > 0; first = false) {
      int now = k;
      boolean orLess = first;
      boolean together = left >= ALONE;
      team.each(together, members.length, (who, m) -> members[m].look(now, orLess));
      boolean some = Arrays.stream(members).anyMatch(member -> member.going > 0);
      left = Arrays.stream(members).mapToInt(member -> member.left).sum();
      // Where all have gone nobody is left to be told.
      if (some && left > 0) {
        team.each(together, members.length, (who, m) -> members[m].takeAway(now));
      }
      if (!all) {
        break;
      }
      k =
          some
              ? k + 1
              : Arrays.stream(members).mapToInt(member -> member.least).min().orElseThrow();
    }
    PhaseTimes.ended("cores: peeling", start);
  }

  /** A part of the vertices. Of one thread at a time. */
  private final class Member {
    private final int from;
    private final int to;
    private final RowWindow edges = new RowWindow();

    /** Those who are left. */
    private int[] vertices;

    private int left;

    /** Those who go; whoever takes the last edge has them. */
    private int[] gone = new int[64];

    private int going;

    /** The least degree of those who are left. */
    private int least;

    Member(int from, int to) {
      this.from = from;
      this.to = to;
    }

    void count() {
      vertices = new int[to - from];
      left = vertices.length;
      for (int v = from; v < to; v++) {
        vertices[v - from] = v;
        if (!exists(v) || team.stopped()) {
          continue;
        }
        int begin = rows.offsets()[v];
        int end = rows.offsets()[v + 1];
        edges.open(rows, null, begin, end);
        int degree = 0;
        for (int e = begin - edges.first(); e < end - edges.first(); e++) {
          int other = edges.neighbours()[e];
          degree += other != v && exists(other) ? 1 : 0;
        }
        degrees[v] = degree;
      }
    }

    void look(int k, boolean orLess) {
      int kept = 0;
      going = 0;
      least = Integer.MAX_VALUE;
      for (int i = 0; i < left; i++) {
        int v = vertices[i];
        int degree = degrees[v];
        if (degree > k) {
          vertices[kept++] = v;
          least = Math.min(least, degree);
        } else if (degree == k || orLess) {
          go(v);
        }
      }
      left = kept;
    }

    private void go(int v) {
      if (going == gone.length) {
        gone = Arrays.copyOf(gone, 2 * going);
      }
      gone[going++] = v;
    }

    void takeAway(int k) {
      for (int i = 0; i < going && !team.stopped(); i++) {
        int v = gone[i];
        if (!exists(v)) {
          continue;
        }
        int begin = rows.offsets()[v];
        int end = rows.offsets()[v + 1];
        edges.open(rows, null, begin, end);
        int[] neighbours = edges.neighbours();
        for (int e = begin - edges.first(); e < end - edges.first(); e++) {
          int other = neighbours[e];
          if ((int) DEGREES.getOpaque(degrees, other) > k) {
            int before = (int) DEGREES.getAndAdd(degrees, other, -1);
            if (before == k + 1) {
              go(other);
            } else if (before <= k) {
              DEGREES.getAndAdd(degrees, other, 1);
            }
          }
        }
      }
    }
  }
}
