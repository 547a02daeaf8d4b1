package org.sparkgpugraph.engine.operator;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Union-find over any longs, of which the smallest of a tree is its root: what is left of connected
 * components once every shard has contracted its own edges. Not thread-safe but for {@link #roots}.
 */
final class LabelForest {
  private static final int EMPTY = -1;

  private int[] slots = new int[16];
  private long[] labels = new long[8];
  private int[] parents = new int[8];
  private int size;

  LabelForest() {
    Arrays.fill(slots, EMPTY);
  }

  /** Number of labels that were linked. */
  int size() {
    return size;
  }

  /** Joins the trees of two labels. */
  void link(long a, long b) {
    if (a != b) {
      int p = root(add(a));
      int q = root(add(b));
      if (p != q) {
        if (labels[p] < labels[q]) {
          parents[q] = p;
        } else {
          parents[p] = q;
        }
      }
    }
  }

  /** The smallest label of a label's tree; itself when it was never linked. */
  long root(long label) {
    int at = slots[slot(label)];
    return at == EMPTY ? label : labels[root(at)];
  }

  /**
   * The roots of all labels as {@link #root(long)} tells them, for any number of threads at a time
   * until the next link.
   */
  LongUnaryOperator roots() {
    for (int at = 0; at < size; at++) {
      parents[at] = root(at);
    }
    // Nothing is left to shorten: who looks up only reads.
    return label -> {
      int at = slots[slot(label)];
      return at == EMPTY ? label : labels[parents[at]];
    };
  }

  private int root(int of) {
    int at = of;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  private int slot(long label) {
    int mask = slots.length - 1;
    int slot = (int) (label * 0x9E3779B97F4A7C15L >>> 32) & mask;
    while (slots[slot] != EMPTY && labels[slots[slot]] != label) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int add(long label) {
    int slot = slot(label);
    if (slots[slot] != EMPTY) {
      return slots[slot];
    }
    if (size == labels.length) {
      if (size >= 1 << 29) {
        throw new IllegalStateException(
            "more than " + size + " components go from shard to shard; use fewer executors");
      }
      labels = Arrays.copyOf(labels, 2 * size);
      parents = Arrays.copyOf(parents, 2 * size);
      slots = new int[4 * size];
      Arrays.fill(slots, EMPTY);
      for (int at = 0; at < size; at++) {
        slots[slot(labels[at])] = at;
      }
      slot = slot(label);
    }
    labels[size] = label;
    parents[size] = size;
    slots[slot] = size;
    return size++;
  }

  /** The labels that are no roots, ascending. */
  long[] children() {
    long[] children = new long[size];
    int count = 0;
    for (int at = 0; at < size; at++) {
      if (parents[at] != at) {
        children[count++] = labels[at];
      }
    }
    long[] ascending = Arrays.copyOf(children, count);
    Arrays.sort(ascending);
    return ascending;
  }
}
