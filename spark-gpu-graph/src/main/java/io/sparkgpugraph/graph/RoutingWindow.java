package io.sparkgpugraph.graph;

import java.util.Arrays;

/** Edges of one block that are routed together: sorted by shard, then cut into parcels. */
final class RoutingWindow {
  private final Settings settings;
  private final EdgeBlock block;
  private final RoutedIds ids;
  // Positions in the block, those for shard s at [starts[s], starts[s + 1]).
  private final int[] positions;
  private final int[] starts;
  // Sources that their shard would not know of, ascending.
  private final long[] lonely;

  private int shard;
  private int from;
  private int nextLonely;

  /**
   * What all windows of a source partition have in common.
   *
   * @param codec reads the values that travel along; null: none do
   * @param parcelEdges most edges, or ids, of a parcel
   */
  record Settings(
      IdRanges ranges, boolean outEdges, ValueCodec codec, int sourcePartition, int parcelEdges) {}

  /** Sorts edges {@code [first, end)} of a block. */
  RoutingWindow(Settings settings, EdgeBlock block, RoutedIds ids, int first, int end) {
    this.settings = settings;
    this.block = block;
    this.ids = ids;
    char[] sources = new char[end - first];
    char[] destinations = new char[end - first];
    ids.shards(first, end, sources, destinations);
    starts = starts(sources, destinations);
    positions = new int[starts[starts.length - 1]];
    scatter(first, sources, destinations);
    lonely =
        settings.outEdges ? new long[0] : ids.newCrossingSources(first, end, sources, destinations);
  }

  private int[] starts(char[] sources, char[] destinations) {
    int[] counts = new int[settings.ranges.shards() + 1];
    for (int i = 0; i < destinations.length; i++) {
      counts[destinations[i] + 1]++;
      if (settings.outEdges && sources[i] != destinations[i]) {
        counts[sources[i] + 1]++;
      }
    }
    for (int s = 1; s < counts.length; s++) {
      counts[s] += counts[s - 1];
    }
    return counts;
  }

  private void scatter(int first, char[] sources, char[] destinations) {
    int[] cursors = starts.clone();
    for (int i = 0; i < destinations.length; i++) {
      positions[cursors[destinations[i]]++] = first + i;
      if (settings.outEdges && sources[i] != destinations[i]) {
        positions[cursors[sources[i]]++] = first + i;
      }
    }
  }

  /** The next parcel, or null when all have been made. */
  EdgeParcel next(int sequence) {
    while (shard < settings.ranges.shards() && from == starts[shard + 1]) {
      shard++;
    }
    if (shard < settings.ranges.shards()) {
      int to = (int) Math.min(starts[shard + 1], (long) from + settings.parcelEdges);
      byte[] content = ids.parcel(positions, from, to, values(from, to));
      from = to;
      return new EdgeParcel(shard, settings.sourcePartition, sequence, content);
    }
    if (nextLonely == lonely.length) {
      return null;
    }
    int home = settings.ranges.shardOf(lonely[nextLonely]);
    int to = nextLonely + 1;
    while (to < lonely.length
        && to - nextLonely < settings.parcelEdges
        && settings.ranges.shardOf(lonely[to]) == home) {
      to++;
    }
    byte[] content = EdgeParcel.sources(lonely, nextLonely, to);
    nextLonely = to;
    return new EdgeParcel(home, settings.sourcePartition, sequence, content);
  }

  private Columns values(int first, int end) {
    if (settings.codec == null) {
      return null;
    }
    int[] edges = Arrays.copyOfRange(positions, first, end);
    Columns values = Columns.allocate(settings.codec.kinds(), edges.length);
    settings.codec.read(
        block.values(), edges, 0, edges.length, values, null, i -> block.describe(edges[i]));
    return values;
  }
}
