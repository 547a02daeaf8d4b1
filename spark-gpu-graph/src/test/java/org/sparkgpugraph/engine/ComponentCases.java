package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Graphs for tests of connected components, with the roots that a sequential union-find has. */
public final class ComponentCases {
  private ComponentCases() {}

  /**
   * A graph and its components.
   *
   * @param roots the smallest dense id of each vertex's component
   */
  public record Case(String name, SimpleGraph graph, int[] roots) {}

  /** The cases of {@link #of}, in one partition and in three. */
  public static List<Case> all(long seed, int vertices) {
    return of(seed, vertices, 1, 3);
  }

  /**
   * Paths in ascending, descending and random order, stars, lattices, trees in pairs, loops, hubs
   * that nothing joins, graphs that are their own reverse, or nearly, random graphs with and
   * without holes.
   *
   * @param vertices about how many
   * @param cuts numbers of partitions
   */
  public static List<Case> of(long seed, int vertices, int... cuts) {
    List<Case> cases = new ArrayList<>();
    for (int partitions : cuts) {
      Random random = new Random(seed + partitions);
      int n = vertices;
      cases.add(path("ascending path", random, n, partitions, v -> v));
      cases.add(path("descending path", random, n, partitions, v -> n - 1 - v));
      int[] shuffled = shuffled(random, n);
      cases.add(path("path in any order", random, n, partitions, v -> shuffled[v]));
      cases.add(of("star", random, n, partitions, star(n, shuffled[0])));
      cases.add(of("lattice", random, n, partitions, lattice(n)));
      cases.add(of("pairs", random, n, partitions, pairs(n, shuffled)));
      cases.add(of("loops", random, n, partitions, loops(n)));
      int[][] oneWay = shared(random, n);
      int[][] bothWays = bothWays(oneWay);
      cases.add(of("both ways", random, n, partitions, bothWays));
      cases.add(of("lattice, both ways", random, n, partitions, bothWays(lattice(n))));
      cases.add(of("pairs, both ways", random, n, partitions, bothWays(pairs(n, shuffled))));
      int[][] hubs = hubs(n, shuffled);
      cases.add(of("hubs", random, n, partitions, hubs));
      cases.add(of("hubs, both ways", random, n, partitions, bothWays(hubs)));
      cases.add(of("hub joined late", random, n, partitions, bothWays(joinedLate(n))));
      // One edge has no reverse: it alone joins a vertex that has no others.
      bothWays[random.nextInt(bothWays.length)] = new int[] {n - 1, random.nextInt(n)};
      cases.add(of("both ways but one edge", random, n, partitions, bothWays));
      for (boolean skewed : new boolean[] {false, true}) {
        for (boolean holes : new boolean[] {false, true}) {
          for (int degree : new int[] {0, 1, 6}) {
            SimpleGraph graph = RandomSimpleGraphs.of(random, n, degree, skewed, holes, partitions);
            cases.add(
                new Case(
                    "random, degree "
                        + degree
                        + (skewed ? ", skewed" : "")
                        + (holes ? ", holes" : ""),
                    graph,
                    roots(graph)));
          }
        }
      }
      SimpleGraph one = RandomSimpleGraphs.of(random, 1, 1, false, false, partitions);
      cases.add(new Case("one vertex", one, roots(one)));
      SimpleGraph none = new SimpleGraph(new long[0], null, new int[0], new int[0], null);
      cases.add(new Case("empty", none, new int[0]));
    }
    return cases;
  }

  private interface Order {
    int of(int v);
  }

  private static Case path(String name, Random random, int n, int partitions, Order order) {
    int[][] edges = new int[n - 1][];
    for (int i = 0; i + 1 < n; i++) {
      edges[i] = new int[] {order.of(i), order.of(i + 1)};
    }
    return of(name, random, n, partitions, edges);
  }

  private static int[] shuffled(Random random, int n) {
    List<Integer> all = new ArrayList<>();
    for (int v = 0; v < n; v++) {
      all.add(v);
    }
    Collections.shuffle(all, random);
    return all.stream().mapToInt(v -> v).toArray();
  }

