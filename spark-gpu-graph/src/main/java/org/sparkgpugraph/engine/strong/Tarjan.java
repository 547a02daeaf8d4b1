package org.sparkgpugraph.engine.strong;

import java.util.Arrays;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Strongly connected components by one thread, of those vertices whose component nobody knows
 * (Tarjan 1972, "Depth-first search and linear graph algorithms"), with a stack of its own.
 */
final class Tarjan {
  private static final int LEFT = -1;

  private final Csr rows;
  private final int[] components;

  /** Order in which vertices are found, from 1 on; 0: not yet. */
  private final int[] numbers;

  /** The lowest number of who is on the stack that a vertex reaches. */
  private final int[] lowest;

  /** The next edge of a vertex. */
  private final int[] edges;

  private final int[] path;
  private int depth;

  /** Those whose component has not ended. */
  private final int[] open;

  private int opened;
  private int found;

  private Tarjan(GraphPartition partition, int[] components, int left) {
    rows = partition.outEdges();
    this.components = components;
    numbers = new int[components.length];
    lowest = new int[components.length];
    edges = new int[components.length];
    path = new int[left];
    open = new int[left];
  }

  /**
   * Finds them.
   *
   * @param components −1 of those who are left; gets the smallest member of each component
   */
  static void find(GraphPartition partition, int[] components) {
    int left = (int) Arrays.stream(components).filter(component -> component == LEFT).count();
    if (left == 0) {
      return;
    }
    Tarjan tarjan = new Tarjan(partition, components, left);
    for (int v = 0; v < components.length; v++) {
      if (components[v] == LEFT) {
        tarjan.search(v);
      }
    }
  }

  private void enter(int v) {
    numbers[v] = ++found;
    lowest[v] = found;
    edges[v] = rows.offsets()[v];
    path[depth++] = v;
    open[opened++] = v;
  }

  private void search(int from) {
    enter(from);
    while (depth > 0) {
      int v = path[depth - 1];
      if (edges[v] < rows.offsets()[v + 1]) {
        int other = rows.neighbour(edges[v]++);
        // Whoever is in a component that has ended has no number less than this search's.
        if (components[other] != LEFT) {
          continue;
        }
        if (numbers[other] == 0) {
          enter(other);
        } else {
          lowest[v] = Math.min(lowest[v], numbers[other]);
        }
      } else {
        leave(v);
      }
    }
  }

  private void leave(int v) {
    depth--;
    if (depth > 0) {
      int before = path[depth - 1];
      lowest[before] = Math.min(lowest[before], lowest[v]);
    }
    if (lowest[v] < numbers[v]) {
      return;
    }
    int begin = opened;
    int smallest = v;
    do {
      begin--;
      smallest = Math.min(smallest, open[begin]);
    } while (open[begin] != v);
    for (int i = begin; i < opened; i++) {
      components[open[i]] = smallest;
    }
    opened = begin;
  }
}
