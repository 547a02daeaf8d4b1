package org.sparkgpugraph.engine.intersect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * Counts triangles on all cores. A thread takes a source, marks its entries in a map of two bits a
 * vertex, and looks the rows of its entries up there; a row that is much longer than what could be
 * in it is searched instead. Rows with many hubs have bitmaps of these ({@link HubBitmaps}), which
 * are intersected with the source's by words, and only the other entries are looked up. Sums of
 * entries are kept beside the source's row and added to the others' once a source, those of hubs,
 * which all threads would add to at the same time, once a thread.
 */
final class CpuTriangleCounter implements TriangleCounter {
  /** Sources that a thread takes at a time. Those of long rows come first. */
  private static final int CHUNK = 32;

  /** A row this many times as long as what it may meet is searched. */
  private static final int SEARCHED = 16;

  /** Up to so many entries of a source are looked up in a bitmap one by one. */
  private static final int TESTED = 32;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final WorkerTeam team;

  CpuTriangleCounter(WorkerTeam team) {
    this.team = team;
  }

  /** Bytes of the heap that counting takes. */
  static long bytes(long vertices, long entries, int threads) {
    return 8 * vertices
        + HubBitmaps.bytes(vertices, entries)
        + threads
            * (vertices / 4 + 4 * vertices + 2 * HubCounts.BYTES + Long.BYTES * HubBitmaps.HUBS);
  }

