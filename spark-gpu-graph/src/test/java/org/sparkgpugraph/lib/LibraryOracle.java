package org.sparkgpugraph.lib;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.alg.scoring.BetweennessCentrality;
import org.jgrapht.alg.scoring.ClusteringCoefficient;
import org.jgrapht.alg.scoring.Coreness;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleDirectedGraph;
import org.jgrapht.graph.SimpleGraph;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.testing.TestGraph;

/** Plain sequential algorithms, and JGraphT's, on test graphs. */
final class LibraryOracle {
  private LibraryOracle() {}

  /** Something for every vertex. */
  interface Vertices<T> {
    T of(long id);
  }

  static <T> Map<Long, T> each(TestGraph<?, ?> graph, Vertices<T> value) {
    Map<Long, T> all = new TreeMap<>();
    for (long id : graph.ids()) {
      all.put(id, value.of(id));
    }
    return all;
  }

  /** Numbers of edges from a source; vertices that it does not reach are left out. */
  static Map<Long, Integer> levels(TestGraph<?, ?> graph, long source) {
    Map<Long, Integer> levels = new HashMap<>(Map.of(source, 0));
    ArrayDeque<Long> queue = new ArrayDeque<>(List.of(source));
    while (!queue.isEmpty()) {
      long vertex = queue.remove();
      for (int e = 0; e < graph.edgeCount(); e++) {
        if (graph.sources()[e] == vertex
            && levels.putIfAbsent(graph.destinations()[e], levels.get(vertex) + 1) == null) {
          queue.add(graph.destinations()[e]);
        }
      }
    }
    return levels;
  }

  /** The graph with every edge turned round. */
  static <V, E> TestGraph<V, E> reversed(TestGraph<V, E> graph) {
    return new TestGraph<>(
        "reversed " + graph.name(),
        graph.ids(),
        graph.attributes(),
        graph.destinations(),
        graph.sources(),
        graph.edgeAttributes());
  }

  /** The graph with the reverse of every edge added. */
  static <V, E> TestGraph<V, E> bothWays(TestGraph<V, E> graph) {
    int n = graph.edgeCount();
    long[] sources = Arrays.copyOf(graph.sources(), 2 * n);
    long[] destinations = Arrays.copyOf(graph.destinations(), 2 * n);
    System.arraycopy(graph.destinations(), 0, sources, n, n);
    System.arraycopy(graph.sources(), 0, destinations, n, n);
    List<E> attributes = new ArrayList<>(graph.edgeAttributes());
    attributes.addAll(graph.edgeAttributes());
    return new TestGraph<>(
        "undirected " + graph.name(),
        graph.ids(),
        graph.attributes(),
        sources,
        destinations,
        attributes);
  }

  /** Of parallel edges the first, and no self-loops. */
  static <V, E> TestGraph<V, E> simple(TestGraph<V, E> graph) {
    Set<List<Long>> seen = new HashSet<>();
    List<Integer> kept = new ArrayList<>();
    for (int e = 0; e < graph.edgeCount(); e++) {
      long source = graph.sources()[e];
      long destination = graph.destinations()[e];
      if (source != destination && seen.add(List.of(source, destination))) {
        kept.add(e);
      }
    }
    return new TestGraph<>(
        "simple " + graph.name(),
        graph.ids(),
        graph.attributes(),
        kept.stream().mapToLong(e -> graph.sources()[e]).toArray(),
        kept.stream().mapToLong(e -> graph.destinations()[e]).toArray(),
        kept.stream().map(e -> graph.edgeAttributes().get(e)).toList());
  }

  static Graph<Long, DefaultEdge> directed(TestGraph<?, ?> graph) {
    Graph<Long, DefaultEdge> made = new SimpleDirectedGraph<>(DefaultEdge.class);
    return filled(made, simple(graph));
  }

  /** JGraphT's local clustering coefficients. */
  static Map<Long, Double> clustering(
      TestGraph<?, ?> graph, Graph<Long, DefaultEdge> asJgraphtHasIt) {
    Map<Long, Double> scores = new ClusteringCoefficient<>(asJgraphtHasIt).getScores();
    return each(graph, scores::get);
  }

