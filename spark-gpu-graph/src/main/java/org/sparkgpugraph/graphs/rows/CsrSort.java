package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Stable parallel counting sorts: edges by source, and rows transposed with the place of every
 * edge, which its value needs. {@link RowSort} makes rows by destination, in fewer misses of the
 * caches.
 *
 * <p>Every thread counts for itself, so a sort takes {@code threads × rows} counters; the number of
 * threads is bounded so that they take no more memory than the edges. The workers reserve these and
 * the rows.
 */
final class CsrSort {
  private CsrSort() {}

  /** A contiguous piece of a block. */
  private record Segment(int block, int from, int to) {}

  /**
   * Sorts edges by source.
   *
   * @param blocks the edges, fewer than 2³¹
   * @param rows number of dense ids
   * @param places per block an {@code int[size]} that receives the position of each edge in the
   *     result, or null where that is not wanted
   * @return a row per source, its neighbours are the destinations in the order (block, position)
   */
  static Csr bySource(List<DenseBlock> blocks, int rows, int[][] places, Workers workers) {
    int edges = Math.toIntExact(DenseBlocks.edges(blocks));
    int tasks = tasks(edges, rows, workers);
    List<List<Segment>> pieces = split(blocks, edges, tasks);
    workers.acquire(bytes(tasks, rows, edges));
    int[][] cursors = new int[tasks][];
    workers.run(
        tasks,
        t -> {
          int[] counts = new int[rows];
          for (Segment s : pieces.get(t)) {
            DenseBlock block = blocks.get(s.block);
            count(block.sources(), block.map(), s.from, s.to, counts);
          }
          cursors[t] = counts;
        });
    int[] offsets = startCursors(cursors, rows, workers);
    int[] neighbours = new int[edges];
    workers.run(
        tasks,
        t -> {
          for (Segment s : pieces.get(t)) {
            DenseBlock b = blocks.get(s.block);
            scatter(b, s.from, s.to, cursors[t], neighbours, places[s.block]);
          }
        });
    workers.release(4L * tasks * rows);
    return new Csr(offsets, neighbours);
  }

  /**
   * Transposes: row r of the result lists, ascending, the rows of {@code csr} that have r as a
   * neighbour; equal ones keep their order. The neighbours of {@code csr} are overwritten by the
   * position that their edge takes in the result.
   *
   * @param first the neighbour that becomes row 0
   * @param rows number of rows of the result
   */
  static Csr transpose(Csr csr, int first, int rows, Workers workers) {
    int edges = csr.edges();
    int tasks = tasks(edges, rows, workers);
    workers.acquire(bytes(tasks, rows, edges));
    int[][] cursors = new int[tasks][];
    workers.run(
        tasks,
        t -> {
          int[] counts = new int[rows];
          count(csr.neighbours(), first, cut(edges, t, tasks), cut(edges, t + 1, tasks), counts);
          cursors[t] = counts;
        });
    int[] offsets = startCursors(cursors, rows, workers);
    int[] neighbours = new int[edges];
    workers.run(
        tasks,
        t -> {
          int from = cut(edges, t, tasks);
          int to = cut(edges, t + 1, tasks);
          transpose(csr, first, from, to, cursors[t], neighbours);
        });
    workers.release(4L * tasks * rows);
    return new Csr(offsets, neighbours);
  }

  /** Of the counters, which are let go of, and of the rows. */
  private static long bytes(int tasks, int rows, int edges) {
    return 4L * ((long) tasks * rows + rows + 1 + edges);
  }

  /**
   * As many as have counters that take no more memory than the edges, and fewer where there is no
   * room for these beside the rows.
   */
  static int tasks(int edges, int rows, Workers workers) {
    int useful = Math.max(1, edges / (1 << 16));
    int affordable = Math.max(1, edges / Math.max(1, rows));
    int tasks = Math.min(workers.threads(), Math.min(useful, affordable));
    while (tasks > 1 && !workers.hasRoom(bytes(tasks, rows, edges))) {
      tasks /= 2;
    }
    return tasks;
  }

  private static int cut(int edges, int task, int tasks) {
    return (int) ((long) edges * task / tasks);
  }

  private static List<List<Segment>> split(List<DenseBlock> blocks, int edges, int tasks) {
    List<List<Segment>> pieces = new ArrayList<>();
    int block = 0;
    int first = 0;
    for (int t = 0; t < tasks; t++) {
      int from = cut(edges, t, tasks);
      int to = cut(edges, t + 1, tasks);
      List<Segment> piece = new ArrayList<>();
      while (from < to) {
        int size = blocks.get(block).size();
        int end = (int) Math.min((long) first + size, to);
        if (end > from) {
          piece.add(new Segment(block, from - first, end - first));
          from = end;
        }
        if (end == first + size) {
          first += size;
          block++;
        }
      }
      pieces.add(piece);
    }
    return pieces;
  }

  private static void count(int[] index, int[] map, int from, int to, int[] counts) {
    if (map == null) {
      for (int i = from; i < to; i++) {
        counts[index[i]]++;
      }
    } else {
      for (int i = from; i < to; i++) {
        counts[map[index[i]]]++;
      }
    }
  }

  private static void count(int[] index, int first, int from, int to, int[] counts) {
    for (int i = from; i < to; i++) {
      counts[index[i] - first]++;
    }
  }

  /** Turns counts per task into the position at which each task starts in each row. */
  static int[] startCursors(int[][] counts, int rows, Workers workers) {
    int[] offsets = new int[rows + 1];
    int chunks = Math.max(1, Math.min(4 * workers.threads(), rows >>> 12));
    int[] sums = new int[chunks];
    workers.run(
        chunks,
        c -> {
          int sum = 0;
          for (int[] task : counts) {
            for (int r = cut(rows, c, chunks); r < cut(rows, c + 1, chunks); r++) {
              sum += task[r];
            }
          }
          sums[c] = sum;
        });
    int all = 0;
    for (int c = 0; c < chunks; c++) {
      int sum = sums[c];
      sums[c] = all;
      all += sum;
    }
    workers.run(
        chunks,
        c -> {
          int next = sums[c];
          for (int r = cut(rows, c, chunks); r < cut(rows, c + 1, chunks); r++) {
            offsets[r] = next;
            for (int[] task : counts) {
              int count = task[r];
              task[r] = next;
              next += count;
            }
          }
        });
    offsets[rows] = all;
    return offsets;
  }

  private static void scatter(
      DenseBlock block, int from, int to, int[] cursors, int[] neighbours, int[] places) {
    int[] sources = block.sources();
    int[] destinations = block.destinations();
    int[] map = block.map();
    for (int i = from; i < to; i++) {
      int source = map == null ? sources[i] : map[sources[i]];
      int place = cursors[source]++;
      neighbours[place] = map == null ? destinations[i] : map[destinations[i]];
      if (places != null) {
        places[i] = place;
      }
    }
  }

  private static void transpose(
      Csr csr, int first, int from, int to, int[] cursors, int[] neighbours) {
    int[] offsets = csr.offsets();
    int[] columns = csr.neighbours();
    int row = csr.rowOf(from);
    for (int e = from; e < to; row++) {
      int end = Math.min(offsets[row + 1], to);
      for (; e < end; e++) {
        int place = cursors[columns[e] - first]++;
        neighbours[place] = row;
        columns[e] = place;
      }
    }
  }
}
