package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;

/**
 * The reduce side of loading a graph into several shards: builds the executor graph of one shard
 * from parcels, in whatever order they come. Afterwards {@link GhostHandshake} connects the shards.
 *
 * <p>Rows are ordered as in the graph that one executor holds: by (far end, source partition,
 * position), so that a float sum over a row is the same bit for bit whatever the number of shards.
 * Not thread-safe.
 */
public final class ShardBuilder {
  /**
   * How to build.
   *
   * @param partitions number of partitions of the shard, at least 1; one per memory (a heap, a GPU)
   * @param threads worker threads, at least 1
   * @param edgeType type of the edge values that the parcels carry; null: none
   * @param outEdges whether the parcels bring out-edges; the same as the router's
   * @param vertices whether vertices are given, by {@link VertexParcel}s; otherwise they are the
   *     ends of the edges
   */
  public record Options(
      int partitions, int threads, ValueType edgeType, boolean outEdges, boolean vertices) {
    public Options {
      if (partitions < 1) {
        throw new IllegalArgumentException(partitions + " partitions; at least 1 is needed");
      }
      if (threads < 1) {
        throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
      }
    }
  }

  /**
   * @param shard number of the shard, 0…{@code ranges.shards()} − 1
   * @param ranges where vertices belong; the same as the router's
   */
  public ShardBuilder(int shard, IdRanges ranges, Options options) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Takes a parcel of edges.
   *
   * @throws IllegalArgumentException when it is for another shard
   */
  public void add(EdgeParcel parcel) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Takes a parcel of vertices. Attributes are not read.
   *
   * @throws IllegalArgumentException when it is for another shard
   */
  public void add(VertexParcel parcel) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Builds the executor graph of the shard. With more than one shard it must be connected to the
   * others by {@link GhostHandshake} before a program runs on it.
   *
   * @throws IllegalArgumentException when a parcel came twice, a partition would have 2³¹ edges or
   *     more, or the shard and its ghosts 2³¹ vertices or more
   */
  public ExecutorGraph build() {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Instead of {@link #build}: puts the edge values of the parcels into a graph that was built from
   * the same source without values. Replaces values loaded before. Must not run at the same time as
   * a program on the graph.
   *
   * @param graph the graph of the same shard
   * @throws IllegalArgumentException when the parcels hold other edges than the graph
   */
  public void loadEdgeValues(ExecutorGraph graph) {
    throw new UnsupportedOperationException("not yet");
  }
}
