package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;
import org.sparkgpugraph.graphs.placement.Nets;

/**
 * What a superstep sends that changes the value of every vertex that an edge points at.
 *
 * @param values of vertices to other shards
 * @param partials partial messages to hubs
 * @param most what the shard receives that receives most, when partial messages go straight to the
 *     hub's shard
 * @param mostInTree the same where they go up a binary tree of the shards that have some, which
 *     takes as many exchanges as the tree has levels
 */
record HubMessages(long values, long partials, long most, long mostInTree) {
  /**
   * Counts them.
   *
   * @param shard of each vertex
   */
  static HubMessages of(Nets nets, byte[] shard, int shards) {
    long[] straight = new long[shards];
    long[] inTree = new long[shards];
    long[] sums = new long[2];
    int[] path = new int[shards];
    for (int net = 0; net < nets.count(); net++) {
      if (nets.isSilent(net)) {
        continue;
      }
      boolean toHub = nets.isPartial(net);
      int home = shard[nets.owner(net)];
      long others = nets.others(net, shard);
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
    return new HubMessages(
        sums[0],
        sums[1],
        Arrays.stream(straight).max().orElseThrow(),
        Arrays.stream(inTree).max().orElseThrow());
  }

  /** Values and partial messages. */
  long all() {
    return values + partials;
  }
}
