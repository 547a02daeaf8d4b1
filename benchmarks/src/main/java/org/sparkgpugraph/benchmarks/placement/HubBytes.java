package org.sparkgpugraph.benchmarks.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.benchmarks.ExecutorClassPath;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Measures what travels between executors where hubs are told partial messages and where they are
 * not, and what a superstep takes: five supersteps of PageRank in doubles and in floats, five of
 * sums of integers, a breadth-first search from the vertex of the most out-edges. Results must be
 * the same, ranks but for rounding.
 *
 * <pre>
 * HubBytes [executors = 2,4,8] [hubs = 0,64] [placements = ranges,neighbours] [rounds = 3] [GRAPH…]
 * </pre>
 *
 * Graphs as in {@link PlacementTrial}. Executors are parts in one JVM, where times tell little,
 * unless the system property spark.master names a cluster ({@code benchmarks/two-hosts} makes one).
 * All ways are run in turns; the time is the median of the supersteps behind superstep 0 of all
 * rounds but the first, from the end of one to the end of the next.
 */
public final class HubBytes {
  private static final String PLACEMENT = "spark.gpugraph.placement";
  private static final String HUBS = "spark.gpugraph.exchange.hubs";
  private static final String MERGES = "spark.gpugraph.exchange.hubMerges";
  private static final int SUPERSTEPS = 5;
  private static final double RESET = 0.15;
  private static final double ROUNDING = 1e-4;

  private HubBytes() {}

  /** What is run. */
  private interface Workload {
    VertexResult<? extends Number> run(ResidentGraph<?, ?> graph, RunOptions options);
  }

  /** How vertices are placed, and above how many in-edges they are hubs. */
  private record Way(String placement, int hubs) {
    void set(JavaSparkContext sc) {
      sc.setLocalProperty(PLACEMENT, placement);
      sc.setLocalProperty(HUBS, String.valueOf(hubs));
    }
  }

