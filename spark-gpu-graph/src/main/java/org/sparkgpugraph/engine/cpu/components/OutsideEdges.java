package org.sparkgpugraph.engine.cpu.components;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.BinarySearch;

/**
 * How many edges between vertices outside of a tree leave each of them. Where a tree has most of a
 * graph there are few such edges, and a list of them takes less than a number for each vertex: new
 * memory costs most of what is left to do then. Threads add at the same time; they ask afterwards.
 */
final class OutsideEdges {
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);

  /** Edges that a thread keeps before it hands them on. */
  private static final int KEPT = 256;

  /** So many vertices for an edge that is listed: a list takes a part of what numbers take. */
  private static final int FEW = 16;

  private final int vertices;

  // Guarded by this.
  private List<int[]> listed = new ArrayList<>();
  private int length;

  /** Where there are too many for a list. */
  private volatile int[] counts;

  /** Sources of the edges that are listed, ascending; null: they are counted. */
  private int[] sources;

  /**
   * @param vertices all of them, also those in the tree
   */
  OutsideEdges(int vertices) {
    this.vertices = vertices;
  }

  /** What one thread adds. */
  final class Part {
    private final int[] kept = new int[KEPT];
    private int count;

    /** Adds an edge by its source. */
    void add(int source) {
      kept[count++] = source;
      if (count == KEPT) {
        end();
      }
    }

    /** Says that no more come. */
    void end() {
      if (count > 0 && (counts != null || !list(kept, count))) {
        count(kept, count);
      }
      count = 0;
    }
  }

  /** For a thread. */
  Part part() {
    return new Part();
  }

  private synchronized boolean list(int[] from, int count) {
    if (counts != null) {
      return false;
    }
    if ((long) length + count <= vertices / FEW) {
      listed.add(Arrays.copyOf(from, count));
      length += count;
      return true;
    }
    counts = new int[vertices];
    listed.forEach(before -> count(before, before.length));
    listed = List.of();
    return false;
  }

  private void count(int[] from, int count) {
    int[] all = counts;
    for (int i = 0; i < count; i++) {
      COUNTS.getAndAdd(all, from[i], 1);
    }
  }

  /** Says that all have been added. */
  synchronized void seal() {
    if (counts != null) {
      return;
    }
    sources = new int[length];
    int end = 0;
    for (int[] some : listed) {
      System.arraycopy(some, 0, sources, end, some.length);
      end += some.length;
    }
    listed = List.of();
    Arrays.sort(sources);
  }

  /** Asks for vertices in ascending order. */
  final class Ascending {
    private int place;

    /**
     * @param from no vertex before is asked for
     */
    private Ascending(int from) {
      place = sources == null ? 0 : BinarySearch.first(0, sources.length, i -> sources[i] >= from);
    }

    /** How many leave a vertex, which has not been asked for. */
    int leaving(int v) {
      if (sources == null) {
        return counts[v];
      }
      while (place < sources.length && sources[place] < v) {
        place++;
      }
      int begin = place;
      while (place < sources.length && sources[place] == v) {
        place++;
      }
      return place - begin;
    }
  }

  /** For vertices of a range. */
  Ascending from(int vertex) {
    return new Ascending(vertex);
  }
}
