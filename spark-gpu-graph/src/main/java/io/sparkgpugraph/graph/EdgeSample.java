package io.sparkgpugraph.graph;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A uniform sample of the edges of a graph, of bounded size, by which ids are cut into ranges with
 * about equal numbers of edges. Samples of parts are merged in any order; the outcome is the same.
 *
 * <p>Every edge draws a 64-bit number (from the seed and the edge's position); those with the
 * smallest are kept (bottom-k sampling). So a merged sample is a uniform one of all edges, whatever
 * the sizes of the parts were. With the 65 536 edges that are kept at most, a share of 1/s of the
 * edges is off by about {@code √(s / 65536)} of itself: 1 % with 8 shards, 12 % with 1 024.
 */
public final class EdgeSample implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Most edges kept of one part. */
  static final int PART = 1 << 12;

  /** Most edges kept after merging. */
  static final int MERGED = 1 << 16;

  private final long edges;
  // Ascending by key as unsigned numbers; every edge whose key is below the limit is here.
  private final long[] keys;
  private final long[] sources;
  private final long[] destinations;
  private final long limit;
  private final boolean limited;

  private EdgeSample(
      long edges, long[] keys, long[] sources, long[] destinations, long limit, boolean limited) {
    this.edges = edges;
    this.keys = keys;
    this.sources = sources;
    this.destinations = destinations;
    this.limit = limit;
    this.limited = limited;
  }

  /** The sample of no edges. */
  public static EdgeSample empty() {
    long[] none = new long[0];
    return new EdgeSample(0, none, none, none, 0, false);
  }

  /**
   * Samples the edges of one part.
   *
   * @param blocks the part; read once
   * @param seed another one for each part of the graph, the same for the same part
   */
  public static EdgeSample of(Iterator<? extends EdgeBlock> blocks, long seed) {
    throw new UnsupportedOperationException("not yet");
  }

  /** A sample of the edges of both; neither is changed. */
  public EdgeSample merge(EdgeSample other) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Number of edges that were seen, all of them, not only those that were kept. */
  public long edges() {
    return edges;
  }

  /**
   * Cuts ids into ranges with about equal numbers of edges held.
   *
   * @param shards number of ranges, at least 1; with fewer distinct ids some are empty
   * @param outEdges whether a shard holds the out-edges of its vertices too; otherwise only the
   *     in-edges count
   */
  public IdRanges split(int shards, boolean outEdges) {
    throw new UnsupportedOperationException("not yet " + limit + limited + Arrays.toString(keys));
  }
}
