package org.sparkgpugraph.engine.intersect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * Counts triangles on all cores. A thread takes a source, marks its entries in a map of two bits a
 * vertex, and looks the rows of its entries up there; a row that is much longer than what could be
 * in it is searched instead. Sums of entries are kept beside the source's row and added to the
 * others' once a source.
 */
final class CpuTriangleCounter implements TriangleCounter {
  /** Sources that a thread takes at a time. Those of long rows come first. */
  private static final int CHUNK = 32;

  /** A row this many times as long as what it may meet is searched. */
  private static final int SEARCHED = 16;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final WorkerTeam team;

  CpuTriangleCounter(WorkerTeam team) {
    this.team = team;
  }

  /** Bytes of the heap that counting takes. */
  static long bytes(long vertices, int threads) {
    return 8 * vertices + threads * (vertices / 4 + 4 * vertices);
  }

  @Override
  public long[] count(OrientedRows rows) {
    long start = System.nanoTime();
    long[] totals = new long[rows.vertices()];
    AtomicInteger next = new AtomicInteger();
    int sources = rows.sources().length;
    team.run(
        member -> {
          Member worker = new Member(rows, totals);
          int from = next.getAndAdd(CHUNK);
          while (from >= 0 && from < sources && !team.stopped()) {
            int to = Math.min(sources, from + CHUNK);
            for (int s = from; s < to; s++) {
              worker.count(rows.sources()[s]);
            }
            from = next.getAndAdd(CHUNK);
          }
        });
    PhaseTimes.ended("intersect: triangles", start);
    return totals;
  }

  /** What a thread needs. */
  private static final class Member {
    private final int[] begin;
    private final int[] end;
    private final int[] entries;
    private final long[] totals;

    /** Two bits a vertex: 0 no entry, else the number of edges that the entry stands for. */
    private final long[] marks;

    /** Position of an entry in the source's row; valid where it is marked. */
    private final int[] positions;

    /** Sums of the source's entries, by position. */
    private long[] sums = new long[64];

    Member(OrientedRows rows, long[] totals) {
      begin = rows.begin();
      end = rows.end();
      entries = rows.entries();
      this.totals = totals;
      marks = new long[(rows.vertices() >>> 5) + 1];
      positions = new int[rows.vertices()];
    }

    void count(int u) {
      int first = begin[u];
      int size = end[u] - first;
      if (size > sums.length) {
        sums = new long[Math.max(size, 2 * sums.length)];
      }
      for (int i = 0; i < size; i++) {
        int entry = entries[first + i];
        int w = entry >>> 1;
        marks[w >>> 5] |= 1L + (entry & 1) << ((w & 31) << 1);
        positions[w] = i;
      }
      long own = 0;
      for (int i = 1; i < size; i++) {
        int entry = entries[first + i];
        int v = entry >>> 1;
        long side = ONE + 1 + (entry & 1);
        int length = end[v] - begin[v];
        // Only entries before i are of lower ranks than v.
        own += length > (long) SEARCHED * i ? search(first, i, side) : scan(v, i, side);
      }
      for (int i = 0; i < size; i++) {
        int w = entries[first + i] >>> 1;
        marks[w >>> 5] &= ~(3L << ((w & 31) << 1));
        add(w, sums[i]);
        sums[i] = 0;
      }
      add(u, own);
    }

    private void add(int vertex, long sum) {
      if (sum != 0) {
        LONGS.getAndAdd(totals, vertex, sum);
      }
    }

    /** Looks the whole row of the i-th entry up in the marks. */
    private long scan(int v, int i, long side) {
      long own = 0;
      long ofEntry = 0;
      int to = end[v];
      for (int j = begin[v]; j < to; j++) {
        int entry = entries[j];
        int w = entry >>> 1;
        long mark = marks[w >>> 5] >>> ((w & 31) << 1) & 3;
        if (mark != 0) {
          own += ONE + 1 + (entry & 1);
          ofEntry += ONE + mark;
          sums[positions[w]] += side;
        }
      }
      sums[i] += ofEntry;
      return own;
    }

    /** Looks the entries before the i-th up in its row. */
    private long search(int first, int i, long side) {
      int v = entries[first + i] >>> 1;
      long own = 0;
      int from = begin[v];
      for (int k = 0; k < i && from < end[v]; k++) {
        int wanted = entries[first + k];
        from = atOrBehind(wanted & ~1, from, end[v]);
        if (from < end[v] && entries[from] >>> 1 == wanted >>> 1) {
          own += ONE + 1 + (entries[from] & 1);
          sums[i] += ONE + 1 + (wanted & 1);
          sums[k] += side;
        }
      }
      return own;
    }

    /** The first position whose entry is not smaller: in steps that double, then halve. */
    private int atOrBehind(int entry, int from, int to) {
      int low = from;
      int step = 1;
      while (low < to - step && entries[low + step] < entry) {
        low += step;
        step <<= 1;
      }
      int high = (int) Math.min(to, (long) low + step);
      while (low < high) {
        int middle = low + high >>> 1;
        if (entries[middle] < entry) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
