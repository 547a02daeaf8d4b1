package org.sparkgpugraph.benchmarks.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Measures what travels between executors, parts in one JVM here, and what loading takes, where
 * vertices are held in ranges of their ids and where they sit beside their neighbours: PageRank,
 * whose bytes are counted, and connected components; results must be the same.
 *
 * <pre>
 * PlacementBytes [executors = 2,4,8] [supersteps = 5] [GRAPH…]
 * </pre>
 *
 * Graphs as in {@link PlacementTrial}.
 */
public final class PlacementBytes {
  private static final String PLACEMENT = "spark.gpugraph.placement";
  private static final int BLOCKS = 8;
  private static final double RESET = 0.15;

  /** Ranks are divided by their sum, to which each executor adds those of its own vertices. */
  private static final double ROUNDING = 1e-14;

  private PlacementBytes() {}

  /** What was measured of a graph that was placed in one way. */
  private record Outcome(
      double loadSeconds,
      List<SuperstepStats> supersteps,
      double rankSeconds,
      Map<Long, Double> ranks,
      Map<Long, Long> components) {
    long updates() {
      return supersteps.stream().mapToLong(SuperstepStats::boundaryUpdates).sum();
    }

    long bytes() {
      return supersteps.stream().mapToLong(SuperstepStats::boundaryBytes).sum();
    }
  }

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int[] executors =
        Arrays.stream((args.length > 0 ? args[0] : "2,4,8").split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    int supersteps = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    List<String> graphs =
        args.length > 2
            ? List.of(args).subList(2, args.length)
            : List.of("rmat18", "~lattice512", "~holes512", "~web18");
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("PlacementBytes")
            .set("spark.ui.enabled", "false");
    TextTable table =
        new TextTable(
            "graph",
            "executors",
            "placement",
            "load s",
            "updates",
            "bytes",
            "fewer bytes",
            "run s");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      for (String name : graphs) {
        List<EdgeBlock> blocks = blocks(PlacementTrial.graph(name));
        JavaRDD<EdgeBlock> edges = sc.parallelize(blocks, BLOCKS).cache();
        edges.count();
        for (int count : executors) {
          Outcome ranges = measure(sc, edges, "ranges", count, supersteps);
          Outcome placed = measure(sc, edges, "neighbours", count, supersteps);
          check(name, ranges, placed);
          table.add(row(name, count, "ranges", ranges, ranges));
          table.add(row(name, count, "neighbours", placed, ranges));
        }
        edges.unpersist();
      }
    }
    System.out.print(table);
  }

  private static void check(String graph, Outcome ranges, Outcome placed) {
    double error =
        ranges.ranks.entrySet().stream()
            .mapToDouble(e -> Math.abs(placed.ranks.get(e.getKey()) / e.getValue() - 1))
            .max()
            .orElse(0);
    if (error > ROUNDING || !placed.components.equals(ranges.components)) {
      throw new IllegalStateException(graph + ": other results, ranks are off by " + error);
    }
  }

  private static List<String> row(
      String graph, int executors, String placement, Outcome outcome, Outcome ranges) {
    return List.of(
        graph,
        String.valueOf(executors),
        placement,
        String.format(Locale.ROOT, "%.1f", outcome.loadSeconds),
        String.valueOf(outcome.updates()),
        String.valueOf(outcome.bytes()),
        String.format(Locale.ROOT, "%.2f", (double) ranges.bytes() / outcome.bytes()),
        String.format(Locale.ROOT, "%.2f", outcome.rankSeconds));
  }

  private static Outcome measure(
      JavaSparkContext sc,
      JavaRDD<EdgeBlock> edges,
      String placement,
      int executors,
      int supersteps) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    sc.setLocalProperty(PLACEMENT, placement);
    long start = System.nanoTime();
    try (ResidentGraph<?, ?> graph =
        ResidentGraph.load(edges, Object.class, options.withExecutors(executors))) {
      double load = (System.nanoTime() - start) / 1e9;
      List<SuperstepStats> counts;
      start = System.nanoTime();
      Map<Long, Double> ranks;
      try (VertexResult<Double> result = PageRank.run(graph, supersteps, RESET, options)) {
        ranks = result.collectAsMap();
        counts = result.report().summary().supersteps();
      }
      double run = (System.nanoTime() - start) / 1e9;
      try (VertexResult<Long> components =
          ConnectedComponents.run(graph, Integer.MAX_VALUE, options)) {
        return new Outcome(load, counts, run, ranks, components.collectAsMap());
      }
    } finally {
      sc.setLocalProperty(PLACEMENT, null);
    }
  }

  /** The edges of a graph, a block for each partition of an RDD. */
  static List<EdgeBlock> blocks(DirectedGraph graph) {
    List<EdgeBlock> blocks = new ArrayList<>();
    int from = 0;
    for (int b = 1; b <= BLOCKS; b++) {
      int to = (int) ((long) graph.vertices() * b / BLOCKS);
      int first = graph.offsets()[from];
      int size = graph.offsets()[to] - first;
      int[] sources = new int[size];
      for (int v = from; v < to; v++) {
        Arrays.fill(sources, graph.offsets()[v] - first, graph.offsets()[v + 1] - first, v);
      }
      int[] destinations = Arrays.copyOfRange(graph.targets(), first, first + size);
      blocks.add(new IntEdgeBlock(size, sources, destinations, null));
      from = to;
    }
    return blocks;
  }
}
