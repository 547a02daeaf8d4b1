package org.sparkgpugraph.graphs.build;

import org.sparkgpugraph.graphs.memory.BinarySearch;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * Which part of a graph an executor graph is.
 *
 * @param shard number of the part
 * @param owners which part holds which vertices
 * @param outEdges whether it was loaded with the out-edges of its vertices
 */
public record ShardPlace(int shard, VertexOwners owners, boolean outEdges) {
  /** Whether there are other parts. */
  public boolean spread() {
    return owners.shards() > 1;
  }

  /** First dense id that is held; those known are in the order of the parts. */
  public int firstHeld(VertexIds ids) {
    return BinarySearch.first(
        0, Math.toIntExact(ids.size()), v -> owners.shardOf(ids.original(v)) >= shard);
  }

  /** Dense id behind the last one that is held. */
  public int endHeld(VertexIds ids) {
    return BinarySearch.first(
        0, Math.toIntExact(ids.size()), v -> owners.shardOf(ids.original(v)) > shard);
  }
}
