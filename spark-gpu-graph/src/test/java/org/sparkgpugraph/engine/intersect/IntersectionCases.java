package org.sparkgpugraph.engine.intersect;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.testing.OperatorTrial;

/** Graphs whose neighbourhoods are intersected, what is right for them, and how to run it. */
public final class IntersectionCases {
  private IntersectionCases() {}

  /** Edges between dense ids. */
  public static final class Edges {
    private final List<int[]> list = new ArrayList<>();

    /** Adds one. */
    public Edges add(int source, int destination) {
      list.add(new int[] {source, destination});
      return this;
    }

    /** The graph, cut before some vertices. */
    public SimpleGraph graph(int vertices, int... cuts) {
      return new SimpleGraph(
          LongStream.range(0, vertices).map(v -> 3 * v - 50).toArray(),
          null,
          list.stream().mapToInt(e -> e[0]).toArray(),
          list.stream().mapToInt(e -> e[1]).toArray(),
          null,
          cuts);
    }
  }

  /** Known by heart: complete graphs, stars, wheels, and what must not count. */
  public static Map<String, SimpleGraph> shapes() {
    Map<String, SimpleGraph> all = new TreeMap<>();
    all.put("empty", new Edges().graph(0));
    all.put("no edges", new Edges().graph(5, 2));
    all.put("loops and parallel edges", loops().graph(4, 1, 2));
    all.put("loops and parallel edges both ways", bothWays().graph(40, 13, 27));
    all.put("… in one piece", bothWays().graph(40));
    for (int n : new int[] {3, 33, 70}) {
      all.put("complete " + n, complete(n).graph(n, n / 3, n / 2));
    }
    for (int degree : new int[] {31, 32, 33, 1000}) {
      all.put("wheel " + degree, wheel(degree).graph(degree + 1, degree / 2));
    }
    Edges star = new Edges();
    for (int v = 1; v < 1000; v++) {
      star.add(v % 2 == 0 ? 0 : v, v % 2 == 0 ? v : 0);
    }
    all.put("star", star.graph(1000, 500));
    for (int size : new int[] {31, 32, 48, 64, 65}) {
      all.put("cliques " + size, cliques(size).graph(3 * size + 5, size, 2 * size));
    }
    for (int copies : new int[] {60, 300, 900}) {
      all.put("copies " + copies, copies(6, copies).graph(6));
    }
    all.put("parallel behind a block", parallelBehind(256).graph(259));
    all.put("two hubs", hubs(2100).graph(2100, 700, 1400));
    return all;
  }

  /**
   * Vertices on a circle, each with random edges to some of the next ones, so that there are many
   * triangles.
   *
   * @param bothWays all edges; else one of four
   */
  static SimpleGraph near(int vertices, int edges, int reach, boolean bothWays) {
    Random random = new Random(vertices);
    Edges all = new Edges();
    for (int v = 0; v < vertices; v++) {
      for (int e = 0; e < edges; e++) {
        int u = (v + 1 + random.nextInt(reach)) % vertices;
        all.add(v, u);
        if (bothWays || random.nextInt(4) == 0) {
          all.add(u, v);
        }
      }
    }
    return all.graph(vertices);
  }

  private static Edges loops() {
    return new Edges()
        .add(0, 0)
        .add(0, 1)
        .add(0, 1)
        .add(1, 0)
        .add(1, 2)
        .add(2, 0)
        .add(2, 2)
        .add(2, 2);
  }

  /** Each vertex has the same in-row as out-row, with copies and its own id among others. */
  private static Edges bothWays() {
    Random random = new Random(40);
    Edges edges = new Edges();
    for (int v = 0; v < 40; v++) {
      for (int e = 0; e < v % 12; e++) {
        int u = e == 5 ? v : random.nextInt(40);
        for (int copy = 0; copy < 1 + e % 3; copy++) {
          edges.add(v, u);
          edges.add(u, v);
        }
      }
    }
    return edges;
  }

