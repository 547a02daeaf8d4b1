package org.sparkgpugraph.graphs.build;

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
    return count(ids, false);
  }

  /** Dense id behind the last one that is held. */
  int endHeld(VertexIds ids) {
    return count(ids, true);
  }

  /** How many ids lie below the range, or below its end. */
  private int count(VertexIds ids, boolean end) {
    long low = 0;
    long high = ids.size();
    while (low < high) {
      long middle = (low + high) >>> 1;
      long id = ids.original(middle);
      if (end ? !ranges.isAbove(shard, id) : ranges.isBelow(shard, id)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (int) low;
  }
}
