package org.sparkgpugraph.benchmarks.exchange;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.apache.spark.graphx.Graph;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.algorithms.Settings;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures, by Spark's own shuffle metrics, the bytes that supersteps send between executors: with
 * refined updates, with all boundary vertices, with all vertices, and in stock GraphX.
 *
 * <p>Runs in one JVM, whose executor graphs exchange through Spark's shuffle as those of several
 * executors do, and write the same bytes.
 */
@Command(
    name = "ExchangeBytes",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures the bytes that supersteps send between executors.",
    description = {
      "",
      "all: every vertex; boundary: every boundary vertex; raw: refined updates, values in"
          + " their own size; packed: refined updates as they are sent; rounded: the same, doubles"
          + " rounded to 24 significant bits; GraphX: stock GraphX with as many edge partitions as"
          + " there are executors. Ratios: raw to boundary, raw to GraphX, packed to raw.",
      "Stock GraphX's bytes hold the first shipping of its vertices, ours need none: ghosts"
          + " start from ids and degrees, which travel when the graph is loaded.",
      ""
    },
    footer = {"", "Example:", "  ExchangeBytes --rmat 18 --weighted --executors 4"})
public final class ExchangeBytes implements Callable<Integer> {
  private static final String EXCHANGE = "spark.gpugraph.exchange";
  private static final String ENCODING = "spark.gpugraph.exchange.encoding";
  private static final String BITS = "spark.gpugraph.exchange.significantBits";
  private static final String EXECUTORS = "spark.gpugraph.executors";

  @Mixin private InputOptions input;

  @Option(
      names = "--executors",
      paramLabel = "N",
      split = ",",
      description = "Numbers of executors, separated by commas; default 2,4.")
  private List<Integer> executors = List.of(2, 4);

  @Option(
      names = "--algorithms",
      paramLabel = "NAME",
      split = ",",
      description =
          "Algorithms, separated by commas; default bfs,connected-components,pagerank,sssp.")
  private List<String> algorithms = List.of("bfs", "connected-components", "pagerank", "sssp");

  @Option(
      names = "--source",
      paramLabel = "ID",
      description = "sssp, bfs: vertex to start from; default: the one of largest out-degree.")
  private Long source;

  @Option(
      names = "--supersteps",
      description = "Also print the bytes of every superstep of the refined exchange.")
  private boolean supersteps;

  @Option(
      names = "--skip-graphx",
      description = "Leave stock GraphX out, which does not survive thousands of supersteps.")
  private boolean skipGraphx;

  @Mixin private CommonOptions common;

  private final PrintStream out;
  private final PrintStream err;

