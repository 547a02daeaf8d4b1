package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.sparkgpugraph.algorithm.MinimumSpanningForest.Joined;
import org.sparkgpugraph.algorithm.support.Claim;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.testing.TestGraph;

/** Forests, matchings and colourings by sequential code, greedily in the order of priorities. */
final class IrregularOracle {
  private IrregularOracle() {}

  /** Checks components, edges and that parents lead to the root. */
  static void checkForest(TestGraph<?, Double> graph, Map<Long, Joined> found, String name) {
    Set<List<Object>> edges = new HashSet<>();
    found.forEach(
        (id, vertex) -> {
          if (vertex.parent() != id) {
            edges.add(edge(id, vertex.parent(), vertex.weight()));
          }
        });
    assertThat(edges).as(name).isEqualTo(kruskal(graph));
    Map<Long, Long> components = components(graph);
    assertThat(found.keySet()).as(name).isEqualTo(components.keySet());
    found.forEach(
        (id, vertex) -> {
          assertThat(vertex.component()).as(name).isEqualTo(components.get(id));
          // Parents lead to the root: there is no cycle.
          long at = id;
          for (int steps = 0; at != vertex.component(); steps++) {
            assertThat(steps).as(name).isLessThan(found.size());
            at = found.get(at).parent();
          }
          assertThat(found.get(at).parent()).as(name).isEqualTo(at);
        });
  }

  /** An edge, whichever way it goes. */
  static List<Object> edge(long a, long b, double weight) {
    return List.of(Math.min(a, b), Math.max(a, b), weight + 0.0);
  }

  private static List<Integer> sorted(TestGraph<?, ?> graph, Comparator<Integer> order) {
    List<Integer> edges = new ArrayList<>();
    for (int e = 0; e < graph.edgeCount(); e++) {
      if (graph.sources()[e] != graph.destinations()[e]) {
        edges.add(e);
      }
    }
    edges.sort(order);
    return edges;
  }

  private static long low(TestGraph<?, ?> graph, int e) {
    return Math.min(graph.sources()[e], graph.destinations()[e]);
  }

  private static long high(TestGraph<?, ?> graph, int e) {
    return Math.max(graph.sources()[e], graph.destinations()[e]);
  }

  /** Edges in the order of their weights, then of their ends, that connect two trees. */
  static Set<List<Object>> kruskal(TestGraph<?, Double> graph) {
    Map<Long, Long> tree = LibraryOracle.each(graph, id -> id);
    Set<List<Object>> forest = new HashSet<>();
    for (int e :
        sorted(
            graph,
            Comparator.<Integer>comparingDouble(e -> graph.edgeAttributes().get(e) + 0.0)
                .thenComparingLong(e -> low(graph, e))
                .thenComparingLong(e -> high(graph, e)))) {
      long a = tree.get(low(graph, e));
      long b = tree.get(high(graph, e));
      if (a != b) {
        tree.replaceAll((id, root) -> root == b ? Long.valueOf(a) : root);
        forest.add(edge(low(graph, e), high(graph, e), graph.edgeAttributes().get(e)));
      }
    }
    return forest;
  }

  private static Map<Long, Long> components(TestGraph<?, ?> graph) {
    Map<Long, Long> component = LibraryOracle.each(graph, id -> id);
    for (int e = 0; e < graph.edgeCount(); e++) {
      long a = component.get(graph.sources()[e]);
      long b = component.get(graph.destinations()[e]);
      component.replaceAll((id, old) -> old == a || old == b ? Long.valueOf(Math.min(a, b)) : old);
    }
    return component;
  }

  /** Takes edges in the order of their priorities whose ends are free. */
  static Map<Long, Long> matching(TestGraph<?, ?> graph, long seed) {
    Map<Long, Long> partner = LibraryOracle.each(graph, id -> id);
    for (int e :
        sorted(
            graph,
            Comparator.comparingLong(e -> Claim.drawn(low(graph, e), high(graph, e), seed)))) {
      long a = low(graph, e);
      long b = high(graph, e);
      if (partner.get(a) == a && partner.get(b) == b) {
        partner.put(a, b);
        partner.put(b, a);
      }
    }
    // Maximal: no edge has two free ends.
    for (int e : sorted(graph, Comparator.naturalOrder())) {
      boolean lowFree = partner.get(low(graph, e)) == low(graph, e);
      assertThat(lowFree && partner.get(high(graph, e)) == high(graph, e)).isFalse();
    }
    return partner;
  }

  /** Gives vertices in the order of their priorities the smallest colour that is free. */
  static Map<Long, Integer> colouring(TestGraph<?, ?> graph, long seed) {
    Map<Long, Set<Long>> neighbours = new HashMap<>();
    for (long id : graph.ids()) {
      neighbours.put(id, new HashSet<>());
    }
    for (int e : sorted(graph, Comparator.naturalOrder())) {
      neighbours.get(low(graph, e)).add(high(graph, e));
      neighbours.get(high(graph, e)).add(low(graph, e));
    }
    int most = neighbours.values().stream().mapToInt(Set::size).max().orElse(0);
    Map<Long, Integer> colour = new TreeMap<>();
    List<Long> order = new ArrayList<>(Arrays.stream(graph.ids()).boxed().toList());
    Map<Long, Integer> degrees = new HashMap<>();
    for (long[] ends : List.of(graph.sources(), graph.destinations())) {
      for (long id : ends) {
        degrees.merge(id, 1, Integer::sum);
      }
    }
    // The logarithm of the degree, the larger first, then a hash.
    order.sort(
        Comparator.<Long>comparingInt(
                id -> Integer.numberOfLeadingZeros(degrees.getOrDefault(id, 0)))
            .thenComparingLong(id -> Mixing.mix(id, seed) >>> 8)
            .thenComparingLong(id -> id));
    for (long id : order) {
      int free = 0;
      while (true) {
        int tried = free;
        if (neighbours.get(id).stream().noneMatch(n -> colour.getOrDefault(n, -1) == tried)) {
          break;
        }
        free++;
      }
      assertThat(free).isLessThanOrEqualTo(most);
      colour.put(id, free);
    }
    return colour;
  }
}
