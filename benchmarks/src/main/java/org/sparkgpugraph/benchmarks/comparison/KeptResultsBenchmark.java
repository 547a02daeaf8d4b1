package org.sparkgpugraph.benchmarks.comparison;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.lib.PageRank;

/**
 * What it costs that results stay usable after {@code unpersist()}: a loop that runs PageRank,
 * counts the vertices and unpersists the result, with results that stay until nobody refers to them
 * and with results that are freed at once (what {@code spark.cleaner.referenceTracking=false}
 * does), in turn. Then the memory of results of which only something derived is left.
 *
 * <pre>KeptResultsBenchmark [scale = 18] [runs = 40] [edge partitions = 4] [rounds = 4]</pre>
 */
public final class KeptResultsBenchmark {
  private static final int ITERATIONS = 5;
  private static final int WARM_UP = 5;
  private static final int KEPT = 8;
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final int scale;
  private final int runs;
  private final int partitions;
  private final TextTable table =
      new TextTable("round", "unpersist()", "median ms", "mean ms", "CPU ms", "most storage MB");

  private KeptResultsBenchmark(int scale, int runs, int partitions) {
    this.scale = scale;
    this.runs = runs;
    this.partitions = partitions;
  }

  /** Runs it and prints a table of times and what a result takes. */
  public static void main(String[] args) {
    KeptResultsBenchmark benchmark =
        new KeptResultsBenchmark(number(args, 0, 18), number(args, 1, 40), number(args, 2, 4));
    int rounds = number(args, 3, 4);
    // The first round is the JVM's, and in no row.
    for (int round = 0; round <= rounds; round++) {
      benchmark.loop(round, true);
      benchmark.loop(round, false);
    }
    System.out.print(benchmark.table);
    benchmark.memory();
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static JavaSparkContext context(boolean kept) {
    JavaSparkContext sc =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[*]")
                .setAppName("KeptResultsBenchmark")
                .set("spark.ui.enabled", "false")
                .set("spark.gpugraph.fallback", "never")
                .set("spark.cleaner.referenceTracking", Boolean.toString(kept)));
    sc.setLogLevel("WARN");
    return sc;
  }

  private Graph<Double, Double> graph(JavaSparkContext sc) {
    Graph<Double, Double> graph = RmatGraphX.cached(sc, scale, partitions, false);
    graph.edges().count();
    return graph;
  }

  private void loop(int round, boolean kept) {
    try (JavaSparkContext sc = context(kept)) {
      Graph<Double, Double> graph = graph(sc);
      graph.vertices().count();
      for (int i = 0; i < WARM_UP; i++) {
        once(graph);
      }
      long before = settled();
      long most = 0;
      List<Double> millis = new ArrayList<>();
      double sum = 0;
      long cpu = cpuNanos();
      for (int i = 0; i < runs; i++) {
        double time = once(graph);
        millis.add(time);
        sum += time;
        most = Math.max(most, storage() - before);
      }
      if (round > 0) {
        table.add(
            List.of(
                "" + round,
                kept ? "keeps what is in use" : "frees at once",
                text(Medians.median(millis)),
                text(sum / runs),
                text((cpuNanos() - cpu) / 1e6 / runs),
                text(most / 1e6)));
      }
    }
  }

  private static double once(Graph<Double, Double> graph) {
    long start = System.nanoTime();
    Graph<Double, Double> ranks = PageRank.run(graph, ITERATIONS);
    ranks.vertices().count();
    ranks.unpersist(true);
    return (System.nanoTime() - start) / 1e6;
  }

  /** Results of which only an RDD is left that was derived: what they take, and when it is free. */
  private void memory() {
    try (JavaSparkContext sc = context(true)) {
      Graph<Double, Double> graph = graph(sc);
      long vertices = graph.vertices().count();
      once(graph);
      // Spark's scheduler still knows its last job.
      graph.vertices().count();
      long storage = settled();
      long heap = heap();
      List<VertexRDD<Double>> derived = new ArrayList<>();
      for (int i = 0; i < KEPT; i++) {
        Graph<Double, Double> ranks = PageRank.run(graph, ITERATIONS);
        derived.add(ranks.reverse().vertices());
        ranks.unpersist(true);
      }
      System.out.printf(
          Locale.ROOT,
          "%d unpersisted results in use, of %d vertices: %.1f bytes a vertex and result of Spark's"
              + " storage memory, %.1f of the heap%n",
          KEPT,
          vertices,
          (settled() - storage) / (double) (KEPT * vertices),
          (heap() - heap) / (double) (KEPT * vertices));
      long counted = 0;
      for (VertexRDD<Double> rdd : derived) {
        counted += rdd.count();
      }
      if (counted != KEPT * vertices) {
        throw new IllegalStateException(counted + " vertices of " + KEPT * vertices);
      }
      derived.clear();
      graph.vertices().count();
      long start = System.nanoTime();
      while (storage() > storage && System.nanoTime() - start < PATIENCE_NANOS) {
        System.gc();
        sleep();
      }
      System.out.printf(
          Locale.ROOT,
          "then in use no more: %.1f MB of storage memory left of them %.2f s later%n",
          (storage() - storage) / 1e6,
          (System.nanoTime() - start) / 1e9);
    }
  }

  /** Of all threads, the collector's too: elapsed time depends on what else the machine does. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Bytes of Spark's storage memory that are in use. */
  private static long storage() {
    return SparkEnv.get().memoryManager().storageMemoryUsed();
  }

  /** The same once Spark's cleaner has freed what is no more in use. */
  private static long settled() {
    long used = storage();
    System.gc();
    for (int same = 0; same < 20; ) {
      sleep();
      long now = storage();
      same = now == used ? same + 1 : 0;
      used = now;
    }
    return used;
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void sleep() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
