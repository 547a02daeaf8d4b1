package org.sparkgpugraph.benchmarks.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.ShortestPaths;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Measures what travels between executors when values are arrays of which few elements change:
 * shortest paths to some landmarks, on a lattice and on an R-MAT graph. Bytes of the records, with
 * values in their own size, and packed; and the time of the exchanges, packed.
 *
 * <pre>
 * LandmarkBytes [side of the lattice = 100] [R-MAT scale = 14] [landmarks = 64] [engine = cpu]
 * </pre>
 */
public final class LandmarkBytes {
  private static final String ENCODING = "spark.gpugraph.exchange.encoding";

  private LandmarkBytes() {}

  /** What a run sent. */
  private static final class Counter implements RunObserver {
    private int supersteps;
    private long updates;
    private long bytes;
    private long nanos;

    @Override
    public synchronized void superstepEnded(SuperstepStats stats) {
      supersteps++;
      updates += stats.boundaryUpdates();
      bytes += stats.boundaryBytes();
      nanos += stats.times().codecNanos() + stats.times().stagingNanos();
    }
  }

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int side = number(args, 0, 100);
    int scale = number(args, 1, 14);
    int landmarks = number(args, 2, 64);
    String engine = args.length > 3 ? args[3] : "cpu";
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("LandmarkBytes")
            .set("spark.ui.enabled", "false")
            // Fewer exchanges would be fewer updates: it is what an update takes that is measured.
            .set("spark.gpugraph.localSupersteps", "1");
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.valueOf(engine.toUpperCase(Locale.ROOT)));
    TextTable table =
        new TextTable(
            "graph",
            "executors",
            "supersteps",
            "updates",
            "raw",
            "packed",
            "a packed update",
            "codec and staging ms");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      for (int executors : new int[] {2, 4}) {
        table.add(
            row(
                sc,
                "lattice " + side,
                new LatticeGraph(side, side, 1).edges(sc, 4, false, false),
                executors,
                landmarks,
                options));
        table.add(
            row(
                sc,
                "R-MAT " + scale,
                new RmatGraph(scale, 16, 42).edges(sc, 4, false, false),
                executors,
                landmarks,
                options));
      }
    }
    System.out.print(table);
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static List<String> row(
      JavaSparkContext sc,
      String name,
      JavaRDD<EdgeBlock> edges,
      int executors,
      int landmarks,
      RunOptions options) {
    RunOptions spread = options.withExecutors(executors);
    try (ResidentGraph<?, ?> graph = ResidentGraph.load(edges, Object.class, spread)) {
      // At equal distances among the ids that the generator may make.
      long size = graph.vertexCount();
      long[] ids =
          LongStream.range(0, landmarks)
              .map(
                  i ->
                      LongStream.iterate(i * size / landmarks, id -> id + 1)
                          .filter(graph::containsVertex)
                          .findFirst()
                          .orElseThrow())
              .toArray();
      List<Counter> counters = new ArrayList<>();
      for (String encoding : List.of("raw", "packed", "packed")) {
        sc.setLocalProperty(ENCODING, encoding);
        Counter counter = new Counter();
        ShortestPaths.run(graph, ids, options.withObserver(counter)).close();
        counters.add(counter);
      }
      sc.setLocalProperty(ENCODING, null);
      Counter packed = counters.get(2);
      return List.of(
          name,
          Integer.toString(executors),
          Integer.toString(packed.supersteps),
          Long.toString(packed.updates),
          Long.toString(counters.get(0).bytes),
          Long.toString(packed.bytes),
          String.format(Locale.ROOT, "%.1f", packed.bytes / (double) packed.updates),
          String.format(Locale.ROOT, "%.1f", packed.nanos / 1e6));
    }
  }
}
