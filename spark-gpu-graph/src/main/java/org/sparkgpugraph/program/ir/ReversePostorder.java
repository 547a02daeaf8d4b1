package org.sparkgpugraph.program.ir;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The nodes of a graph, each before those that follow it, where no cycle forbids that. */
public final class ReversePostorder {
  private ReversePostorder() {}

  /** The nodes that the entry leads to, which is the first. */
  public static <T> List<T> of(T entry, Function<T, List<T>> successors) {
    Deque<T> order = new ArrayDeque<>();
    Set<T> seen = new HashSet<>(Set.of(entry));
    Deque<T> path = new ArrayDeque<>(List.of(entry));
    // Beside each node of the path the ways out of it that are still to be followed.
    Deque<Iterator<T>> ways = new ArrayDeque<>(List.of(successors.apply(entry).iterator()));
    while (!path.isEmpty()) {
      if (!ways.peek().hasNext()) {
        ways.pop();
        order.push(path.pop());
      } else {
        T next = ways.peek().next();
        if (seen.add(next)) {
          path.push(next);
          ways.push(successors.apply(next).iterator());
        }
      }
    }
    return List.copyOf(order);
  }
}
