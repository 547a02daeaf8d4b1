package org.sparkgpugraph.benchmarks.exchange;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.benchmarks.ExecutorClassPath;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Measures what supersteps between two exchanges save and cost: searches on a lattice and on an
 * R-MAT graph, on one executor and over several, with one superstep, as many as the engine chooses,
 * and all that there are between two exchanges. The median of the runs behind a first one.
 *
 * <pre>
 * LocalSupersteps [side of the lattice = 1000] [R-MAT scale = 18] [executors = 2]
 *     [master = local[*]] [engine = cpu] [runs = 3]
 * </pre>
 *
 * <p>With a {@code local-cluster} master executors are processes of their own.
 */
public final class LocalSupersteps {
  private static final String KEY = "spark.gpugraph.localSupersteps";

  private LocalSupersteps() {}

  /** What a run did. */
  private static final class Counter implements RunObserver {
    private int exchanges = -1;
    private int supersteps;
    private long edges;
    private long start = System.nanoTime();
    private long end = start;

    @Override
    public synchronized void superstepEnded(SuperstepStats stats) {
      exchanges++;
      if (exchanges == 0) {
        start = System.nanoTime();
      }
      supersteps = stats.superstep();
      edges += stats.edgesEvaluated();
      end = System.nanoTime();
    }

    long nanos() {
      return end - start;
    }
  }

  /** A search on a graph with weights. */
  private interface Search {
    void run(ResidentGraph<?, Double> graph, long source, RunOptions options);
  }

  /** A search, with the name it has in the table. */
  private record Named(String name, Search search) {}

  private static final List<Named> SEARCHES =
      List.of(
          new Named("SSSP", (graph, source, options) -> Sssp.run(graph, source, options).close()),
          new Named("BFS", (graph, source, options) -> Bfs.run(graph, source, options).close()),
          new Named(
              "components",
              (graph, source, options) ->
                  ConnectedComponents.runProgram(graph, Integer.MAX_VALUE, options).close()));

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int side = number(args, 0, 1000);
    int scale = number(args, 1, 18);
    int executors = number(args, 2, 2);
    String master = args.length > 3 ? args[3] : "local[*]";
    String engine = args.length > 4 ? args[4] : "cpu";
    int runs = number(args, 5, 3);
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("LocalSupersteps")
            .set("spark.ui.enabled", "false");
    if (master.startsWith("local-cluster")) {
      conf.set("spark.executor.extraClassPath", ExecutorClassPath.absolute());
    }
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.valueOf(engine.toUpperCase(Locale.ROOT)));
    TextTable table =
        new TextTable(
            "graph", "search", "executors", "setting", "exchanges", "supersteps", "edges", "ms");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      List<GeneratedGraph> graphs =
          List.of(new LatticeGraph(side, side, 1), new RmatGraph(scale, 16, 42));
      for (GeneratedGraph generated : graphs) {
        for (int over : executors == 1 ? new int[] {1} : new int[] {1, executors}) {
          rows(sc, generated, options, over, runs, table);
        }
      }
    }
    System.out.print(table);
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  /** The first id from which a search goes further than its own edges. */
  private static long source(ResidentGraph<?, Double> graph, RunOptions options) {
    for (long id = 0; ; id++) {
      if (graph.containsVertex(id)) {
        Counter counter = new Counter();
        Bfs.run(graph, id, options.withObserver(counter)).close();
        if (counter.supersteps > 2) {
          return id;
        }
      }
    }
  }

  private static void rows(
      JavaSparkContext sc,
      GeneratedGraph generated,
      RunOptions options,
      int executors,
      int runs,
      TextTable table) {
    try (ResidentGraph<?, Double> graph =
        ResidentGraph.load(
            generated.edges(sc, 4, true, false), Double.class, options.withExecutors(executors))) {
      long source = source(graph, options);
      for (Named search : SEARCHES) {
        for (String setting : executors == 1 ? List.of("0") : List.of("1", "0", "1000000")) {
          sc.setLocalProperty(KEY, setting);
          Counter[] counted = new Counter[runs + 1];
          for (int run = 0; run <= runs; run++) {
            counted[run] = new Counter();
            search.search().run(graph, source, options.withObserver(counted[run]));
          }
          sc.setLocalProperty(KEY, null);
          Counter last = counted[runs];
          double[] times =
              Arrays.stream(counted).skip(1).mapToDouble(c -> c.nanos() / 1e6).sorted().toArray();
          table.add(
              List.of(
                  generated.toString(),
                  search.name(),
                  Integer.toString(executors),
                  executors == 1 ? "" : setting,
                  executors == 1 ? "" : Integer.toString(last.exchanges),
                  Integer.toString(last.supersteps),
                  Long.toString(last.edges),
                  String.format(Locale.ROOT, "%.0f", times[times.length / 2])));
        }
      }
    }
  }
}