  private ExchangeBytes(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the measurement and ends the JVM with its exit status. */
  public static void main(String[] args) {
    EmbeddedSpark.end(run(args, System.out, System.err));
  }

  /**
   * Measures in this JVM.
   *
   * @return the exit status
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    return JobRunner.run(new ExchangeBytes(out, err), args, out, err);
  }

  @Override
  public Integer call() {
    List<Algorithm> measured = algorithms.stream().map(Algorithm::of).toList();
    measured.stream()
        .filter(a -> !a.hasStock())
        .findFirst()
        .ifPresent(
            a -> {
              throw a.noStock();
            });
    // Weights are there for the algorithms that read them, the others leave them alone.
    measured.stream().filter(a -> a.readsWeights() || !input.isWeighted()).forEach(input::check);
    for (int count : executors) {
      if (count < 2) {
        throw new UsageException("--executors must be at least 2, not " + count);
      }
    }
    // Compression is Spark's and works on whatever is sent.
    if (System.getProperty("spark.shuffle.compress") == null) {
      System.setProperty("spark.shuffle.compress", "false");
    }
    SparkSession spark = EmbeddedSpark.session("ExchangeBytes");
    ShuffleBytes bytes = new ShuffleBytes();
    spark.sparkContext().addSparkListener(bytes);
    out.printf(
        "%-22s %9s %11s %11s %11s %11s %11s %11s %11s %12s %11s %11s%n",
        "algorithm",
        "executors",
        "all MB",
        "boundary MB",
        "raw MB",
        "packed MB",
        "rounded MB",
        "GraphX MB",
        "exchanges",
        "raw/boundary",
        "raw/GraphX",
        "packed/raw");
    for (int count : executors) {
      Graph<Double, Double> graph =
          StockGraphX.graph(
                  input.edges(spark, count).repartition(count),
                  input.vertices(spark, count),
                  StorageLevel.MEMORY_AND_DISK())
              .cache();
      input.requireGraph(graph.vertices().count());
      for (Algorithm algorithm : measured) {
        measure(spark, bytes, algorithm, graph, count);
      }
      graph.unpersist(true);
    }
    return JobRunner.DONE;
  }

  private void measure(
      SparkSession spark,
      ShuffleBytes bytes,
      Algorithm algorithm,
      Graph<Double, Double> graph,
      int count) {
    Settings settings = new Settings(null, null, null);
    if (algorithm.needsSource()) {
      settings =
          settings.withSource(
              source != null
                  ? source
                  : input.isLattice() ? 0L : StockGraphX.largestOutDegrees(graph, 1)[0]);
    }
    List<SuperstepStats> refined = new ArrayList<>();
    long all = ours(spark, bytes, algorithm, graph, settings, count, "all", "raw", null);
    long boundary = ours(spark, bytes, algorithm, graph, settings, count, "boundary", "raw", null);
    long raw = ours(spark, bytes, algorithm, graph, settings, count, "refined", "raw", refined);
    long packed = ours(spark, bytes, algorithm, graph, settings, count, "refined", "packed", null);
    spark.sparkContext().setLocalProperty(BITS, "24");
    long rounded = ours(spark, bytes, algorithm, graph, settings, count, "refined", "packed", null);
    long stock = skipGraphx ? 0 : stock(spark, bytes, algorithm, graph, settings);
    out.printf(
        Locale.ROOT,
        "%-22s %9d %11.3f %11.3f %11.3f %11.3f %11.3f %11s %11d %12.2f %11s %11.2f%n",
        algorithm.name(),
        count,
        all / 1e6,
        boundary / 1e6,
        raw / 1e6,
        packed / 1e6,
        rounded / 1e6,
        skipGraphx ? "-" : String.format(Locale.ROOT, "%.3f", stock / 1e6),
        refined.size(),
        (double) raw / boundary,
        skipGraphx ? "-" : String.format(Locale.ROOT, "%.2f", (double) raw / stock),
        (double) packed / raw);
    if (supersteps) {
      for (SuperstepStats stats : refined) {
        out.printf(
            Locale.ROOT,
            "  superstep %d: %,d updates, %,d bytes%n",
            stats.superstep(),
            stats.boundaryUpdates(),
            stats.boundaryBytes());
      }
    }
  }

  private long stock(
      SparkSession spark,
      ShuffleBytes bytes,
      Algorithm algorithm,
      Graph<Double, Double> graph,
      Settings settings) {
    err.println(algorithm.name() + ": stock GraphX");
    long before = bytes.all(spark);
    Graph<?, ?> result = algorithm.runStock(graph, settings);
    result.vertices().count();
    long stock = bytes.all(spark) - before;
    result.unpersistVertices(false);
    return stock;
  }

  private long ours(
      SparkSession spark,
      ShuffleBytes bytes,
      Algorithm algorithm,
      Graph<Double, Double> graph,
      Settings settings,
      int count,
      String exchange,
      String encoding,
      List<SuperstepStats> stats) {
    err.printf("%s on %d executors: %s, %s%n", algorithm.name(), count, exchange, encoding);
    spark.sparkContext().setLocalProperty(EXECUTORS, String.valueOf(count));
    spark.sparkContext().setLocalProperty(EXCHANGE, exchange);
    spark.sparkContext().setLocalProperty(ENCODING, encoding);
    RunObserver observer =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats superstep) {
            if (stats != null) {
              stats.add(superstep);
            }
          }
        };
    long before = bytes.ofSupersteps(spark);
    try {
      Graph<?, ?> result =
          algorithm.runProgram(
              graph,
              settings,
              RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER).withObserver(observer));
      result.vertices().count();
      result.unpersistVertices(false);
    } finally {
      for (String key : List.of(EXECUTORS, EXCHANGE, ENCODING, BITS)) {
        spark.sparkContext().setLocalProperty(key, null);
      }
    }
    return bytes.ofSupersteps(spark) - before;
  }

  /** Adds up the shuffle bytes that tasks have written. */
  private static final class ShuffleBytes extends SparkListener {
    private final Set<Integer> superstepStages = new HashSet<>();
    private long all;
    private long ofSupersteps;

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      boolean step =
          ScalaCompat.asJava(submitted.stageInfo().rddInfos()).stream()
              .anyMatch(rdd -> rdd.name().startsWith("StepRdd"));
      if (step) {
        superstepStages.add(submitted.stageInfo().stageId());
      }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      long written = end.taskMetrics().shuffleWriteMetrics().bytesWritten();
      all += written;
      if (superstepStages.contains(end.stageId())) {
        ofSupersteps += written;
      }
    }

    /** Bytes so far, once all events have arrived. */
    long all(SparkSession spark) {
      settle(spark);
      synchronized (this) {
        return all;
      }
    }

    long ofSupersteps(SparkSession spark) {
      settle(spark);
      synchronized (this) {
        return ofSupersteps;
      }
    }

    private static void settle(SparkSession spark) {
      try {
        spark.sparkContext().listenerBus().waitUntilEmpty();
      } catch (TimeoutException e) {
        throw new IllegalStateException("Spark's listeners do not keep up", e);
      }
    }
  }
}
