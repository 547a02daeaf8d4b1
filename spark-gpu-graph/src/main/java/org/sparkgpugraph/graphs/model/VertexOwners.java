package org.sparkgpugraph.graphs.model;

import java.io.Serializable;

/**
 * Which shard holds which vertices. Every id belongs to exactly one shard, whether it occurs in the
 * graph or not. All shards of a graph, and whoever sends them something, have the same.
 *
 * <p>In a shard's graph dense ids are in the order of (shard, original id): what a shard holds is
 * one range of them, and so are its ghosts of each other shard.
 */
public interface VertexOwners extends Serializable {
  /** Number of shards, at least 1. */
  int shards();

  /** Shard that holds a vertex, 0…{@link #shards()} − 1. */
  int shardOf(long id);

  /** Whether shards ascend with the ids, so that (shard, id) is the order of the ids. */
  boolean ascending();

  /** Bytes of the heap that it takes in each executor, beside what does not grow with a graph. */
  default long bytes() {
    return 0;
  }
}
