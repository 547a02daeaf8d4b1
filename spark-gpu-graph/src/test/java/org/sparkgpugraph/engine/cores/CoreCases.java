package org.sparkgpugraph.engine.cores;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;

/** Graphs that have each edge in both directions, with cores that a sequential peeling has. */
final class CoreCases {
  private CoreCases() {}

  /** Edges that are put together, each in one direction. */
  private static final class Edges {
    private final List<int[]> all = new ArrayList<>();

    Edges add(int a, int b) {
      all.add(new int[] {a, b});
      return this;
    }

    Edges complete(int from, int to) {
      for (int a = from; a < to; a++) {
        for (int b = a + 1; b < to; b++) {
          add(a, b);
        }
      }
      return this;
    }

    Edges path(int from, int to) {
      for (int v = from; v + 1 < to; v++) {
        add(v, v + 1);
      }
      return this;
    }

    Edges star(int hub, int from, int to) {
      for (int v = from; v < to; v++) {
        add(hub, v);
      }
      return this;
    }

    SimpleGraph graph(int vertices) {
      return bothWays(vertices, null, all.toArray(new int[0][]));
    }
  }

  private static SimpleGraph bothWays(int vertices, boolean[] present, int[][] edges) {
    int m = edges.length;
    int[] sources = new int[2 * m];
    int[] destinations = new int[2 * m];
    for (int e = 0; e < m; e++) {
      sources[e] = edges[e][0];
      destinations[e] = edges[e][1];
      sources[m + e] = edges[e][1];
      destinations[m + e] = edges[e][0];
    }
    long[] ids = new long[vertices];
    Arrays.setAll(ids, v -> 3L * v - 50);
    return new SimpleGraph(ids, present, sources, destinations, null);
  }

  /** Shapes whose cores are known, and those around the borders of warps and parts of rows. */
  static Map<String, SimpleGraph> shapes() {
    Map<String, SimpleGraph> shapes = new TreeMap<>();
    shapes.put("empty", new Edges().graph(0));
    shapes.put("one vertex", new Edges().graph(1));
    shapes.put("loops only", new Edges().add(0, 0).add(2, 2).add(2, 2).graph(3));
    shapes.put("no edges", new Edges().graph(70));
    shapes.put("path", new Edges().path(0, 100).graph(100));
    shapes.put("cycle", new Edges().path(0, 100).add(99, 0).graph(101));
    shapes.put("parallel edges", new Edges().add(0, 1).add(0, 1).add(1, 2).add(2, 2).graph(4));
    for (int leaves : new int[] {31, 32, 33, 511, 512, 513, 1700}) {
      shapes.put("star " + leaves, new Edges().star(leaves, 0, leaves).graph(leaves + 1));
    }
    shapes.put("complete 40", new Edges().complete(0, 40).graph(40));
    shapes.put(
        "cliques with tails",
        new Edges().complete(5, 25).path(24, 60).complete(59, 72).add(0, 70).add(71, 71).graph(80));
    Edges bipartite = new Edges();
    for (int hub = 0; hub < 5; hub++) {
      bipartite.star(hub, 5, 800);
    }
    shapes.put("bipartite 5 x 795", bipartite.graph(800));
    // Degrees jump from 2 to 60.
    shapes.put("levels apart", new Edges().complete(0, 61).path(60, 64).add(63, 60).graph(64));
    return shapes;
  }

  /** Random graphs with loops and parallel edges, skewed or not, with holes or without. */
  static SimpleGraph random(long seed) {
    Random random = new Random(seed);
    int n = 1 + random.nextInt(400);
    SimpleGraph one =
        RandomSimpleGraphs.of(
            random, n, random.nextInt(12), random.nextBoolean(), random.nextInt(3) == 0, 1);
    int[][] edges = new int[one.sources.length][];
    Arrays.setAll(edges, e -> new int[] {one.sources[e], one.destinations[e]});
    return bothWays(n, one.present, edges);
  }

  /** Takes away one vertex after the other, each time one of the least degree. */
  static int[] coreness(SimpleGraph graph) {
    int n = graph.ids.length;
    int[] degrees = new int[n];
    for (int e = 0; e < graph.sources.length; e++) {
      degrees[graph.destinations[e]] += counts(graph, e) ? 1 : 0;
    }
    int[] coreness = new int[n];
    boolean[] gone = new boolean[n];
    int k = 0;
    for (int i = 0; i < n; i++) {
      int least = -1;
      for (int v = 0; v < n; v++) {
        least = !gone[v] && (least < 0 || degrees[v] < degrees[least]) ? v : least;
      }
      k = Math.max(k, degrees[least]);
      coreness[least] = k;
      gone[least] = true;
      for (int e = 0; e < graph.sources.length; e++) {
        if (graph.sources[e] == least && counts(graph, e)) {
          degrees[graph.destinations[e]]--;
        }
      }
    }
    return coreness;
  }

  private static boolean counts(SimpleGraph graph, int e) {
    int source = graph.sources[e];
    int destination = graph.destinations[e];
    return source != destination
        && (graph.present == null || graph.present[source] && graph.present[destination]);
  }

  /** Of each vertex of a core how many edges it has to others of it. */
  static int[] degrees(SimpleGraph graph, int[] coreness, int k) {
    int[] degrees = new int[coreness.length];
    for (int e = 0; e < graph.sources.length; e++) {
      boolean both = coreness[graph.sources[e]] >= k && coreness[graph.destinations[e]] >= k;
      degrees[graph.destinations[e]] += both && counts(graph, e) ? 1 : 0;
    }
    return degrees;
  }

  /** All cores, and some of them alone. */
  static void check(String name, SimpleGraph graph, Engine engine, int threads) {
    int most = Arrays.stream(coreness(graph)).max().orElse(0);
    checkAll(name, graph, engine, threads);
    for (int k : new int[] {1, 2, most, most + 1}) {
      checkOne(name, graph, Math.max(1, k), engine, threads);
    }
  }

  static void checkAll(String name, SimpleGraph graph, Engine engine, int threads) {
    assertThat(run(graph, PeelingOperator.ALL, engine, threads))
        .as(name)
        .isEqualTo(coreness(graph));
  }

  static void checkOne(String name, SimpleGraph graph, int k, Engine engine, int threads) {
    assertThat(run(graph, k, engine, threads))
        .as(k + "-core of " + name)
        .isEqualTo(degrees(graph, coreness(graph), k));
  }

  static int[] run(SimpleGraph graph, int k, Engine engine, int threads) {
    try (OperatorRun run =
        new PeelingOperator(k).open(new OperatorInput(graph, null, engine, threads, 0, 1))) {
      run.round(0, List.of());
      return run.results().ints(0).clone();
    }
  }
}