  @Override
  public long[] count(OrientedRows rows) {
    long start = System.nanoTime();
    long[] totals = new long[rows.vertices()];
    HubBitmaps hubs = new HubBitmaps(rows, team);
    start = PhaseTimes.ended("intersect: bitmaps", start);
    AtomicInteger next = new AtomicInteger();
    int sources = rows.sources().length;
    team.run(
        member -> {
          Member worker = new Member(rows, hubs, totals);
          int from = next.getAndAdd(CHUNK);
          while (from >= 0 && from < sources && !team.stopped()) {
            int to = Math.min(sources, from + CHUNK);
            for (int s = from; s < to; s++) {
              worker.count(rows.sources()[s]);
            }
            from = next.getAndAdd(CHUNK);
          }
          worker.addHubs();
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

    private final HubBitmaps hubs;
    private final int[] bitmaps;
    private final int[] tails;
    private final long[] bits;
    private final long[] reciprocal;

    /** The source's hubs, and those of them to which edges go both ways. */
    private final long[] own = new long[HubBitmaps.WORDS];

    private final long[] ownReciprocal = new long[HubBitmaps.WORDS];

    /** Triangles of hubs that were found in bitmaps, whose opposite side is one edge, or two. */
    private final HubCounts single = new HubCounts();

    private final HubCounts paired = new HubCounts();

    /** What this thread adds to the totals of hubs: most sources have something for them. */
    private final long[] ofHubs = new long[HubBitmaps.HUBS];

    Member(OrientedRows rows, HubBitmaps hubs, long[] totals) {
      begin = rows.begin();
      end = rows.end();
      entries = rows.entries();
      this.totals = totals;
      this.hubs = hubs;
      bitmaps = hubs.numbers();
      tails = hubs.tails();
      bits = hubs.bits();
      reciprocal = hubs.reciprocal();
      marks = new long[(rows.vertices() >>> 5) + 1];
      positions = new int[rows.vertices()];
    }

    void count(int u) {
      int first = begin[u];
      int size = end[u] - first;
      if (size > sums.length) {
        sums = new long[Math.max(size, 2 * sums.length)];
      }
      int hubEntries = mark(first, size);
      long found = 0;
      for (int i = 1; i < size; i++) {
        int entry = entries[first + i];
        int v = entry >>> 1;
        long side = ONE + 1 + (entry & 1);
        // Only entries before i are of lower ranks than v.
        int bitmap = bitmaps[v];
        if (bitmap < 0) {
          found += lookUp(first, 0, i, begin[v], side);
        } else {
          int before = Math.min(i, hubEntries);
          found +=
              before <= TESTED
                  ? test(first, before, i, bitmap, side)
                  : intersect(i, v, bitmap, (entry & 1) == 0 ? single : paired);
          found += lookUp(first, before, i, tails[bitmap], side);
        }
      }
      for (int i = 0; i < size; i++) {
        int w = entries[first + i] >>> 1;
        marks[w >>> 5] &= ~(3L << ((w & 31) << 1));
        add(w, sums[i]);
        sums[i] = 0;
      }
      Arrays.fill(own, 0);
      Arrays.fill(ownReciprocal, 0);
      add(u, found);
    }

    /** Marks the source's entries; the number of hubs among them, the first ones. */
    private int mark(int first, int size) {
      int hubEntries = 0;
      for (int i = 0; i < size; i++) {
        int entry = entries[first + i];
        int w = entry >>> 1;
        marks[w >>> 5] |= 1L + (entry & 1) << ((w & 31) << 1);
        positions[w] = i;
        if (w < HubBitmaps.HUBS) {
          own[w >>> 6] |= 1L << w;
          ownReciprocal[w >>> 6] |= (long) (entry & 1) << w;
          hubEntries++;
        }
      }
      return hubEntries;
    }

    /** Adds what was counted of hubs. */
    void addHubs() {
      int[] ones = single.sums();
      int[] twos = paired.sums();
      for (int w = 0; w < Math.min(ones.length, totals.length); w++) {
        LONGS.getAndAdd(totals, w, ofHubs[w] + ones[w] * (ONE + 1) + twos[w] * (ONE + 2));
      }
    }

    private void add(int vertex, long sum) {
      if (vertex < HubBitmaps.HUBS) {
        ofHubs[vertex] += sum;
      } else if (sum != 0) {
        LONGS.getAndAdd(totals, vertex, sum);
      }
    }

    /** Looks the source's entries before the i-th one up in its bitmap, as many as are hubs. */
    private long test(int first, int before, int i, int bitmap, long side) {
      long found = 0;
      long ofEntry = 0;
      for (int k = 0; k < before; k++) {
        int entry = entries[first + k];
        int w = entry >>> 1;
        int word = bitmap * HubBitmaps.WORDS + (w >>> 6);
        if ((bits[word] >>> w & 1) != 0) {
          found += ONE + 1 + flag(word, w);
          ofEntry += ONE + 1 + (entry & 1);
          sums[k] += side;
        }
      }
      sums[i] += ofEntry;
      return found;
    }

    /** Whether edges go both ways to a hub that is in a bitmap. */
    private long flag(int word, int hub) {
      if (reciprocal == null) {
        return hubs.areAllReciprocal() ? 1 : 0;
      }
      return reciprocal[word] >>> hub & 1;
    }

    /** Intersects the source's hubs with those of its i-th entry, which are of lower ranks. */
    private long intersect(int i, int v, int bitmap, HubCounts counts) {
      int from = bitmap * HubBitmaps.WORDS;
      int words = Math.min(HubBitmaps.WORDS, (v + 63) >>> 6);
      long[] common = counts.next();
      long found = 0;
      for (int k = 0; k < words; k++) {
        long both = own[k] & bits[from + k];
        common[k] = both;
        found += Long.bitCount(both);
      }
      Arrays.fill(common, words, common.length, 0);
      long both = reciprocal == null ? (hubs.areAllReciprocal() ? found : 0) : 0;
      long ofEntry = both;
      if (reciprocal != null && found > 0) {
        for (int k = 0; k < words; k++) {
          both += Long.bitCount(common[k] & reciprocal[from + k]);
          ofEntry += Long.bitCount(common[k] & ownReciprocal[k]);
        }
      }
      counts.count();
      sums[i] += found * (ONE + 1) + ofEntry;
      return found * (ONE + 1) + both;
    }

    /**
     * Finds those of the source's entries {@code [before, i)} that are in the row of the i-th one,
     * from a position on.
     */
    private long lookUp(int first, int before, int i, int from, long side) {
      int length = end[entries[first + i] >>> 1] - from;
      if (before == i || length == 0) {
        return 0;
      }
      return length > (long) SEARCHED * (i - before)
          ? search(first, before, i, from, side)
          : scan(from, end[entries[first + i] >>> 1], i, side);
    }

    /** Looks a part of the row of the i-th entry up in the marks. */
    private long scan(int from, int to, int i, long side) {
      long found = 0;
      long ofEntry = 0;
      for (int j = from; j < to; j++) {
        int entry = entries[j];
        int w = entry >>> 1;
        long mark = marks[w >>> 5] >>> ((w & 31) << 1) & 3;
        if (mark != 0) {
          found += ONE + 1 + (entry & 1);
          ofEntry += ONE + mark;
          sums[positions[w]] += side;
        }
      }
      sums[i] += ofEntry;
      return found;
    }

    /** Looks the entries {@code [before, i)} up in the row of the i-th one. */
    private long search(int first, int before, int i, int from, long side) {
      int to = end[entries[first + i] >>> 1];
      long found = 0;
      for (int k = before; k < i && from < to; k++) {
        int wanted = entries[first + k];
        from = atOrBehind(wanted & ~1, from, to);
        if (from < to && entries[from] >>> 1 == wanted >>> 1) {
          found += ONE + 1 + (entries[from] & 1);
          sums[i] += ONE + 1 + (wanted & 1);
          sums[k] += side;
        }
      }
      return found;
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
