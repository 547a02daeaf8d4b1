package io.sparkgpugraph.graph;

/**
 * The bijection between original vertex ids (any long) and dense ids 0…n−1. Dense ids follow the
 * ascending order of the original ids.
 */
public interface VertexIds {
  /** Number of vertices. */
  long size();

  /** The original id of a dense id. */
  long original(long dense);

  /** The dense id of an original id, or −1 when there is no such vertex. */
  long dense(long original);

  /** Bytes that the mapping holds in memory. */
  long bytes();
}
