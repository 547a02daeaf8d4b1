package org.sparkgpugraph.graphs.model;

/**
 * The bijection between original vertex ids (any long) and dense ids 0…n−1. Dense ids follow the
 * ascending order of the original ids; in a shard that of (shard, original id), see {@link
 * VertexOwners}.
 */
public interface VertexIds {
  /** Number of vertices. */
  long size();

  /** The original id of a dense id. */
  long original(long dense);

  /** The dense id of an original id, or −1 when there is no such vertex. */
  long dense(long original);

  /**
   * Puts the original ids of {@code first}, {@code first + 1}, … into the first {@code count}
   * elements of {@code into}; faster than one by one.
   */
  default void originals(long first, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      into[i] = original(first + i);
    }
  }

  /** Whether dense ids ascend with the original ones. */
  default boolean ascending() {
    return true;
  }

  /** Bytes that the mapping holds in memory. */
  long bytes();
}
