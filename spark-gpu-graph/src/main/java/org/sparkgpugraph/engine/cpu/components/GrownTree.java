package org.sparkgpugraph.engine.cpu.components;

import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Most of a graph's largest component, grown from a hub: its neighbours are members, and in sweeps
 * over the rows whoever has a member among its own neighbours becomes one. A row is left at the
 * first of them, so that a sweep looks at little more than one edge of most vertices, in a bitmap
 * that stays in a core's cache; a union-find looks at two and at their parents, which are all over
 * memory.
 */
final class GrownTree {
  /** A hub is next to at least one of so many vertices. */
  private static final int HUB_SHARE = 256;

  /** What has grown is used if at least one of so many vertices is a member. */
  private static final int LARGE = 8;

  private final Csr rows;
  private final int hub;
  private final long[] members;

  private GrownTree(Csr rows, int hub) {
    this.rows = rows;
    this.hub = hub;
    members = new long[(rows.rows() + 63) >>> 6];
  }

  /**
   * A tree that begins at the vertex with the longest row.
   *
   * @param blocks of the rows of the only partition, the longest first
   * @return null where no vertex is next to many
   */
  static GrownTree of(GraphPartition partition, RowBlocks blocks) {
    if (partition.ghosts() > 0 || partition.present() != null || blocks.count() == 0) {
      return null;
    }
    Csr rows = partition.inEdges();
    int[] offsets = rows.offsets();
    int longest = blocks.block(0).from();
    for (int row = longest; row < blocks.block(0).to(); row++) {
      if (offsets[row + 1] - offsets[row] > offsets[longest + 1] - offsets[longest]) {
        longest = row;
      }
    }
    long length = offsets[longest + 1] - offsets[longest];
    return length * HUB_SHARE >= rows.rows() ? new GrownTree(rows, longest) : null;
  }

  /** The bitmap of the members. */
  long[] members() {
    return members;
  }

  /** Makes the hub and its neighbours members. */
  void begin() {
    add(hub);
    int begin = rows.offsets()[hub];
    int end = rows.offsets()[hub + 1];
    RowWindow edges = new RowWindow();
    edges.open(rows, null, begin, end);
    for (int e = begin - edges.first(); e < end - edges.first(); e++) {
      add(edges.neighbours()[e]);
    }
  }

  private void add(int v) {
    members[v >>> 6] |= 1L << v;
  }

  /**
   * Makes those members that have one among their neighbours. Bits are only ever added, so it does
   * not matter how many of those that others add meanwhile are seen.
   *
   * @param over rows of all vertices, by either end of the edges
   * @param from the first row, a multiple of 64
   * @param to behind the last, a multiple of 64 or the end
   */
  void grow(Csr over, int from, int to) {
    int[] offsets = over.offsets();
    RowWindow edges = new RowWindow();
    edges.open(over, null, offsets[from], offsets[to]);
    int[] neighbours = edges.neighbours();
    int first = edges.first();
    long[] bits = members;
    for (int row = from; row < to; row += 64) {
      long before = bits[row >>> 6];
      long word = before;
      int last = Math.min(to, row + 64);
      for (int v = row; v < last; v++) {
        if ((word >>> v & 1) == 0) {
          int end = offsets[v + 1] - first;
          for (int e = offsets[v] - first; e < end; e++) {
            int u = neighbours[e];
            if ((bits[u >>> 6] >>> u & 1) != 0) {
              word |= 1L << v;
              break;
            }
          }
        }
      }
      if (word != before) {
        bits[row >>> 6] = word;
      }
    }
  }

  /** Whether the tree has become so large that it is worth having grown. */
  boolean isLarge() {
    long count = 0;
    for (long word : members) {
      count += Long.bitCount(word);
    }
    return count * LARGE >= rows.rows();
  }

  /** The smallest member. */
  int root() {
    int word = 0;
    while (members[word] == 0) {
      word++;
    }
    return (word << 6) + Long.numberOfTrailingZeros(members[word]);
  }
}