  private static int[][] star(int n, int hub) {
    int[][] edges = new int[n][];
    Arrays.setAll(edges, v -> v % 2 == 0 ? new int[] {hub, v} : new int[] {v, hub});
    return edges;
  }

  private static int[][] lattice(int n) {
    int side = (int) Math.sqrt(n);
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < side * side; v++) {
      if ((v + 1) % side != 0) {
        edges.add(new int[] {v, v + 1});
        edges.add(new int[] {v + 1, v});
      }
      if (v + side < side * side) {
        edges.add(new int[] {v + side, v});
      }
    }
    return edges.toArray(new int[0][]);
  }

  private static int[][] pairs(int n, int[] order) {
    int[][] edges = new int[n / 2][];
    Arrays.setAll(edges, i -> new int[] {order[2 * i], order[2 * i + 1]});
    return edges;
  }

  /**
   * A star of half of the vertices, one of a third, with chains at its leaves and among those that
   * are left, of which the last has no edge.
   */
  private static int[][] hubs(int n, int[] order) {
    List<int[]> edges = new ArrayList<>();
    int second = n / 2;
    int chains = second + n / 3;
    for (int i = 1; i < chains; i++) {
      if (i != second) {
        edges.add(new int[] {order[i < second ? 0 : second], order[i]});
      }
    }
    for (int i = chains; i + 1 < n; i++) {
      edges.add(new int[] {order[i], order[i % 3 == 0 ? i - n / 3 : i - 1]});
    }
    return edges.toArray(new int[0][]);
  }

  /** Two stars; the smaller one's hub has an edge to the other one behind all of its own. */
  private static int[][] joinedLate(int n) {
    int first = 3 * n / 8;
    int[][] edges = new int[n - 1][];
    for (int v = 1; v < n; v++) {
      edges[v - 1] = v == first ? new int[] {0, n - 1} : new int[] {v < first ? 0 : first, v};
    }
    return edges;
  }

  private static int[][] loops(int n) {
    int[][] edges = new int[n][];
    Arrays.setAll(edges, v -> new int[] {v, v});
    return edges;
  }

  /** Edges of a large component, some small ones, and vertices of no edge, the last among them. */
  private static int[][] shared(Random random, int n) {
    List<int[]> edges = new ArrayList<>();
    for (int i = 0; i < 3 * n; i++) {
      int side = random.nextInt(10) == 0 ? n / 3 : 0;
      int spread = Math.max(1, side > 0 ? n / 6 : n / 3);
      edges.add(new int[] {side + random.nextInt(spread), side + random.nextInt(spread)});
    }
    return edges.toArray(new int[0][]);
  }

  private static int[][] bothWays(int[][] edges) {
    int[][] both = Arrays.copyOf(edges, 2 * edges.length);
    for (int i = 0; i < edges.length; i++) {
      both[edges.length + i] = new int[] {edges[i][1], edges[i][0]};
    }
    return both;
  }

  private static Case of(String name, Random random, int n, int partitions, int[][] edges) {
    List<int[]> order = new ArrayList<>(Arrays.asList(edges));
    Collections.shuffle(order, random);
    SimpleGraph graph =
        new SimpleGraph(
            random.longs().distinct().limit(n).sorted().toArray(),
            null,
            order.stream().mapToInt(e -> e[0]).toArray(),
            order.stream().mapToInt(e -> e[1]).toArray(),
            null,
            random.ints(partitions - 1, 0, n + 1).sorted().toArray());
    return new Case(name, graph, roots(graph));
  }

  /** Union-find, one edge after the other, with halved paths; the smaller root stays. */
  public static int[] roots(SimpleGraph graph) {
    int[] parents = new int[graph.ids.length];
    Arrays.setAll(parents, v -> v);
    for (int e = 0; e < graph.sources.length; e++) {
      int source = graph.sources[e];
      int destination = graph.destinations[e];
      if (graph.present == null || graph.present[source] && graph.present[destination]) {
        int a = root(parents, source);
        int b = root(parents, destination);
        parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
    int[] roots = new int[parents.length];
    Arrays.setAll(roots, v -> root(parents, v));
    return roots;
  }

  private static int root(int[] parents, int v) {
    int root = v;
    while (parents[root] != root) {
      // Without this long paths take their length for each of their edges.
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  }
}