  static Graph<Long, DefaultEdge> undirected(TestGraph<?, ?> graph) {
    return filled(new SimpleGraph<>(DefaultEdge.class), simple(graph));
  }

  private static Graph<Long, DefaultEdge> filled(
      Graph<Long, DefaultEdge> made, TestGraph<?, ?> graph) {
    for (long id : graph.ids()) {
      made.addVertex(id);
    }
    for (int e = 0; e < graph.edgeCount(); e++) {
      made.addEdge(graph.sources()[e], graph.destinations()[e]);
    }
    return made;
  }

  static Map<Long, Long> strongComponents(TestGraph<?, ?> graph) {
    Map<Long, Long> components = new TreeMap<>();
    for (Set<Long> component :
        new KosarajuStrongConnectivityInspector<>(directed(graph)).stronglyConnectedSets()) {
      long least = component.stream().min(Comparator.naturalOrder()).orElseThrow();
      component.forEach(id -> components.put(id, least));
    }
    return components;
  }

  static Map<Long, Integer> coreness(TestGraph<?, ?> graph) {
    return new TreeMap<>(new Coreness<>(undirected(graph)).getScores());
  }

  static Map<Long, Double> betweenness(TestGraph<?, ?> graph) {
    return new TreeMap<>(new BetweennessCentrality<>(directed(graph)).getScores());
  }

  /** Betweenness from some sources by the definition: paths counted edge by edge. */
  static Map<Long, Double> betweenness(TestGraph<?, ?> graph, long[] sources) {
    Map<Long, Double> scores = each(graph, id -> 0.0);
    for (long source : sources) {
      Map<Long, Integer> levels = levels(graph, source);
      Map<Long, Double> paths = paths(graph, levels, source);
      for (long middle : graph.ids()) {
        if (middle == source || !levels.containsKey(middle)) {
          continue;
        }
        Map<Long, Integer> beyond = levels(graph, middle);
        Map<Long, Double> more = paths(graph, beyond, middle);
        for (long target : beyond.keySet()) {
          if (target != middle && levels.get(middle) + beyond.get(target) == levels.get(target)) {
            scores.merge(
                middle, paths.get(middle) * more.get(target) / paths.get(target), Double::sum);
          }
        }
      }
    }
    return scores;
  }

  private static Map<Long, Double> paths(
      TestGraph<?, ?> graph, Map<Long, Integer> levels, long source) {
    Map<Long, Double> paths = new HashMap<>(Map.of(source, 1.0));
    int deepest = levels.values().stream().max(Comparator.naturalOrder()).orElseThrow();
    for (int level = 0; level < deepest; level++) {
      for (int e = 0; e < graph.edgeCount(); e++) {
        Integer from = levels.get(graph.sources()[e]);
        if (from != null && from == level && levels.get(graph.destinations()[e]) == level + 1) {
          paths.merge(graph.destinations()[e], paths.get(graph.sources()[e]), Double::sum);
        }
      }
    }
    return paths;
  }

