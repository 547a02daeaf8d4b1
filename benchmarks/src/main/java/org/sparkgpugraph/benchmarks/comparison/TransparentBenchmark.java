package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphOps;
import org.sparkgpugraph.GpuGraphPlugin;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;

/**
 * GraphX's own calls with transparent mode and without it, in turn, on one cached R-MAT graph: what
 * an unchanged job gains. A run is timed from the call to the counted vertices.
 *
 * <pre>TransparentBenchmark [scale = 18] [runs = 5] [edge partitions = 4]</pre>
 */
public final class TransparentBenchmark {
  private static final String KEY = "spark.gpugraph.transparent";

  private final JavaSparkContext sc;
  private final int runs;
  private final TextTable table =
      new TextTable("call", "first s", "first s, transparent", "s", "s, transparent", "times");

  private TransparentBenchmark(JavaSparkContext sc, int runs) {
    this.sc = sc;
    this.runs = runs;
  }

  /** Runs it and prints a table: the first run of each side, and medians of the others. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 18;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    int partitions = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("TransparentBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", GpuGraphPlugin.class.getName())
            .set(KEY, "true");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("WARN");
      Graph<Double, Double> graph = RmatGraphX.cached(sc, scale, partitions, false);
      System.out.printf(
          "R-MAT %d: %d vertices, %d edges%n",
          scale, graph.vertices().count(), graph.edges().count());
      TransparentBenchmark benchmark = new TransparentBenchmark(sc, runs);
      GraphOps<Double, Double> ops = graph.ops();
      benchmark.measure("graph.pageRank(0.001)", () -> ops.pageRank(0.001, 0.15));
      benchmark.measure("graph.staticPageRank(10)", () -> ops.staticPageRank(10, 0.15));
      benchmark.measure("graph.connectedComponents()", ops::connectedComponents);
      benchmark.measure("graph.triangleCount()", ops::triangleCount);
      System.out.print(benchmark.table);
    }
  }

  private void measure(String name, Supplier<Graph<?, ?>> call) {
    List<Double> stock = new ArrayList<>();
    List<Double> ours = new ArrayList<>();
    for (int i = 0; i <= runs; i++) {
      stock.add(seconds(call, false));
      ours.add(seconds(call, true));
    }
    double before = Medians.median(stock.subList(1, stock.size()));
    double after = Medians.median(ours.subList(1, ours.size()));
    table.add(
        List.of(
            name,
            text(stock.get(0)),
            text(ours.get(0)),
            text(before),
            text(after),
            String.format(Locale.ROOT, "%.1f", before / after)));
  }

  private double seconds(Supplier<Graph<?, ?>> call, boolean transparent) {
    sc.setLocalProperty(KEY, Boolean.toString(transparent));
    long start = System.nanoTime();
    Graph<?, ?> result = call.get();
    result.vertices().count();
    double seconds = (System.nanoTime() - start) / 1e9;
    result.unpersist(true);
    return seconds;
  }

  private static String text(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
