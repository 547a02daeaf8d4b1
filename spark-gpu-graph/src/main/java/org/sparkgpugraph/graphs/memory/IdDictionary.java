package org.sparkgpugraph.graphs.memory;

import java.util.Arrays;

/** Numbers distinct ids in the order in which they are first asked for. */
public final class IdDictionary {
  private long[] ids = new long[1 << 10];
  // 1 + the number of the id that a slot holds; 0: none.
  private int[] table = new int[1 << 11];
  private int size;

  /** Number of an id, a new one when it was not asked for before. */
  public int number(long id) {
    int mask = table.length - 1;
    int slot = slot(id, mask);
    while (table[slot] != 0) {
      if (ids[table[slot] - 1] == id) {
        return table[slot] - 1;
      }
      slot = (slot + 1) & mask;
    }
    if (size == ids.length) {
      grow();
      return number(id);
    }
    ids[size++] = id;
    table[slot] = size;
    return size - 1;
  }

  private static int slot(long id, int mask) {
    return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  private void grow() {
    ids = Arrays.copyOf(ids, 2 * size);
    table = new int[4 * size];
    int mask = table.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = slot(ids[i], mask);
      while (table[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      table[slot] = i + 1;
    }
  }

  /** The ids by number. */
  public long[] toArray() {
    return Arrays.copyOf(ids, size);
  }
}
