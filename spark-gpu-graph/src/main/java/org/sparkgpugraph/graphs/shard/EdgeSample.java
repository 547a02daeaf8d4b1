package org.sparkgpugraph.graphs.shard;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;

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

  private static final double HALF = 0.5;

  private final long edges;
  private final long limit;
  // Every edge that drew a number below the limit is here, no other; in no order.
  private final long[] draws;
  private final long[] sources;
  private final long[] destinations;

  private EdgeSample(long edges, long limit, long[] draws, long[] sources, long[] destinations) {
    this.edges = edges;
    this.limit = limit;
    this.draws = draws;
    this.sources = sources;
    this.destinations = destinations;
  }

  /** The sample of no edges. */
  public static EdgeSample empty() {
    long[] none = new long[0];
    return new EdgeSample(0, Long.MAX_VALUE, none, none, none);
  }

  /**
   * Samples the edges of one part.
   *
   * @param blocks the part; read once
   * @param seed another one for each part of the graph, the same for the same part
   */
  public static EdgeSample of(Iterator<? extends EdgeBlock> blocks, long seed) {
    Collector kept = new Collector(2 * PART);
    long edges = 0;
    long limit = Long.MAX_VALUE;
    long state = mix(seed);
    while (blocks.hasNext()) {
      EdgeBlock block = blocks.next();
      int size = block.size();
      for (int i = 0; i < size; i++) {
        state += 0x9E3779B97F4A7C15L;
        long draw = mix(state);
        if (draw < limit) {
          kept.add(draw, block.source(i), block.destination(i));
          if (kept.size == 2 * PART) {
            limit = kept.shrink(PART, limit);
          }
        }
      }
      edges += size;
    }
    limit = kept.shrink(PART, limit);
    return kept.sample(edges, limit);
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** A sample of the edges of both; neither is changed. */
  public EdgeSample merge(EdgeSample other) {
    long least = Math.min(limit, other.limit);
    Collector kept = new Collector(draws.length + other.draws.length);
    kept.addBelow(least, this);
    kept.addBelow(least, other);
    least = kept.shrink(MERGED, least);
    return kept.sample(Math.addExact(edges, other.edges), least);
  }

  /**
   * The same as a sample of a graph of which only some edges were seen.
   *
   * @param share of all edges that were; above 0, at most 1
   */
  public EdgeSample ofShare(double share) {
    return new EdgeSample(Math.round(edges / share), limit, draws, sources, destinations);
  }

  /** Number of edges that were seen, all of them, not only those that were kept. */
  public long edges() {
    return edges;
  }

  /** Number of edges that were kept. */
  int kept() {
    return draws.length;
  }

  /**
   * Cuts ids into ranges with about equal numbers of edges held. A vertex with more edges than that
   * gets a range of its own as far as possible, and the others share what is left.
   *
   * @param shards number of ranges, at least 1; with fewer distinct ids some are empty
   * @param outEdges whether a shard holds the out-edges of its vertices too; otherwise only the
   *     in-edges count, and vertices without any lie where their ids happen to be
   */
  public IdRanges split(int shards, boolean outEdges) {
    if (shards < 1) {
      throw new IllegalArgumentException(shards + " shards; at least 1 is needed");
    }
    long[] ends = destinations.clone();
    if (outEdges) {
      ends = Arrays.copyOf(ends, 2 * draws.length);
      System.arraycopy(sources, 0, ends, draws.length, draws.length);
    }
    Arrays.sort(ends);
    long[] cuts = new long[shards - 1];
    int next = 0;
    for (int s = 0; s < cuts.length; s++) {
      double share = (double) (ends.length - next) / (shards - s);
      int taken = 0;
      while (next < ends.length) {
        int run = next;
        while (run < ends.length && ends[run] == ends[next]) {
          run++;
        }
        int weight = run - next;
        if (taken > 0 && taken + HALF * weight > share) {
          break;
        }
        taken += weight;
        next = run;
      }
      cuts[s] = next < ends.length ? ends[next] : behind(ends);
    }
    return new IdRanges(cuts);
  }

  /** Where the ranges begin that no sampled id is left for. */
  private static long behind(long[] sorted) {
    if (sorted.length == 0) {
      return 0;
    }
    long last = sorted[sorted.length - 1];
    return last == Long.MAX_VALUE ? last : last + 1;
  }

  /** Edges that are being collected. */
  private static final class Collector {
    private final long[] draws;
    private final long[] sources;
    private final long[] destinations;
    private int size;

    Collector(int capacity) {
      draws = new long[capacity];
      sources = new long[capacity];
      destinations = new long[capacity];
    }

    void add(long draw, long source, long destination) {
      draws[size] = draw;
      sources[size] = source;
      destinations[size] = destination;
      size++;
    }

    void addBelow(long limit, EdgeSample sample) {
      for (int i = 0; i < sample.draws.length; i++) {
        if (sample.draws[i] < limit) {
          add(sample.draws[i], sample.sources[i], sample.destinations[i]);
        }
      }
    }

    /**
     * Drops the edges with the largest numbers.
     *
     * @return below what all edges now lie
     */
    long shrink(int most, long limit) {
      if (size <= most) {
        return limit;
      }
      long[] sorted = Arrays.copyOf(draws, size);
      Arrays.sort(sorted);
      long least = sorted[most];
      int all = size;
      size = 0;
      for (int i = 0; i < all; i++) {
        if (draws[i] < least) {
          add(draws[i], sources[i], destinations[i]);
        }
      }
      return least;
    }

    EdgeSample sample(long edges, long limit) {
      return new EdgeSample(
          edges,
          limit,
          Arrays.copyOf(draws, size),
          Arrays.copyOf(sources, size),
          Arrays.copyOf(destinations, size));
    }
  }
}
