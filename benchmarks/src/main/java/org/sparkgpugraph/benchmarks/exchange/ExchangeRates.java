package org.sparkgpugraph.benchmarks.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
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
 * new double, which nothing packs, in growing graphs, with {@code spark.gpugraph.exchange.compress}
 * and without it. Rounds of either take turns, so that both meet the same machine. Apart from the
 * exchange a superstep hardly works: milliseconds are the median from one superstep's end to the
 * next, and of these what executors spend in packing (codec) and the rest of the superstep that is
 * Spark's.
 *
 * <pre>ExchangeRates [master = local-cluster[2,1,4096]] [vertices = 4000000] [supersteps = 12]
 *     [rounds = 3]</pre>
 */
public final class ExchangeRates {
  private static final int BLOCK = 1 << 18;

  private ExchangeRates() {}

  /** What the supersteps of one kind took, in milliseconds, and how many bytes each exchanged. */
  private static final class Taken implements RunObserver {
    private final List<Double> millis = new ArrayList<>();
    private final List<Double> spark = new ArrayList<>();
    private final List<Double> codec = new ArrayList<>();
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

  /** Runs it and prints a line per size and kind. */
  public static void main(String[] args) {
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
          new TextTable("vertices", "MB told", "compress", "superstep ms", "codec ms", "Spark ms");
      for (int size = vertices / 16; size <= vertices; size *= 4) {
        measure(sc, size, executors, supersteps, rounds, table);
      }
      System.out.print(table);
    }
  }

  private static void measure(
      JavaSparkContext sc,
      int vertices,
      int executors,
      int supersteps,
      int rounds,
      TextTable table) {
    Map<Boolean, Taken> taken = new TreeMap<>(Map.of(false, new Taken(), true, new Taken()));
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withExecutors(executors).withPartitions(1);
    try (ResidentGraph<Object, ?> graph =
        ResidentGraph.load(edges(sc, vertices), Object.class, options)) {
      for (int round = 0; round <= rounds; round++) {
        for (boolean compress : new boolean[] {true, false}) {
          sc.setLocalProperty("spark.gpugraph.exchange.compress", String.valueOf(compress));
          // The first round is cold.
          Taken of = round == 0 ? new Taken() : taken.get(compress);
          run(graph, supersteps, RunOptions.DEFAULT.withObserver(of));
        }
      }
    }
    taken.forEach(
        (compress, of) ->
            table.add(
                List.of(
                    String.valueOf(vertices),
                    number(of.bytes / 1e6),
                    String.valueOf(compress),
                    number(Medians.median(of.millis)),
                    number(Medians.median(of.codec)),
                    number(Medians.median(of.spark)))));
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