  private static Edges complete(int n) {
    Edges edges = new Edges();
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < u; v++) {
        edges.add(u, v);
        if (u % 3 == 0) {
          edges.add(v, u);
        }
      }
    }
    return edges;
  }

  /** Three complete graphs in a chain, and five leaves. */
  private static Edges cliques(int size) {
    Edges edges = new Edges();
    for (int c = 0; c < 3; c++) {
      for (int u = c * size; u < (c + 1) * size; u++) {
        for (int v = c * size; v < u; v++) {
          edges.add((u + v) % 2 == 0 ? u : v, (u + v) % 2 == 0 ? v : u);
        }
      }
      edges.add(c * size, (c + 1) * size);
    }
    for (int v = 1; v < 5; v++) {
      edges.add(3 * size, 3 * size + v);
    }
    return edges;
  }

  /** A complete graph in which as many edges stand for one, or for one and one in return. */
  private static Edges copies(int n, int copies) {
    Random random = new Random(copies);
    Edges edges = new Edges();
    for (int i = 0; i < copies; i++) {
      for (int u = 0; u < n; u++) {
        for (int v = 0; v < u; v++) {
          boolean back = (u + v) % 3 == 0 && random.nextInt(copies) == 0 || (u + v) % 3 == 1;
          edges.add(back ? u : v, back ? v : u);
        }
      }
    }
    return edges;
  }

  /**
   * Rows of which so many edges are of different neighbours, and the next one is parallel to the
   * last of them. Loops decide whose row an edge is in.
   */
  private static Edges parallelBehind(int edges) {
    Edges all = new Edges();
    int last = edges - 1;
    for (int v = 0; v < edges; v++) {
      for (int i = 0; i < (v < last ? 150 : 145); i++) {
        all.add(v, v);
      }
      for (int u = edges; u < edges + 3; u++) {
        all.add(u, v);
      }
    }
    for (int u = edges; u < edges + 3; u++) {
      all.add(u, last).add(u, u == edges ? u + 1 : edges);
    }
    return all;
  }

  private static Edges wheel(int degree) {
    Edges edges = new Edges();
    for (int v = 1; v <= degree; v++) {
      edges.add(0, v).add(v, v % degree + 1);
    }
    return edges;
  }

  /** Rows of all lengths that meet the long rows of a few vertices of many neighbours. */
  private static Edges hubs(int n) {
    Random random = new Random(3);
    Edges edges = new Edges();
    for (int v = 2; v < n; v++) {
      edges.add(v, 0).add(1, v);
      int more = v % 7 == 0 ? 40 : 2;
      for (int i = 0; i < more; i++) {
        edges.add(v, (int) (v * Math.pow(random.nextDouble(), 3)));
      }
    }
    return edges;
  }

  /** Any graph: skewed, with loops, parallel edges and ends that are no vertices. */
  public static SimpleGraph random(long seed) {
    Random random = new Random(seed);
    int partitions = 1 + random.nextInt(4);
    return RandomSimpleGraphs.of(
        random, 2 + random.nextInt(200), 1 + random.nextInt(9), false, seed % 3 == 0, partitions);
  }

  /** What every vertex is to get, by looking at all pairs of its neighbours. */
  public static Map<Long, Neighborhood> expected(SimpleGraph graph) {
    List<Set<Integer>> out = new ArrayList<>();
    List<Set<Integer>> all = new ArrayList<>();
    for (int v = 0; v < graph.ids.length; v++) {
      out.add(new HashSet<>());
      all.add(new TreeSet<>());
    }
    for (int e = 0; e < graph.sources.length; e++) {
      int source = graph.sources[e];
      int destination = graph.destinations[e];
      boolean there = graph.present == null || graph.present[source] && graph.present[destination];
      if (there && source != destination) {
        out.get(source).add(destination);
        all.get(source).add(destination);
        all.get(destination).add(source);
      }
    }
    Map<Long, Neighborhood> expected = new TreeMap<>();
    for (int v = 0; v < graph.ids.length; v++) {
      long links = 0;
      long triangles = 0;
      for (int u : all.get(v)) {
        for (int w : all.get(v)) {
          boolean linked = out.get(u).contains(w);
          links += linked ? 1 : 0;
          triangles += u < w && (linked || out.get(w).contains(u)) ? 1 : 0;
        }
      }
      expected.put(graph.ids[v], new Neighborhood(all.get(v).size(), triangles, links));
    }
    return expected;
  }

  /** Runs the operator on shards side by side, as executors do; on a graph in one piece too. */
  public static Map<Long, Neighborhood> run(
      List<? extends ExecutorGraph> shards, Engine engine, int threads) {
    return run(shards, engine, threads, IntersectionTuning.DEFAULT);
  }

  /** The same with other constants of the kernels. */
  static Map<Long, Neighborhood> run(
      List<? extends ExecutorGraph> shards, Engine engine, int threads, IntersectionTuning tuning) {
    Map<Long, Neighborhood> found = new TreeMap<>();
    OperatorTrial.run(
        shards,
        new SortedIntersection(Measure.NEIGHBORHOOD, tuning),
        engine,
        threads,
        (shard, round) -> {},
        (shard, results) -> collect(shard, results, found));
    return found;
  }

  private static void collect(ExecutorGraph graph, Columns results, Map<Long, Neighborhood> into) {
    for (int v = (int) graph.firstHeld(); v < graph.endHeld(); v++) {
      into.put(
          graph.ids().original(v),
          new Neighborhood(results.ints(0)[v], results.longs(1)[v], results.longs(2)[v]));
    }
  }
}
