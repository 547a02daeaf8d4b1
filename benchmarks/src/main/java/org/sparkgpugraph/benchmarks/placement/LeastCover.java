package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;
import org.sparkgpugraph.graphs.placement.DirectedGraph;

/**
 * The least that shards can tell each other in one exchange where vertices stay: for each edge
 * between two shards either its source's value travels, or it is merged into a partial message to
 * its target, so that a pair of shards exchanges a vertex cover of the edges between them, the
 * smallest of which is as large as a largest matching (Kőnig 1931; Kayaaslan, Aykanat and Uçar 2018
 * use it for sparse matrices). Matchings are Hopcroft's and Karp's (1973).
 */
final class LeastCover {
  private final int rows;
  private final int[] offsets;
  private final int[] targets;
  private final int[] ofRow;
  private final int[] ofTarget;
  private final int[] distance;
  private final int[] queue;

  /**
   * @param offsets where the edges of each source begin
   * @param targets numbers of their targets
   */
  private LeastCover(int rows, int[] offsets, int[] targets, int targetCount) {
    this.rows = rows;
    this.offsets = offsets;
    this.targets = targets;
    ofRow = new int[rows];
    ofTarget = new int[targetCount];
    distance = new int[rows];
    queue = new int[rows];
    Arrays.fill(ofRow, -1);
    Arrays.fill(ofTarget, -1);
  }

  /**
   * What travels, over all pairs of shards.
   *
   * @param graph the edges of vertices that have something to say
   */
  static long of(DirectedGraph graph, byte[] shard, int shards) {
    int n = graph.vertices();
    int[] number = new int[n];
    int[] seenAt = new int[n];
    int round = 0;
    long sum = 0;
    int[][] sources = members(shard, shards);
    for (int from = 0; from < shards; from++) {
      for (int to = 0; to < shards; to++) {
        if (from == to) {
          continue;
        }
        round++;
        int[] offsets = new int[sources[from].length + 1];
        int[] targets = new int[1024];
        int size = 0;
        int count = 0;
        for (int row = 0; row < sources[from].length; row++) {
          int v = sources[from][row];
          for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
            int target = graph.targets()[e];
            if (shard[target] == to) {
              if (seenAt[target] != round) {
                seenAt[target] = round;
                number[target] = count++;
              }
              targets = size < targets.length ? targets : Arrays.copyOf(targets, 2 * size);
              targets[size++] = number[target];
            }
          }
          offsets[row + 1] = size;
        }
        sum += new LeastCover(sources[from].length, offsets, targets, count).matching();
      }
    }
    return sum;
  }

  private static int[][] members(byte[] shard, int shards) {
    int[] sizes = new int[shards];
    for (byte s : shard) {
      sizes[s]++;
    }
    int[][] members = new int[shards][];
    Arrays.setAll(members, s -> new int[sizes[s]]);
    Arrays.fill(sizes, 0);
    for (int v = 0; v < shard.length; v++) {
      members[shard[v]][sizes[shard[v]]++] = v;
    }
    return members;
  }

  private int matching() {
    int size = 0;
    int[] at = new int[rows];
    int[] path = new int[rows];
    while (search()) {
      System.arraycopy(offsets, 0, at, 0, rows);
      for (int row = 0; row < rows; row++) {
        size += ofRow[row] < 0 && augment(row, at, path) ? 1 : 0;
      }
    }
    return size;
  }

  /** Distances of rows from those without a partner; whether one of those can get one. */
  private boolean search() {
    int end = 0;
    for (int row = 0; row < rows; row++) {
      distance[row] = ofRow[row] < 0 ? 0 : -1;
      if (ofRow[row] < 0) {
        queue[end++] = row;
      }
    }
    boolean found = false;
    for (int read = 0; read < end; read++) {
      int row = queue[read];
      for (int e = offsets[row]; e < offsets[row + 1]; e++) {
        int other = ofTarget[targets[e]];
        if (other < 0) {
          found = true;
        } else if (distance[other] < 0) {
          distance[other] = distance[row] + 1;
          queue[end++] = other;
        }
      }
    }
    return found;
  }

  /** Follows a shortest path to a target without a partner, depth first. */
  private boolean augment(int start, int[] at, int[] path) {
    int depth = 0;
    path[0] = start;
    while (depth >= 0) {
      int row = path[depth];
      if (at[row] == offsets[row + 1]) {
        distance[row] = Integer.MIN_VALUE;
        depth--;
        continue;
      }
      int other = ofTarget[targets[at[row]]];
      if (other < 0) {
        for (; depth >= 0; depth--) {
          int matched = path[depth];
          int target = targets[at[matched]++];
          ofTarget[target] = matched;
          ofRow[matched] = target;
        }
        return true;
      }
      if (distance[other] == distance[row] + 1) {
        path[++depth] = other;
      } else {
        at[row]++;
      }
    }
    return false;
  }
}
