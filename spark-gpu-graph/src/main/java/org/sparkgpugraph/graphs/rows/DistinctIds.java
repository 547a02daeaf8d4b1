package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.LongRadixSort;

/**
 * The distinct ids of many arrays, ascending. Sorts whenever as many ids wait as were distinct
 * before (but at least some millions), so ids that occur in many arrays do not take much memory.
 */
public final class DistinctIds {
  private static final int LEAST_WAITING = 1 << 24;

  private final List<long[]> waiting = new ArrayList<>();
  private long waitingIds;
  private final BuildMemory.Reservation memory;
  private long[] distinct = new long[0];

  private DistinctIds(BuildMemory.Reservation memory) {
    this.memory = memory;
  }

  /**
   * The distinct ids of all arrays; the arrays are not changed.
   *
   * @param memory where it reserves what it takes beside the arrays, the result among it
   */
  public static long[] of(Collection<long[]> arrays, BuildMemory.Reservation memory) {
    DistinctIds ids = new DistinctIds(memory);
    arrays.forEach(ids::add);
    ids.sort();
    return ids.distinct;
  }

  private void add(long[] ids) {
    waiting.add(ids);
    waitingIds += ids.length;
    if (waitingIds >= Math.max(LEAST_WAITING, distinct.length)) {
      sort();
    }
  }

  private void sort() {
    if (waitingIds == 0) {
      return;
    }
    long size = distinct.length + waitingIds;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          ("%s vertex ids to sort at a time, at most %s are possible: number the vertices"
                  + " from 0 on without large gaps, then nothing is sorted, or spread the graph"
                  + " over more executors")
              .formatted(size, Integer.MAX_VALUE));
    }
    // The sort has a second buffer.
    memory.acquire(16 * size);
    long[] all = new long[(int) size];
    System.arraycopy(distinct, 0, all, 0, distinct.length);
    long before = distinct.length;
    int next = distinct.length;
    for (long[] ids : waiting) {
      System.arraycopy(ids, 0, all, next, ids.length);
      next += ids.length;
    }
    waiting.clear();
    waitingIds = 0;
    distinct = LongRadixSort.distinct(all);
    memory.acquire(8L * distinct.length);
    memory.release(16 * size + 8 * before);
  }
}
