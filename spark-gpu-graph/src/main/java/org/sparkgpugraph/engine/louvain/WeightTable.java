package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;

/**
 * Sums of weights by community, of one row after the other: open addressing in arrays that are
 * reused, of which a row uses as much as it needs, so that short rows stay in a core's cache.
 */
final class WeightTable {
  private static final int EMPTY = -1;

  /** Most slots. */
  private static final int MOST = 1 << 30;

  private int[] keys = new int[0];
  private long[] sums;
  private int[] slots = new int[0];
  private int size;
  private int limit;
  private int shift;

  /**
   * Empties it.
   *
   * @param expected how many different keys there will be, about
   */
  void reset(int expected) {
    for (int i = 0; i < size; i++) {
      keys[slots[i]] = EMPTY;
    }
    size = 0;
    use(Integer.highestOneBit(Math.max(4, Math.min(expected, MOST >>> 2))) << 2);
  }

  /** Uses so many slots, a power of two; none of those that there are is taken. */
  private void use(int capacity) {
    shift = Integer.numberOfLeadingZeros(capacity) + 1;
    limit = capacity >>> 1;
    if (capacity > keys.length) {
      keys = new int[capacity];
      Arrays.fill(keys, EMPTY);
      sums = new long[capacity];
      slots = Arrays.copyOf(slots, limit);
    }
  }

  private void grow() {
    if (limit > MOST >>> 2) {
      throw new IllegalStateException(
          "more than " + size + " communities at one vertex; use smaller graphs");
    }
    int capacity = limit << 2;
    int[] hadKeys = new int[size];
    long[] hadSums = new long[size];
    for (int i = 0; i < size; i++) {
      hadKeys[i] = keys[slots[i]];
      hadSums[i] = sums[slots[i]];
      keys[slots[i]] = EMPTY;
    }
    size = 0;
    use(capacity);
    for (int i = 0; i < hadKeys.length; i++) {
      add(hadKeys[i], hadSums[i]);
    }
  }

  private int slot(int key) {
    int mask = -1 >>> shift;
    int slot = key * 0x9E3779B9 >>> shift;
    while (keys[slot] != key && keys[slot] != EMPTY) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Adds the weights of a row to the sums of its neighbours' communities. */
  void add(NeighbourRow row, int[] community) {
    int from = 0;
    while (from < row.size) {
      if (size == limit) {
        grow();
      }
      from = row.unit ? addOnes(row, community, from) : addWeights(row, community, from);
    }
  }

  /** Adds entries until there are none or the table is full; returns how many were added. */
  private int addOnes(NeighbourRow row, int[] community, int from) {
    int[] neighbours = row.neighbours;
    int count = row.size;
    int[] localKeys = keys;
    long[] localSums = sums;
    int[] localSlots = slots;
    int right = shift;
    int mask = -1 >>> right;
    int taken = size;
    int most = limit;
    int i = from;
    for (; i < count && taken < most; i++) {
      int key = community[neighbours[i]];
      int slot = key * 0x9E3779B9 >>> right;
      int there = localKeys[slot];
      while (there != key && there != EMPTY) {
        slot = slot + 1 & mask;
        there = localKeys[slot];
      }
      if (there == key) {
        localSums[slot]++;
      } else {
        localKeys[slot] = key;
        localSums[slot] = 1;
        localSlots[taken++] = slot;
      }
    }
    size = taken;
    return i;
  }

  /** The same with weights: a loop of its own, without a test at every entry. */
  private int addWeights(NeighbourRow row, int[] community, int from) {
    int[] neighbours = row.neighbours;
    long[] weights = row.weights;
    int count = row.size;
    int[] localKeys = keys;
    long[] localSums = sums;
    int[] localSlots = slots;
    int right = shift;
    int mask = -1 >>> right;
    int taken = size;
    int most = limit;
    int i = from;
    for (; i < count && taken < most; i++) {
      int key = community[neighbours[i]];
      int slot = key * 0x9E3779B9 >>> right;
      int there = localKeys[slot];
      while (there != key && there != EMPTY) {
        slot = slot + 1 & mask;
        there = localKeys[slot];
      }
      if (there == key) {
        localSums[slot] += weights[i];
      } else {
        localKeys[slot] = key;
        localSums[slot] = weights[i];
        localSlots[taken++] = slot;
      }
    }
    size = taken;
    return i;
  }

  /** Adds to the sum of a key. */
  void add(int key, long weight) {
    int slot = slot(key);
    if (keys[slot] == EMPTY) {
      if (size == limit) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
      sums[slot] = weight;
      slots[size++] = slot;
    } else {
      sums[slot] += weight;
    }
  }

  /** Sum of a key; 0 when nothing was added. */
  long sum(int key) {
    int slot = slot(key);
    return keys[slot] == EMPTY ? 0 : sums[slot];
  }

  /** Number of different keys. */
  int size() {
    return size;
  }

  /** The key that came as the {@code i}-th. */
  int key(int i) {
    return keys[slots[i]];
  }

  /** Its sum. */
  long sumAt(int i) {
    return sums[slots[i]];
  }
}
