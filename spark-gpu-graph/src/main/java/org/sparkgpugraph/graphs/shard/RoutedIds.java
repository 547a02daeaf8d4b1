package org.sparkgpugraph.graphs.shard;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.IdDictionary;
import org.sparkgpugraph.graphs.memory.LongRadixSort;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * The ends of edges that are being routed, as 32-bit numbers, with their shards: either indexes in
 * a dictionary, or original ids themselves.
 *
 * <p>A dictionary comes with the block (its shards are looked up once, for the whole block), or is
 * made for a window of a block of 64-bit ids; ids that fit 32 bits need none.
 */
final class RoutedIds {
  private final int[] sources;
  private final int[] destinations;
  private final int offset;
  private final long[] dictionary;
  private final char[] shards;
  private final VertexOwners owners;
  // By dictionary index: place in the parcel that is being made, or −1.
  private final int[] places;
  private final boolean[] announced;

  /**
   * @param offset position in the block of index 0 of the arrays
   * @param dictionary original ids; null: the numbers are the ids
   */
  private RoutedIds(
      int[] sources, int[] destinations, int offset, long[] dictionary, VertexOwners owners) {
    this.sources = sources;
    this.destinations = destinations;
    this.offset = offset;
    this.dictionary = dictionary;
    this.owners = owners;
    if (dictionary == null) {
      shards = null;
      places = null;
      announced = null;
    } else {
      shards = new char[dictionary.length];
      for (int l = 0; l < shards.length; l++) {
        shards[l] = (char) owners.shardOf(dictionary[l]);
      }
      places = new int[dictionary.length];
      Arrays.fill(places, -1);
      announced = new boolean[dictionary.length];
    }
  }

  /** For a whole block. */
  static RoutedIds of(LocalEdgeBlock block, VertexOwners owners) {
    return new RoutedIds(
        block.localSources(), block.localDestinations(), 0, block.localToGlobal(), owners);
  }

  /** For edges {@code [from, to)} of a block without a dictionary. */
  static RoutedIds of(EdgeBlock block, int from, int to, VertexOwners owners) {
    if (block instanceof IntEdgeBlock ints) {
      return new RoutedIds(ints.sources(), ints.destinations(), 0, null, owners);
    }
    int[] sources = new int[to - from];
    int[] destinations = new int[to - from];
    boolean fits = true;
    for (int i = from; i < to && fits; i++) {
      long source = block.source(i);
      long destination = block.destination(i);
      sources[i - from] = (int) source;
      destinations[i - from] = (int) destination;
      fits = source == (int) source && destination == (int) destination;
    }
    if (fits) {
      return new RoutedIds(sources, destinations, from, null, owners);
    }
    IdDictionary dictionary = new IdDictionary();
    for (int i = from; i < to; i++) {
      sources[i - from] = dictionary.number(block.source(i));
      destinations[i - from] = dictionary.number(block.destination(i));
    }
    return new RoutedIds(sources, destinations, from, dictionary.toArray(), owners);
  }

  /** Shards of both ends of edges {@code [from, to)}. */
  void shards(int from, int to, char[] ofSources, char[] ofDestinations) {
    int[] numbers = sources;
    for (int i = from; i < to; i++) {
      ofSources[i - from] = shard(numbers[i - offset]);
    }
    numbers = destinations;
    for (int i = from; i < to; i++) {
      ofDestinations[i - from] = shard(numbers[i - offset]);
    }
  }

  private char shard(int number) {
    return shards == null ? (char) owners.shardOf(number) : shards[number];
  }

  /**
   * Distinct original ids of the sources of those edges of {@code [from, to)} whose ends are in
   * different shards, ascending; a dictionary's entries that were among them before are left out.
   */
  long[] newCrossingSources(int from, int to, char[] ofSources, char[] ofDestinations) {
    int[] crossing = new int[1 << 10];
    int size = 0;
    for (int i = 0; i < to - from; i++) {
      if (ofSources[i] != ofDestinations[i]) {
        int number = sources[from + i - offset];
        if (announced != null) {
          if (announced[number]) {
            continue;
          }
          announced[number] = true;
        }
        if (size == crossing.length) {
          crossing = Arrays.copyOf(crossing, 2 * size);
        }
        crossing[size++] = number;
      }
    }
    if (dictionary == null) {
      return distinct(crossing, size);
    }
    long[] ids = new long[size];
    for (int i = 0; i < size; i++) {
      ids[i] = dictionary[crossing[i]];
    }
    return LongRadixSort.sort(ids);
  }

  /** Distinct ids, ascending: by a bitmap where they lie close together. */
  private static long[] distinct(int[] ids, int size) {
    int min = Integer.MAX_VALUE;
    int max = Integer.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      min = Math.min(min, ids[i]);
      max = Math.max(max, ids[i]);
    }
    long words = size == 0 ? 0 : ((long) max - min >>> 6) + 1;
    if (words > size) {
      long[] all = new long[size];
      for (int i = 0; i < size; i++) {
        all[i] = ids[i];
      }
      return LongRadixSort.distinct(all);
    }
    long[] bits = new long[(int) words];
    for (int i = 0; i < size; i++) {
      int bit = ids[i] - min;
      bits[bit >>> 6] |= 1L << bit;
    }
    long[] members = new RankedBitmap(bits).members();
    for (int i = 0; i < members.length; i++) {
      members[i] += min;
    }
    return members;
  }

  /**
   * The content of a parcel.
   *
   * @param side why the shard gets the edges
   * @param positions which edges, {@code [from, to)} of them
   * @param values one row for each edge; null: none
   */
  byte[] parcel(EdgeParcel.Side side, int[] positions, int from, int to, Columns values) {
    int size = to - from;
    int[] starts = new int[size];
    int[] ends = new int[size];
    if (dictionary == null) {
      for (int i = 0; i < size; i++) {
        int edge = positions[from + i] - offset;
        starts[i] = sources[edge];
        ends[i] = destinations[edge];
      }
      return EdgeParcel.ints(side, size, starts, ends, values);
    }
    int[] used = new int[Math.min(dictionary.length, 2 * size)];
    int entries = 0;
    for (int i = 0; i < size; i++) {
      int edge = positions[from + i] - offset;
      entries = enter(sources[edge], used, entries);
      entries = enter(destinations[edge], used, entries);
      starts[i] = places[sources[edge]];
      ends[i] = places[destinations[edge]];
    }
    long[] originals = new long[entries];
    for (int e = 0; e < entries; e++) {
      originals[e] = dictionary[used[e]];
      places[used[e]] = -1;
    }
    return EdgeParcel.local(side, size, starts, ends, entries, originals, values);
  }

  /** Gives a number of the dictionary a place in the parcel, unless it has one. */
  private int enter(int number, int[] used, int entries) {
    if (places[number] >= 0) {
      return entries;
    }
    places[number] = entries;
    used[entries] = number;
    return entries + 1;
  }
}