  /** Widths of the widest paths, by relaxing until nothing changes. */
  static Map<Long, Double> widths(TestGraph<?, Double> graph, long source) {
    Map<Long, Double> widths = each(graph, id -> id == source ? Double.POSITIVE_INFINITY : 0.0);
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int e = 0; e < graph.edgeCount(); e++) {
        double width = Math.min(widths.get(graph.sources()[e]), graph.edgeAttributes().get(e));
        if (width > widths.get(graph.destinations()[e])) {
          widths.put(graph.destinations()[e], width);
          changed = true;
        }
      }
    }
    return widths;
  }

  /** The k-core by deleting; parallel edges count, self-loops do not. Both directions are there. */
  static Map<Long, Integer> core(TestGraph<?, ?> graph, int k) {
    Set<Long> left = new HashSet<>();
    for (long id : graph.ids()) {
      left.add(id);
    }
    while (true) {
      Map<Long, Integer> degrees = each(graph, id -> 0);
      for (int e = 0; e < graph.edgeCount(); e++) {
        if (left.contains(graph.sources()[e])
            && left.contains(graph.destinations()[e])
            && graph.sources()[e] != graph.destinations()[e]) {
          degrees.merge(graph.destinations()[e], 1, Integer::sum);
        }
      }
      if (!left.removeIf(id -> degrees.get(id) < k)) {
        degrees.replaceAll((id, degree) -> left.contains(id) ? degree : 0);
        return degrees;
      }
    }
  }

  /** The greedy independent set in the order of the priorities. */
  static Map<Long, Boolean> independentSet(TestGraph<?, ?> graph, long seed) {
    List<Long> order = new ArrayList<>();
    for (long id : graph.ids()) {
      order.add(id);
    }
    order.sort(Comparator.comparingLong(id -> Mixing.mix(id, seed)));
    Map<Long, Boolean> in = new TreeMap<>();
    for (long id : order) {
      boolean free = true;
      for (int e = 0; e < graph.edgeCount(); e++) {
        long a = graph.sources()[e];
        long b = graph.destinations()[e];
        if (a != b && (a == id || b == id) && in.getOrDefault(a == id ? b : a, false)) {
          free = false;
        }
      }
      in.put(id, free);
    }
    return in;
  }

  /** What an edge adds to its destination. */
  interface Term {
    double of(double source, double destination, double edge);
  }

  /** A value from the old one and the sum over the in-edges. */
  interface Update {
    double of(long id, double old, double sum);
  }

  /** Synchronous rounds over all edges; the values after the last one. */
  static Map<Long, Double> rounds(
      TestGraph<?, Double> graph, Map<Long, Double> start, int rounds, Term term, Update update) {
    Map<Long, Double> now = start;
    for (int round = 0; round < rounds; round++) {
      Map<Long, Double> sums = each(graph, id -> 0.0);
      for (int e = 0; e < graph.edgeCount(); e++) {
        double value =
            term.of(
                now.get(graph.sources()[e]),
                now.get(graph.destinations()[e]),
                graph.edgeAttributes().get(e));
        sums.merge(graph.destinations()[e], value, Double::sum);
      }
      Map<Long, Double> before = now;
      now = each(graph, id -> update.of(id, before.get(id), sums.get(id)));
    }
    return now;
  }

  /**
   * Rounds as the KiTES framework does them: only vertices with a predecessor that changed by more
   * than the tolerance compute; in the first round all are taken for changed.
   */
  static Map<Long, Double> active(
      TestGraph<?, Double> graph,
      Map<Long, Double> start,
      double tolerance,
      int rounds,
      Term term,
      Update update) {
    Map<Long, Double> now = new HashMap<>(start);
    Set<Long> active = new HashSet<>(start.keySet());
    for (int round = 0; round < rounds && !active.isEmpty(); round++) {
      Map<Long, Double> sums = new HashMap<>();
      Set<Long> reached = new HashSet<>();
      for (int e = 0; e < graph.edgeCount(); e++) {
        double value =
            term.of(
                now.get(graph.sources()[e]),
                now.get(graph.destinations()[e]),
                graph.edgeAttributes().get(e));
        sums.merge(graph.destinations()[e], value, Double::sum);
        if (active.contains(graph.sources()[e])) {
          reached.add(graph.destinations()[e]);
        }
      }
      Map<Long, Double> next = new HashMap<>(now);
      Set<Long> changed = new HashSet<>();
      for (long id : reached) {
        double value = update.of(id, now.get(id), sums.get(id));
        next.put(id, value);
        if (Math.abs(value - now.get(id)) > tolerance) {
          changed.add(id);
        }
      }
      now = next;
      active = changed;
    }
    return new TreeMap<>(now);
  }

  static Map<Long, Integer> outDegrees(TestGraph<?, ?> graph) {
    Map<Long, Integer> degrees = each(graph, id -> 0);
    for (long source : graph.sources()) {
      degrees.merge(source, 1, Integer::sum);
    }
    return degrees;
  }

  /** Sum of the edge attributes by source. */
  static Map<Long, Double> outWeights(TestGraph<?, Double> graph) {
    Map<Long, Double> weights = each(graph, id -> 0.0);
    for (int e = 0; e < graph.edgeCount(); e++) {
      weights.merge(graph.sources()[e], graph.edgeAttributes().get(e), Double::sum);
    }
    return weights;
  }
}
