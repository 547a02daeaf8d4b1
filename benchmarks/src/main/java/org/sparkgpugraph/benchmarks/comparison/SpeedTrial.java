package org.sparkgpugraph.benchmarks.comparison;

import java.io.PrintStream;
import java.util.Locale;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.PeakHeap;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Undirected;
import org.sparkgpugraph.run.RunOptions;

/**
 * The runs of one algorithm in one JVM, first the library's and then GraphX's, on the same cached
 * GraphX graph; a result counts when its vertices are materialised. What it finds out it says line
 * by line, so that what was measured is known when a later run ends the JVM.
 */
final class SpeedTrial {
  /** Begins a line that is meant for {@link SpeedTable}. */
  static final String MARK = "@trial ";

  private static final double MEGABYTE = 1 << 20;

  private final Contest contest;
  private final InputOptions input;
  private final int edgePartitions;
  private final int runs;
  private final int sources;
  private final int iterations;
  private final double limitSeconds;
  private final RunOptions options;
  private final PrintStream out;

  /**
   * A trial.
   *
   * @param runs warm runs of each side, at least 1
   * @param sources number of sources and landmarks
   * @param limitSeconds a side whose runs took these begins no further one
   */
  SpeedTrial(
      Contest contest,
      InputOptions input,
      int edgePartitions,
      int runs,
      int sources,
      int iterations,
      double limitSeconds,
      RunOptions options,
      PrintStream out) {
    this.contest = contest;
    this.input = input;
    this.edgePartitions = edgePartitions;
    this.runs = runs;
    this.sources = sources;
    this.iterations = iterations;
    this.limitSeconds = limitSeconds;
    this.options = options;
    this.out = out;
  }

  void run() {
    SparkSession spark = EmbeddedSpark.session("SpeedTable " + contest.name());
    Graph<Double, Double> graph = graph(spark);
    long vertices = graph.vertices().count();
    input.requireGraph(vertices);
    long edges = graph.edges().count();
    say("graph %d %d", vertices, edges);
    Contest.Setting setting =
        new Contest.Setting(
            graph, StockGraphX.largestOutDegrees(graph, sources), iterations, options, null);
    Graph<?, ?> ours = runs("ours", contest.ours(), setting);
    if (contest.stock() != null) {
      Graph<?, ?> stock = runs("graphx", contest.stock(), setting);
      say("agree %s", contest.agreement().describe(ours, stock, setting));
    }
    say("done");
  }

  private void say(String format, Object... arguments) {
    out.println(MARK + String.format(Locale.ROOT, format, arguments));
  }

  private Graph<Double, Double> graph(SparkSession spark) {
    input.setWeighted(contest.input().weighted());
    JavaRDD<EdgeBlock> blocks = input.edges(spark, edgePartitions);
    if (contest.input() == Contest.Input.RATINGS) {
      blocks = blocks.map(SpeedTrial::ratings);
    }
    if (blocks.getNumPartitions() != edgePartitions) {
      blocks = blocks.repartition(edgePartitions);
    }
    Graph<Double, Double> graph =
        StockGraphX.graph(
            blocks, input.vertices(spark, edgePartitions), StorageLevel.MEMORY_AND_DISK());
    return switch (contest.input()) {
      case UNDIRECTED -> Undirected.of(graph).cache();
      case CIRCUIT -> StockGraphX.voltages(graph).cache();
      default -> graph.cache();
    };
  }

  /** Ratings 1 to 5 of the weights 1 to 255, by users with even ids of items with odd ones. */
  private static EdgeBlock ratings(EdgeBlock block) {
    long[] users = new long[block.size()];
    long[] items = new long[block.size()];
    double[] ratings = new double[block.size()];
    double[] weights = (double[]) block.values();
    for (int i = 0; i < block.size(); i++) {
      users[i] = 2 * block.source(i);
      items[i] = 2 * block.destination(i) + 1;
      ratings[i] = Math.ceil(weights[i] / 51);
    }
    return new GlobalEdgeBlock(block.size(), users, items, ratings);
  }

  /** One cold run and as many warm ones as there is time for; the last result stays cached. */
  private Graph<?, ?> runs(String side, Contest.Side runner, Contest.Setting setting) {
    long begin = System.nanoTime();
    Graph<?, ?> result = null;
    for (int run = 0; run <= runs && (run == 0 || seconds(begin) < limitSeconds); run++) {
      if (result != null) {
        unpersist(result, setting.graph(), null);
      }
      Contest.Setting own =
          contest.input() == Contest.Input.RANKED
              ? setting.from(PageRank.run(setting.graph(), 2))
              : setting;
      if (run == 0) {
        // Before warm runs it would take memory from the JVM that they must then take from the
        // system again, which costs the faster side a larger part of its time.
        System.gc();
      }
      say("begin %s", side);
      try (PeakHeap heap = new PeakHeap()) {
        long start = System.nanoTime();
        result = runner.run(own);
        result.vertices().count();
        double seconds = seconds(start);
        say(
            "run %s %.6f %.1f %.1f",
            side, seconds, heap.bytesAfterCollection() / MEGABYTE, heap.usedBytes() / MEGABYTE);
      }
      if (own.earlier() != null) {
        unpersist(own.earlier(), setting.graph(), result);
      }
    }
    return result;
  }

  /**
   * Frees a graph, but not what it shares with others.
   *
   * @param input whose edges it may have
   * @param kept another one that stays; null: none
   */
  private static void unpersist(Graph<?, ?> graph, Graph<?, ?> input, Graph<?, ?> kept) {
    if (kept == null || graph.vertices().id() != kept.vertices().id()) {
      graph.vertices().unpersist(true);
    }
    if (graph.edges().id() != input.edges().id()
        && (kept == null || graph.edges().id() != kept.edges().id())) {
      graph.edges().unpersist(true);
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
