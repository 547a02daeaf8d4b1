package org.sparkgpugraph.engine.cpu.components;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Trees over dense ids that threads join at the same time. A parent is never larger than its child,
 * so the root of a tree is its smallest member, whoever was faster. Threads only ever hang a root
 * under a smaller vertex (by compare and set) or a vertex under an ancestor of its own.
 */
final class LinkedForest {
  private static final VarHandle PARENTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] parents;

  /**
   * @param parents each at most its own index; changed here
   */
  LinkedForest(int[] parents) {
    this.parents = parents;
  }

  private int parent(int v) {
    return (int) PARENTS.getOpaque(parents, v);
  }

  /** Joins the trees of two vertices. */
  void link(int a, int b) {
    int p = parent(a);
    int q = parent(b);
    while (p != q) {
      int high = Math.max(p, q);
      int low = Math.min(p, q);
      int above = parent(high);
      if (above == low || above == high && PARENTS.compareAndSet(parents, high, high, low)) {
        return;
      }
      p = parent(parent(high));
      q = parent(low);
    }
  }

  /** The root of a vertex's tree, as far as links have come. */
  int root(int v) {
    int p = parent(v);
    for (int above; (above = parent(p)) != p; ) {
      p = above;
    }
    return p;
  }

  /** Hangs vertices {@code [from, to)} under their roots; no thread links meanwhile. */
  void compress(int from, int to) {
    for (int v = from; v < to; v++) {
      parents[v] = root(v);
    }
  }
}
