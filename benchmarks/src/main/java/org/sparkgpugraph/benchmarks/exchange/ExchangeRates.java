package org.sparkgpugraph.benchmarks.exchange;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Measures what bytes cost between executors: supersteps in which every vertex tells a neighbour a
 * new double, which nothing packs, in growing graphs, {@linkplain Way compressed by Spark, in one
 * block, in lanes, and in lanes by tasks that stay for the supersteps that follow}. Rounds take
 * turns, so that both meet the same machine. Apart from the exchange a superstep hardly works:
 * milliseconds are the median from one superstep's end to the next; of these what executors spend
 * in packing (codec) and the rest of the superstep that is Spark's; and what Spark says of the
 * median task: how long it took to the driver, how long it ran, and wrote. It reads while it runs,
 * and neither writes nor works. A task that stays is that of all supersteps.
 *
 * <pre>ExchangeRates [master = local-cluster[2,1,4096]] [vertices = 4000000] [supersteps = 12]
 *     [rounds = 3]</pre>
 */
public final class ExchangeRates {
  private static final int BLOCK = 1 << 18;

  private ExchangeRates() {}

  /** How bytes go from one executor to the next. */
  private enum Way {
    COMPRESSED(true, 1, false),
    ONE_BLOCK(false, 1, false),
    LANES(false, 0, false),
    STANDING(false, 0, true);

    private final boolean compress;
    private final int lanes;
    private final boolean standing;

    Way(boolean compress, int lanes, boolean standing) {
      this.compress = compress;
      this.lanes = lanes;
      this.standing = standing;
    }

    void take(JavaSparkContext sc) {
      sc.setLocalProperty("spark.gpugraph.exchange.compress", String.valueOf(compress));
      sc.setLocalProperty("spark.gpugraph.exchange.lanes", String.valueOf(lanes));
      sc.setLocalProperty("spark.gpugraph.exchange.standingMillis", standing ? null : "0");
    }
  }

  /** What the supersteps of one kind took, in milliseconds, and how many bytes each exchanged. */
  private static final class Taken implements RunObserver {
    private final List<Double> millis = new ArrayList<>();
    private final List<Double> spark = new ArrayList<>();
    private final List<Double> codec = new ArrayList<>();
    private final List<Double> task = new ArrayList<>();
    private final List<Double> run = new ArrayList<>();
    private final List<Double> write = new ArrayList<>();
    private long bytes;
    private long last;

    @Override
    public synchronized void superstepEnded(SuperstepStats stats) {
      long now = System.nanoTime();
      // The first ones have other work than those that follow.
      if (stats.superstep() > 1) {
        millis.add((now - last) / 1e6);
        spark.add((now - last - stats.times().shardNanos()) / 1e6);
        codec.add(stats.times().codecNanos() / 1e6);
        bytes = stats.boundaryBytes();
      }
      last = now;
    }
  }

  /** Hears of tasks that have said something. */
  private static final class Tasks extends SparkListener {
    private Taken taken;

    synchronized void of(Taken now) {
      taken = now;
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      TaskMetrics metrics = end.taskMetrics();
      if (taken != null && metrics != null && metrics.shuffleWriteMetrics().bytesWritten() > 0) {
        taken.task.add((double) end.taskInfo().duration());
        taken.run.add((double) metrics.executorRunTime());
        taken.write.add(metrics.shuffleWriteMetrics().writeTime() / 1e6);
      }
    }
  }

  /** Runs it and prints a line per size and kind. */
  public static void main(String[] args) throws TimeoutException {
    String master = args.length > 0 ? args[0] : "local-cluster[2,1,4096]";
    int vertices = args.length > 1 ? Integer.parseInt(args[1]) : 4_000_000;
    int supersteps = args.length > 2 ? Integer.parseInt(args[2]) : 12;
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    int executors = 2;
    String memory = "";
    if (master.startsWith("local-cluster")) {
      String[] cluster = master.replaceAll("[^0-9,]", "").split(",");
      executors = Integer.parseInt(cluster[0]);
      memory = cluster[2] + "m";
    }
    SparkConf conf = LocalSpark.conf("ExchangeRates", master, memory);
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      LocalSpark.awaitExecutors(sc, executors);
      TextTable table =
          new TextTable(
              "vertices",
              "MB told",
              "way",
              "superstep ms",
              "codec ms",
              "Spark ms",
              "task ms",
              "run ms",
              "write ms");
      Tasks tasks = new Tasks();
      sc.sc().addSparkListener(tasks);
      for (int size = vertices / 16; size <= vertices; size *= 4) {
        measure(sc, tasks, size, executors, supersteps, rounds, table);
      }
      System.out.print(table);
    }
  }

  private static void measure(
      JavaSparkContext sc,
      Tasks tasks,
      int vertices,
      int executors,
      int supersteps,
      int rounds,
      TextTable table)
      throws TimeoutException {
    Map<Way, Taken> taken = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      taken.put(way, new Taken());
    }
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withExecutors(executors).withPartitions(1);
    try (ResidentGraph<Object, ?> graph =
        ResidentGraph.load(edges(sc, vertices), Object.class, options)) {
      for (int round = 0; round <= rounds; round++) {
        for (Way way : Way.values()) {
          way.take(sc);
          // The first round is cold.
          Taken of = round == 0 ? new Taken() : taken.get(way);
          tasks.of(of);
          run(graph, supersteps, RunOptions.DEFAULT.withObserver(of));
          sc.sc().listenerBus().waitUntilEmpty();
          tasks.of(null);
        }
      }
    }
    taken.forEach(
        (way, of) ->
            table.add(
                List.of(
                    String.valueOf(vertices),
                    number(of.bytes / 1e6),
                    way.name().toLowerCase(Locale.ROOT),
                    number(Medians.median(of.millis)),
                    number(Medians.median(of.codec)),
                    number(Medians.median(of.spark)),
                    number(Medians.median(of.task)),
                    number(Medians.median(of.run)),
                    number(Medians.median(of.write)))));
  }

  /** Each vertex is told by one, which is elsewhere as often as not. */
  private static JavaRDD<EdgeBlock> edges(JavaSparkContext sc, int vertices) {
    List<Integer> blocks =
        IntStream.iterate(0, from -> from < vertices, from -> from + BLOCK).boxed().toList();
    return sc.parallelize(blocks, blocks.size())
        .map(
            from -> {
              int[] sources = IntStream.range(from, Math.min(from + BLOCK, vertices)).toArray();
              int[] destinations =
                  IntStream.of(sources).map(v -> (int) ((v * 7L + 1) % vertices)).toArray();
              return new IntEdgeBlock(sources.length, sources, destinations, null);
            });
  }

  /** Values that have no pattern, and are new each time. */
  private static void run(ResidentGraph<Object, ?> graph, int supersteps, RunOptions options) {
    ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> Math.sqrt(id + 1.0))
        .everyVertex(0.0)
        .vertexProgram((id, value, message) -> Math.sqrt(value + 1.7 * message + 0.3))
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Double::sum)
        .maxIterations(supersteps)
        .options(options)
        .runVertices()
        .close();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
