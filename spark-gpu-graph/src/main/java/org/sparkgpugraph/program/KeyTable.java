package org.sparkgpugraph.program;

import java.util.Arrays;

/**
 * Where keys stand in a table so that each is found at once: a hash table without collisions. The
 * hash of a key names its bucket, and the bucket has a factor that sends its few keys to slots of
 * their own ("hash and displace": Fox, Chen, Heath, Daoud, A faster algorithm for constructing
 * minimal perfect hash functions, SIGIR 1992). A lookup reads a factor, a key and a value, whatever
 * the number of keys, has no loop, and nothing in its code depends on the keys:
 *
 * <pre>{@code
 * h = (key ^ key >>> 32) * multiplier; h ^= h >>> 32
 * factor = factors[h >>> bucketShift]
 * slot = h * factor >>> slotShift
 * found = keys[slot] == key
 * }</pre>
 *
 * <p>A search by halves in sorted keys would read some twelve keys of five thousand, each after the
 * one before; open addressing would need a loop, and a key that no table has for what is free.
 */
public final class KeyTable {
  /** The shift that mixes the upper half of a number into the lower one. */
  public static final int MIX = 32;

  /** What a slot names where no key stands. */
  public static final int FREE = -1;

  private static final int LAYOUTS = 16;
  private static final int FACTORS = 1 << 14;

  /** Slots per bucket. */
  private static final int BUCKET = 2;

  private final long[] keys;
  private final int slotBits;
  private final long multiplier;
  private final long[] factors;
  private final int[] entries;
  private long random;

  /** Takes keys, of which none may come twice; at least two. */
  private KeyTable(long[] keys, long seed) {
    this.keys = keys;
    random = seed;
    multiplier = next();
    slotBits = slotBits(keys.length);
    factors = new long[1 << slotBits - BUCKET];
    entries = new int[1 << slotBits];
    Arrays.fill(entries, FREE);
  }

  /**
   * Finds places for keys.
   *
   * @return null when there are none: a key comes twice
   */
  public static KeyTable of(long[] keys) {
    for (int seed = 0; seed < LAYOUTS; seed++) {
      KeyTable table = new KeyTable(keys, seed);
      if (table.place()) {
        return table;
      }
    }
    return null;
  }

  /** Three slots of four have a key at most. */
  private static int slotBits(int keys) {
    return Math.max(BUCKET + 1, 64 - Long.numberOfLeadingZeros(keys * 4L / 3));
  }

  /** Number of slots that so many keys take. */
  public static long slots(int keys) {
    return 1L << slotBits(keys);
  }

  /** Number of factors that so many keys take. */
  public static long factors(int keys) {
    return slots(keys) >>> BUCKET;
  }

  /** An odd number; those that follow each other have nothing in common (SplitMix64). */
  private long next() {
    random += 0x9e3779b97f4a7c15L;
    long mixed = (random ^ random >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return (mixed ^ mixed >>> 31) | 1;
  }

  private long hash(long key) {
    long hash = (key ^ key >>> MIX) * multiplier;
    return hash ^ hash >>> MIX;
  }

  private int bucket(long hash) {
    return (int) (hash >>> bucketShift());
  }

  /** The largest buckets first, while most slots are free. */
  private boolean place() {
    int[] begins = new int[factors.length + 1];
    for (long key : keys) {
      begins[bucket(hash(key)) + 1]++;
    }
    int largest = 0;
    for (int b = 0; b < factors.length; b++) {
      largest = Math.max(largest, begins[b + 1]);
      begins[b + 1] += begins[b];
    }
    int[] members = new int[keys.length];
    int[] filled = begins.clone();
    for (int i = 0; i < keys.length; i++) {
      members[filled[bucket(hash(keys[i]))]++] = i;
    }
    for (int size = largest; size > 0; size--) {
      for (int b = 0; b < factors.length; b++) {
        if (begins[b + 1] - begins[b] == size && !place(b, members, begins[b], begins[b + 1])) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean place(int bucket, int[] members, int from, int to) {
    Interruption.check("a captured table is laid out");
    for (int tried = 0; tried < FACTORS; tried++) {
      long factor = next();
      int placed = from;
      while (placed < to && take(factor, members[placed])) {
        placed++;
      }
      if (placed == to) {
        factors[bucket] = factor;
        return true;
      }
      while (placed > from) {
        placed--;
        entries[slot(factor, members[placed])] = FREE;
      }
    }
    return false;
  }

  private boolean take(long factor, int entry) {
    int slot = slot(factor, entry);
    boolean isFree = entries[slot] == FREE;
    if (isFree) {
      entries[slot] = entry;
    }
    return isFree;
  }

  private int slot(long factor, int entry) {
    return (int) (hash(keys[entry]) * factor >>> slotShift());
  }

  public long multiplier() {
    return multiplier;
  }

  public int bucketShift() {
    return Long.SIZE - slotBits + BUCKET;
  }

  public int slotShift() {
    return Long.SIZE - slotBits;
  }

  /** The factor of each bucket; not to be changed. */
  public long[] factors() {
    return factors;
  }

  /** The index of the key that stands in each slot, or {@link #FREE}; not to be changed. */
  public int[] entries() {
    return entries;
  }
}
