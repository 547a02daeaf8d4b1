package org.sparkgpugraph.graphs.shard;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * Edges of one block that are routed together: sorted by shard (and, with out-edges, by why the
 * shard gets them, so that it need not sort them out), then cut into parcels.
 */
final class RoutingWindow {
  private static final EdgeParcel.Side[] SIDES = EdgeParcel.Side.values();

  private final Settings settings;
  private final EdgeBlock block;
  private final RoutedIds ids;
  private final int sides;
  // Positions in the block, those for shard s and side a at bucket b = s · sides + a:
  // [starts[b], starts[b + 1]).
  private final int[] positions;
  private final int[] starts;
  // Sources that their shard would not know of: shard by shard, ascending.
  private final long[] lonely;

  private int bucket;
  private int from;
  private int nextLonely;

  /**
   * What all windows of a source partition have in common.
   *
   * @param codec reads the values that travel along; null: none do
   * @param parcelEdges most edges, or ids, of a parcel
   */
  record Settings(
      VertexOwners owners,
      boolean outEdges,
      ValueCodec codec,
      int sourcePartition,
      int parcelEdges) {}

  /** Sorts edges {@code [first, end)} of a block. */
  RoutingWindow(Settings settings, EdgeBlock block, RoutedIds ids, int first, int end) {
    this.settings = settings;
    this.block = block;
    this.ids = ids;
    sides = settings.outEdges ? SIDES.length : 1;
    char[] sources = new char[end - first];
    char[] destinations = new char[end - first];
    ids.shards(first, end, sources, destinations);
    starts = starts(sources, destinations);
    positions = new int[starts[starts.length - 1]];
    scatter(first, sources, destinations);
    lonely =
        settings.outEdges
            ? new long[0]
            : byShard(ids.newCrossingSources(first, end, sources, destinations));
  }

  /** Ids that ascend, those of one shard behind those of the one before. */
  private long[] byShard(long[] ascending) {
    if (settings.owners.ascending()) {
      return ascending;
    }
    int[] next = new int[settings.owners.shards() + 1];
    for (long id : ascending) {
      next[settings.owners.shardOf(id) + 1]++;
    }
    for (int s = 1; s < next.length; s++) {
      next[s] += next[s - 1];
    }
    long[] sorted = new long[ascending.length];
    for (long id : ascending) {
      sorted[next[settings.owners.shardOf(id)]++] = id;
    }
    return sorted;
  }

  private int[] starts(char[] sources, char[] destinations) {
    int[] counts = new int[settings.owners.shards() * sides + 1];
    for (int i = 0; i < destinations.length; i++) {
      if (sides == 1) {
        counts[destinations[i] + 1]++;
      } else if (sources[i] == destinations[i]) {
        counts[bucket(destinations[i], EdgeParcel.Side.BOTH) + 1]++;
      } else {
        counts[bucket(destinations[i], EdgeParcel.Side.IN) + 1]++;
        counts[bucket(sources[i], EdgeParcel.Side.OUT) + 1]++;
      }
    }
    for (int b = 1; b < counts.length; b++) {
      counts[b] += counts[b - 1];
    }
    return counts;
  }

  private int bucket(int shard, EdgeParcel.Side side) {
    return shard * sides + side.ordinal();
  }

  private void scatter(int first, char[] sources, char[] destinations) {
    int[] cursors = starts.clone();
    for (int i = 0; i < destinations.length; i++) {
      if (sides == 1) {
        positions[cursors[destinations[i]]++] = first + i;
      } else if (sources[i] == destinations[i]) {
        positions[cursors[bucket(destinations[i], EdgeParcel.Side.BOTH)]++] = first + i;
      } else {
        positions[cursors[bucket(destinations[i], EdgeParcel.Side.IN)]++] = first + i;
        positions[cursors[bucket(sources[i], EdgeParcel.Side.OUT)]++] = first + i;
      }
    }
  }

  /** The next parcel, or null when all have been made. */
  EdgeParcel next(int sequence) {
    int buckets = starts.length - 1;
    while (bucket < buckets && from == starts[bucket + 1]) {
      bucket++;
    }
    if (bucket < buckets) {
      int to = (int) Math.min(starts[bucket + 1], (long) from + settings.parcelEdges);
      EdgeParcel.Side side = SIDES[bucket % sides];
      byte[] content = ids.parcel(side, positions, from, to, values(from, to));
      from = to;
      return new EdgeParcel(bucket / sides, settings.sourcePartition, sequence, content);
    }
    if (nextLonely == lonely.length) {
      return null;
    }
    int home = settings.owners.shardOf(lonely[nextLonely]);
    int to = nextLonely + 1;
    while (to < lonely.length
        && to - nextLonely < settings.parcelEdges
        && settings.owners.shardOf(lonely[to]) == home) {
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
