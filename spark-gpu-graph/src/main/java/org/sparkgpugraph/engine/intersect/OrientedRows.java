package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * A graph without directions, loops and parallel edges, each edge kept once: in the row of its end
 * of the smaller degree (of equal ones, of the larger id). Vertices are numbered by rank, largest
 * degree first, so that a row names vertices of lower ranks than its own, rows are short (at most
 * the square root of twice the number of edges), and what is looked up often lies together (Chiba
 * and Nishizeki 1985; Latapy 2008). Every triangle is found once, from its vertex of the highest
 * rank: two entries of its row that are connected.
 *
 * <p>An entry is {@code rank << 1 | reciprocal}: whether the edge stands for edges in both
 * directions. Rows ascend. In a shard rows of vertices that other shards hold may be added ({@link
 * #add}): those are looked up, but no triangle is counted from them.
 */
public final class OrientedRows {
  /** Most vertices: an entry has 31 bits for a rank and a flag. */
  static final int MOST = 1 << 30;

  /** Most entries: kernels step over them in ints, beyond the last one. */
  static final int MOST_ENTRIES = GraphPartition.MAX_EDGES;

  private final int[] degrees;
  private final int[] dense;
  private final int[] rank;
  private final int[] begin;
  private final int[] end;
  private int[] entries;
  private int used;
  private int[] sources = new int[0];

  /**
   * Ranks vertices; rows are empty.
   *
   * @param degrees number of neighbours by dense id, over the whole graph
   * @throws IllegalArgumentException when there are more vertices than entries can name
   */
  OrientedRows(int[] degrees) {
    int n = degrees.length;
    known(n);
    this.degrees = degrees;
    int most = Arrays.stream(degrees).max().orElse(0);
    int[] firsts = new int[most + 2];
    for (int degree : degrees) {
      firsts[most - degree + 1]++;
    }
    Arrays.parallelPrefix(firsts, Integer::sum);
    dense = new int[n];
    rank = new int[n];
    for (int v = 0; v < n; v++) {
      int r = firsts[most - degrees[v]]++;
      rank[v] = r;
      dense[r] = v;
    }
    begin = new int[n];
    end = new int[n];
    entries = new int[0];
  }

  /**
   * Checks that entries can name all vertices.
   *
   * @throws IllegalArgumentException when there are more than {@link #MOST}
   */
  static void known(int vertices) {
    if (vertices > MOST) {
      throw new IllegalArgumentException(
          "intersecting neighbourhoods: this executor knows "
              + vertices
              + " vertices, "
              + MOST
              + " are possible; spread the graph over more executors (spark.gpugraph.executors)");
    }
  }

  /**
   * Checks that entries have room.
   *
   * @param rows whose entries they are
   * @throws IllegalArgumentException when there are more than {@link #MOST_ENTRIES}
   */
  static void room(long entries, String rows) {
    if (entries > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "intersecting neighbourhoods: "
              + rows
              + " have "
              + entries
              + " entries or more, "
              + MOST_ENTRIES
              + " are possible; spread the graph over more executors (spark.gpugraph.executors)");
    }
  }

  /** Builds the rows of all vertices that are held. */
  void build(Rows rows) {
    rows.forEach(
        (v, row) -> {
          int r = rank[v];
          int size = 0;
          for (int i = 0; i < row.size(); i++) {
            size += rank[row.neighbour(i)] < r ? 1 : 0;
          }
          end[r] = size;
        });
    long total = 0;
    for (int r = 0; r < begin.length; r++) {
      begin[r] = (int) total;
      total += end[r];
      room(total, "the rows that this executor holds");
    }
    used = (int) total;
    entries = new int[used];
    rows.forEach(
        () -> {
          EntrySort sort = new EntrySort();
          return (v, row) -> fill(rank[v], row, sort);
        });
    sources = IntStream.range(0, begin.length).filter(r -> end[r] - begin[r] > 1).toArray();
  }

  private void fill(int r, MergedRow row, EntrySort sort) {
    int at = begin[r];
    for (int i = 0; i < row.size(); i++) {
      int q = rank[row.neighbour(i)];
      if (q < r) {
        entries[at++] = q << 1 | (row.reciprocal(i) ? 1 : 0);
      }
    }
    sort.sort(entries, begin[r], at, r << 1);
    end[r] = at;
  }

  /**
   * Adds the row of a vertex that another shard holds.
   *
   * @param row entries in any order
   * @param size number of them
   */
  void add(int denseId, int[] row, int size) {
    if ((long) used + size > entries.length) {
      long needed = (long) used + size;
      room(needed, "the rows that this executor holds and those that it reads of others");
      long more = 64L + used + used / 2;
      entries = Arrays.copyOf(entries, (int) Math.min(MOST_ENTRIES, Math.max(needed, more)));
    }
    System.arraycopy(row, 0, entries, used, size);
    Arrays.sort(entries, used, used + size);
    int r = rank[denseId];
    begin[r] = used;
    used += size;
    end[r] = used;
  }

  /** Number of vertices that are known. */
  public int vertices() {
    return begin.length;
  }

  /** Rank of a dense id. */
  int rank(int denseId) {
    return rank[denseId];
  }

  /** Dense id of a rank. */
  int dense(int ofRank) {
    return dense[ofRank];
  }

  /** Number of ranks, the first ones, whose vertices have at least so many neighbours. */
  int ranks(int degree) {
    int low = 0;
    int high = dense.length;
    while (low < high) {
      int middle = low + high >>> 1;
      if (degrees[dense[middle]] >= degree) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of entries in the row of a rank. */
  int length(int ofRank) {
    return end[ofRank] - begin[ofRank];
  }

  /** Where the row of a rank begins in {@link #entries}: not to be changed. */
  public int[] begin() {
    return begin;
  }

  /** Where the row of a rank ends. */
  public int[] end() {
    return end;
  }

  /** The entries of all rows; as many as {@link #used} are in use. */
  public int[] entries() {
    return entries;
  }

  /** Number of entries. */
  public int used() {
    return used;
  }

  /** Ranks of the vertices that triangles are counted from: held here, with two entries or more. */
  public int[] sources() {
    return sources;
  }
}
