package org.sparkgpugraph.graphs.memory;

/** An open-addressing set of longs: removes duplicates without a copy of all of them. */
public final class LongHashSet {
  private final BuildMemory.Reservation memory;
  private long[] table = new long[1 << 10];
  private boolean hasZero;
  private int size;

  /**
   * @param memory where it reserves what it grows by
   */
  public LongHashSet(BuildMemory.Reservation memory) {
    this.memory = memory;
  }

  /** Adds an id; does nothing when it is there. */
  public void add(long id) {
    if (id == 0) {
      hasZero = true;
      return;
    }
    if (insert(table, id) && ++size > table.length / 2) {
      if (table.length == 1 << 30) {
        throw new IllegalArgumentException(
            ("more than %s vertices in one block of edges; fewer are possible with ids like"
                    + " these: use more and smaller edge partitions")
                .formatted(size));
      }
      memory.acquire(16L * table.length);
      long[] larger = new long[2 * table.length];
      for (long old : table) {
        if (old != 0) {
          insert(larger, old);
        }
      }
      memory.release(8L * table.length);
      table = larger;
    }
  }

  private static boolean insert(long[] table, long id) {
    int mask = table.length - 1;
    int slot = (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (table[slot] != 0) {
      if (table[slot] == id) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = id;
    return true;
  }

  /** Number of ids. */
  public int size() {
    return size + (hasZero ? 1 : 0);
  }

  /** The ids, in no order. */
  public long[] toArray() {
    long[] ids = new long[size()];
    int next = 0;
    if (hasZero) {
      ids[next++] = 0;
    }
    for (long id : table) {
      if (id != 0) {
        ids[next++] = id;
      }
    }
    return ids;
  }
}
