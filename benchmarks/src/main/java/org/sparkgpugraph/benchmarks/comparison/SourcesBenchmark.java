package org.sparkgpugraph.benchmarks.comparison;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.ShortestPaths;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/**
 * Shortest paths to landmarks and parallel personalised PageRank (10 iterations) for 1 to 64
 * vertices on a resident R-MAT graph: the median and the best time of a run, whose result stays
 * with the executors, and the CPU time of all threads.
 *
 * <pre>
 * SourcesBenchmark [scale = 16] [rounds = 5] [engine = cpu] [vertices of a run = 64] [most = 64]
 * </pre>
 */
public final class SourcesBenchmark {
  private static final int ITERATIONS = 10;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final int[] COUNTS = {1, 4, 8, 32, 64};

  private SourcesBenchmark() {}

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int scale = number(args, 0, 16);
    int rounds = number(args, 1, 5);
    String engine = args.length > 2 ? args[2] : "cpu";
    int perRun = number(args, 3, 64);
    int most = number(args, 4, 64);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("SourcesBenchmark")
            .set("spark.ui.enabled", "false");
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.valueOf(engine.toUpperCase(Locale.ROOT)));
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      RmatGraph rmat = new RmatGraph(scale, 16, 42);
      try (ResidentGraph<?, ?> graph =
          ResidentGraph.load(rmat.edges(sc, 4, false, false), Object.class, options)) {
        System.out.printf(
            "R-MAT %d: %d vertices, %d edges%n", scale, graph.vertexCount(), graph.edgeCount());
        long[] ids = ids(graph);
        TextTable table =
            new TextTable("algorithm", "vertices", "median s", "best s", "median CPU s");
        for (int count : COUNTS) {
          if (count <= most) {
            long[] some = Arrays.copyOf(ids, count);
            measure(
                table,
                "shortest paths",
                rounds,
                some,
                perRun,
                part -> ShortestPaths.run(graph, part, options));
            measure(
                table,
                "personalised PageRank",
                rounds,
                some,
                perRun,
                part ->
                    PageRank.runParallelPersonalizedPageRank(
                        graph, ITERATIONS, 0.15, part, options));
          }
        }
        System.out.print(table);
      }
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  /** The first vertices, whose ids the generator has mixed. */
  private static long[] ids(ResidentGraph<?, ?> graph) {
    long[] ids = new long[COUNTS[COUNTS.length - 1]];
    int found = 0;
    for (long id = 0; found < ids.length; id++) {
      if (graph.containsVertex(id)) {
        ids[found++] = id;
      }
    }
    return ids;
  }

  private static void measure(
      TextTable table,
      String name,
      int rounds,
      long[] ids,
      int perRun,
      Function<long[], VertexResult<?>> run) {
    List<Double> seconds = new ArrayList<>();
    List<Double> cpuSeconds = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      long start = System.nanoTime();
      long cpu = PROCESS.getProcessCpuTime();
      for (int from = 0; from < ids.length; from += perRun) {
        run.apply(Arrays.copyOfRange(ids, from, Math.min(ids.length, from + perRun))).close();
      }
      if (round > 0) {
        seconds.add((System.nanoTime() - start) / 1e9);
        cpuSeconds.add((PROCESS.getProcessCpuTime() - cpu) / 1e9);
      }
    }
    table.add(
        List.of(
            name,
            Integer.toString(ids.length),
            String.format(Locale.ROOT, "%.3f", Medians.median(seconds)),
            String.format(Locale.ROOT, "%.3f", seconds.stream().min(Double::compare).orElseThrow()),
            String.format(Locale.ROOT, "%.3f", Medians.median(cpuSeconds))));
  }
}
