package org.sparkgpugraph.graphs.build;

import org.sparkgpugraph.graphs.memory.BinarySearch;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexIds;

/**
 * Which part of a graph an executor graph is.
 *
 * @param shard number of the part
 * @param ranges ids of all parts
 * @param outEdges whether it was loaded with the out-edges of its vertices
 */
public record ShardPlace(int shard, IdRanges ranges, boolean outEdges) {
  /** Whether there are other parts. */
  public boolean spread() {
    return ranges.shards() > 1;
  }

  /** First dense id that is held; the ids known ascend. */
  int firstHeld(VertexIds ids) {
    return BinarySearch.first(
        0, Math.toIntExact(ids.size()), v -> !ranges.isBelow(shard, ids.original(v)));
  }

  /** Dense id behind the last one that is held. */
  int endHeld(VertexIds ids) {
    return BinarySearch.first(
        0, Math.toIntExact(ids.size()), v -> ranges.isAbove(shard, ids.original(v)));
  }
}
