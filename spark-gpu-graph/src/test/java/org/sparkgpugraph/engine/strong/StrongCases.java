package org.sparkgpugraph.engine.strong;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;

/** Graphs, and the strongly connected components that walks from every vertex find. */
final class StrongCases {
  private StrongCases() {}

  /** Edges that are put together. */
  private static final class Edges {
    private final List<int[]> all = new ArrayList<>();

    Edges add(int source, int destination) {
      all.add(new int[] {source, destination});
      return this;
    }

    Edges path(int from, int to) {
      for (int v = from; v + 1 < to; v++) {
        add(v, v + 1);
      }
      return this;
    }

    Edges cycle(int from, int to) {
      return path(from, to).add(to - 1, from);
    }

    SimpleGraph graph(int vertices) {
      return of(vertices, null, all.toArray(new int[0][]));
    }
  }

  private static SimpleGraph of(int vertices, boolean[] present, int[][] edges) {
    long[] ids = new long[vertices];
    Arrays.setAll(ids, v -> 3L * v - 50);
    return new SimpleGraph(
        ids,
        present,
        Arrays.stream(edges).mapToInt(e -> e[0]).toArray(),
        Arrays.stream(edges).mapToInt(e -> e[1]).toArray(),
        null);
  }

  /** Shapes whose components are known, and rows around the borders of warps and parts. */
  static Map<String, SimpleGraph> shapes() {
    Map<String, SimpleGraph> shapes = new TreeMap<>();
    shapes.put("empty", new Edges().graph(0));
    shapes.put("one vertex", new Edges().graph(1));
    shapes.put("no edges", new Edges().graph(70));
    shapes.put("loops", new Edges().add(0, 0).add(2, 2).add(2, 2).path(0, 3).graph(4));
    shapes.put("path", new Edges().path(0, 90).graph(90));
    shapes.put("cycle", new Edges().cycle(0, 65).graph(66));
    shapes.put("tails of a cycle", new Edges().path(0, 10).cycle(9, 50).path(30, 70).graph(70));
    shapes.put("cycle within a cycle", new Edges().cycle(0, 40).cycle(10, 20).graph(40));
    Edges pairs = new Edges();
    for (int v = 0; v < 60; v += 2) {
      pairs.add(v, v + 1).add(v + 1, v).add(v + 1, v + 2);
    }
    shapes.put("chain of pairs", pairs.graph(61));
    Edges cliques = new Edges();
    for (int of = 0; of < 3; of++) {
      for (int v = 0; v < 12; v++) {
        for (int other = 0; other < 12; other++) {
          cliques.add(12 * of + v, 12 * of + other);
        }
      }
      cliques.add(12 * of, 12 * of + 12);
    }
    shapes.put("cliques in a row", cliques.graph(37));
    for (int leaves : new int[] {31, 33, 513, 1100}) {
      Edges star = new Edges();
      for (int v = 0; v < leaves; v++) {
        star.add(leaves, v);
        if (v % 3 == 0) {
          star.add(v, leaves);
        }
      }
      shapes.put("star " + leaves, star.graph(leaves + 1));
    }
    return shapes;
  }

  /** Random graphs of few edges, so that there are many components, or of more. */
  static SimpleGraph random(long seed) {
    Random random = new Random(seed);
    int n = 1 + random.nextInt(300);
    SimpleGraph one =
        RandomSimpleGraphs.of(
            random, n, 1 + random.nextInt(3), random.nextBoolean(), random.nextInt(3) == 0, 1);
    List<int[]> edges = new ArrayList<>();
    int left = random.nextInt(4);
    for (int e = 0; e < one.sources.length; e++) {
      // Without some of the edges that lead back to smaller vertices there are long chains.
      if (one.sources[e] <= one.destinations[e] || random.nextInt(4) >= left) {
        edges.add(new int[] {one.sources[e], one.destinations[e]});
      }
    }
    return of(n, one.present, edges.toArray(new int[0][]));
  }

  /** The smallest id of those that a vertex reaches and that reach it. */
  static long[] components(SimpleGraph graph) {
    int n = graph.ids.length;
    BitSet[] next = new BitSet[n];
    Arrays.setAll(next, v -> new BitSet());
    for (int e = 0; e < graph.sources.length; e++) {
      int source = graph.sources[e];
      int destination = graph.destinations[e];
      if (graph.present == null || graph.present[source] && graph.present[destination]) {
        next[source].set(destination);
      }
    }
    BitSet[] reached = new BitSet[n];
    for (int v = 0; v < n; v++) {
      reached[v] = new BitSet();
      reached[v].set(v);
      List<Integer> open = new ArrayList<>(List.of(v));
      while (!open.isEmpty()) {
        BitSet more = (BitSet) next[open.remove(open.size() - 1)].clone();
        more.andNot(reached[v]);
        reached[v].or(more);
        more.stream().forEach(open::add);
      }
    }
    long[] components = new long[n];
    for (int v = 0; v < n; v++) {
      int from = v;
      int least = reached[v].stream().filter(u -> reached[u].get(from)).min().orElseThrow();
      components[v] = graph.ids[least];
    }
    return components;
  }

  static void check(String name, SimpleGraph graph, Engine engine, int threads) {
    assertThat(run(graph, engine, threads)).as(name).isEqualTo(components(graph));
  }

  static long[] run(SimpleGraph graph, Engine engine, int threads) {
    try (OperatorRun run =
        new StrongComponentsOperator()
            .open(new OperatorInput(graph, null, engine, threads, 0, 1))) {
      run.round(0, List.of());
      return run.results().longs(0).clone();
    }
  }
}
