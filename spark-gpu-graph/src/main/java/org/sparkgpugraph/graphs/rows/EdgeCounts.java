package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.memory.Workers;

/** Counts the edges of each end, by all threads. */
public final class EdgeCounts {
  private EdgeCounts() {}

  /**
   * Number of edges of each of a range of ends.
   *
   * @param rows whether the ends that become rows are counted, or the others
   * @param first the end that is counted first
   * @param count number of ends; edges of others are not counted
   */
  public static int[] of(EdgeSequence edges, boolean rows, int first, int count, Workers workers) {
    long size = edges.size();
    // Every thread counts for itself; all counters together take no more room than the edges.
    int most = (int) Math.max(1, Math.min(workers.threads(), size / Math.max(1 << 16, count)));
    long bytes = 4L * count;
    while (most > 1 && !workers.hasRoom(most * bytes)) {
      most /= 2;
    }
    int tasks = most;
    workers.acquire(tasks * bytes);
    int[][] counts = new int[tasks][];
    workers.run(
        tasks,
        t -> {
          int[] mine = new int[count];
          int[] ends = new int[EdgeSequence.CHUNK];
          long end = size * (t + 1) / tasks;
          for (long from = size * t / tasks; from < end; from += EdgeSequence.CHUNK) {
            int part = (int) Math.min(EdgeSequence.CHUNK, end - from);
            if (rows) {
              edges.rows(from, part, first, first + count, ends, 0);
            } else {
              edges.neighbours(from, part, ends);
            }
            count(ends, part, first, mine);
          }
          counts[t] = mine;
        });
    int[] sums = counts[0];
    workers.forEachChunk(
        count,
        (from, to) -> {
          for (int t = 1; t < tasks; t++) {
            add(counts[t], from, to, sums);
          }
        });
    workers.release((tasks - 1) * bytes);
    return sums;
  }

  private static void count(int[] ends, int size, int first, int[] counts) {
    for (int i = 0; i < size; i++) {
      int end = ends[i] - first;
      if (end >= 0 && end < counts.length) {
        counts[end]++;
      }
    }
  }

  private static void add(int[] more, int from, int to, int[] sums) {
    for (int i = from; i < to; i++) {
      sums[i] += more[i];
    }
  }
}