  /** What was measured of a workload in one way. */
  private static final class Outcome {
    private long updates;
    private long bytes;
    private final List<Double> millis = new ArrayList<>();
    private Map<Long, Number> result;
  }

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int[] executors = numbers(args.length > 0 ? args[0] : "2,4,8");
    int[] hubs = numbers(args.length > 1 ? args[1] : "0,64");
    String[] placements = (args.length > 2 ? args[2] : "ranges,neighbours").split(",");
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    List<String> graphs =
        args.length > 4 ? List.of(args).subList(4, args.length) : List.of("rmat18");
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.master", "local[*]")
            .setAppName("HubBytes")
            .set("spark.executor.extraClassPath", ExecutorClassPath.absolute())
            .set("spark.ui.enabled", "false")
            .set(MERGES, "grouped");
    TextTable table =
        new TextTable(
            "graph",
            "executors",
            "placement",
            "program",
            "hubs above",
            "updates",
            "bytes",
            "fewer bytes",
            "superstep ms");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      for (String name : graphs) {
        List<EdgeBlock> blocks = PlacementBytes.blocks(PlacementTrial.graph(name));
        JavaRDD<EdgeBlock> edges = sc.parallelize(blocks, blocks.size()).cache();
        edges.count();
        for (int count : executors) {
          measure(sc, edges, ways(placements, hubs), count, rounds)
              .forEach(
                  (program, outcomes) ->
                      outcomes
                          .keySet()
                          .forEach(way -> table.add(row(name, count, program, way, outcomes))));
        }
        edges.unpersist();
      }
    }
    System.out.print(table);
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static List<Way> ways(String[] placements, int[] hubs) {
    return Arrays.stream(placements)
        .flatMap(placement -> Arrays.stream(hubs).mapToObj(above -> new Way(placement, above)))
        .toList();
  }

  private static List<String> row(
      String graph, int executors, String program, Way way, Map<Way, Outcome> outcomes) {
    Outcome outcome = outcomes.get(way);
    return List.of(
        graph,
        String.valueOf(executors),
        way.placement,
        program,
        String.valueOf(way.hubs),
        String.valueOf(outcome.updates),
        String.valueOf(outcome.bytes),
        String.format(
            Locale.ROOT,
            "%.2f",
            (double) outcomes.values().iterator().next().bytes / outcome.bytes),
        String.format(Locale.ROOT, "%.1f", Medians.median(outcome.millis)));
  }

  private static Map<String, Workload> workloads(long source) {
    Map<String, Workload> workloads = new TreeMap<>();
    workloads.put(
        "PageRank f64", (graph, options) -> PageRank.run(graph, SUPERSTEPS, RESET, options));
    workloads.put(
        "PageRank f32",
        (graph, options) ->
            ProgramBuilder.on(graph)
                .state((id, attribute, in, out) -> new Share(1, 1f / out))
                .everyVertex(0f)
                .maxIterations(SUPERSTEPS)
                .vertexProgram(
                    (id, share, sum) ->
                        new Share((float) (RESET + (1 - RESET) * sum), share.perEdge()))
                .sendMessage(
                    edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().perEdge()))
                .mergeMessage(Float::sum)
                .result((id, attribute, share) -> share.rank())
                .options(options)
                .runVertices());
    workloads.put(
        "sums i64",
        (graph, options) ->
            ProgramBuilder.on(graph)
                .state((id, attribute, in, out) -> id % 1000)
                .everyVertex(0L)
                .maxIterations(SUPERSTEPS)
                .vertexProgram((id, value, sum) -> sum % 1_000_003)
                .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
                .mergeMessage(Long::sum)
                .options(options)
                .runVertices());
    workloads.put("BFS", (graph, options) -> Bfs.run(graph, source, options));
    return workloads;
  }

  /** A rank, and what of it each edge gets. */
  public record Share(float rank, float perEdge) {}

  private static Map<String, Map<Way, Outcome>> measure(
      JavaSparkContext sc, JavaRDD<EdgeBlock> edges, List<Way> ways, int executors, int rounds) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    Map<String, Map<Way, Outcome>> measured = new TreeMap<>();
    Map<Way, ResidentGraph<?, ?>> graphs = new LinkedHashMap<>();
    try {
      for (Way way : ways) {
        // With hubs edges are loaded with both of their ends, and vertices may be placed otherwise.
        way.set(sc);
        graphs.put(way, ResidentGraph.load(edges, Object.class, options.withExecutors(executors)));
      }
      for (int round = 0; round <= rounds; round++) {
        for (var workload : workloads(0).entrySet()) {
          Map<Way, Outcome> outcomes =
              measured.computeIfAbsent(workload.getKey(), k -> new LinkedHashMap<>());
          for (Way way : ways) {
            way.set(sc);
            Outcome outcome = outcomes.computeIfAbsent(way, k -> new Outcome());
            run(workload.getValue(), graphs.get(way), options, outcome, round);
          }
          check(workload.getKey(), outcomes);
        }
      }
    } finally {
      graphs.values().forEach(ResidentGraph::close);
      sc.setLocalProperty(PLACEMENT, null);
      sc.setLocalProperty(HUBS, null);
    }
    return measured;
  }

  private static void run(
      Workload workload,
      ResidentGraph<?, ?> graph,
      RunOptions options,
      Outcome outcome,
      int round) {
    List<Long> ends = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            ends.add(System.nanoTime());
          }
        };
    try (VertexResult<? extends Number> result =
        workload.run(graph, options.withObserver(observer))) {
      List<SuperstepStats> steps = result.report().summary().supersteps();
      outcome.updates = steps.stream().mapToLong(SuperstepStats::boundaryUpdates).sum();
      outcome.bytes = steps.stream().mapToLong(SuperstepStats::boundaryBytes).sum();
      if (round == 0) {
        outcome.result = new TreeMap<>(result.collectAsMap());
        result.report().notes().stream()
            .filter(n -> n.contains("hubs"))
            .forEach(System.err::println);
      } else {
        for (int i = 1; i < ends.size(); i++) {
          outcome.millis.add((ends.get(i) - ends.get(i - 1)) / 1e6);
        }
      }
    }
  }

  private static void check(String program, Map<Way, Outcome> outcomes) {
    Outcome first = outcomes.values().iterator().next();
    for (Outcome other : outcomes.values()) {
      other.result.forEach(
          (id, value) -> {
            double expected = first.result.get(id).doubleValue();
            boolean exact = !program.startsWith("PageRank");
            if (Math.abs(value.doubleValue() - expected) > (exact ? 0 : ROUNDING * expected)) {
              throw new IllegalStateException(
                  "%s: vertex %s has %s, not %s".formatted(program, id, value, expected));
            }
          });
    }
  }
}
