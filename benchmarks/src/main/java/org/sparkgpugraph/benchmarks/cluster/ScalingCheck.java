package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;

/**
 * Compares {@link ScalingModel} with runs over some executors of one core on this host, CPU engine:
 * PageRank in doubles on R-MAT. The model's constants are fitted to the run over the fewest
 * executors, and to what a superstep costs on a graph of 64 ids over the two smallest numbers of
 * them, by way of the driver and in blocks; times of all others are predicted, from the bytes that
 * they tell. How many updates those are stands beside the bound that the model has for ids that
 * tell nothing.
 *
 * <pre>
 * ScalingCheck [scale = 18] [iterations = 20] [executors = 2,4,8]
 * </pre>
 *
 * <p>Where the host has fewer cores than executors these share them, which is told to the model.
 */
public final class ScalingCheck {
  private static final int EDGE_FACTOR = 16;
  private static final int TINY = 6;
  private static final long SEED = 42;
  private static final int RUNS = 3;
  private static final int WARM_UPS = 2;
  private static final int MEGABYTES = 640;
  private static final int INLINE_BYTES = 1 << 14;
  private static final String INLINE = "spark.gpugraph.exchange.inlineBytes";

  private final int scale;
  private final int iterations;

  private ScalingCheck(int scale, int iterations) {
    this.scale = scale;
    this.iterations = iterations;
  }

  /**
   * What was measured over some executors, seconds of a mean superstep.
   *
   * @param emptySeconds of a superstep on a tiny graph, which tells its updates by way of the
   *     driver
   * @param blockSeconds of the same where they are written and fetched
   */
  private record Measured(
      int executors,
      double vertices,
      double edges,
      double updates,
      double bytes,
      double seconds,
      double kernelSeconds,
      double codecSeconds,
      double emptySeconds,
      double blockSeconds) {}

  /** Runs it and prints a table. */
  public static void main(String[] args) throws IOException {
    ScalingCheck check = new ScalingCheck(number(args, 0, 18), number(args, 1, 20));
    List<Measured> measured = new ArrayList<>();
    for (String count : (args.length > 2 ? args[2] : "2,4,8").split(",")) {
      measured.add(check.measure(Integer.parseInt(count)));
      System.out.println(measured.get(measured.size() - 1));
    }
    System.out.print(check.compare(measured));
  }

  private static int number(String[] args, int at, int otherwise) {
    return args.length > at ? Integer.parseInt(args[at]) : otherwise;
  }

  // ---- measuring --------------------------------------------------------------------------------

  private Measured measure(int executors) throws IOException {
    BenchmarkCluster.Layout layout =
        new BenchmarkCluster.Layout(executors, 1, MEGABYTES, 0, List.of(), false);
    try (BenchmarkCluster cluster = new BenchmarkCluster(layout, Map.of())) {
      JavaSparkContext sc = cluster.context();
      double[] size = new double[2];
      ClusterRuns runs = runs(sc, cluster, executors, scale, size);
      ClusterRuns empty = runs(sc, cluster, executors, TINY, new double[2]);
      sc.setLocalProperty(INLINE, "0");
      ClusterRuns blocks = runs(sc, cluster, executors, TINY, new double[2]);
      return new Measured(
          executors,
          size[0],
          size[1],
          runs.updates() / iterations,
          runs.exchangedBytes() / iterations,
          runs.medianStepMillis() / 1e3,
          runs.kernelMillis() / 1e3,
          runs.codecMillis() / 1e3,
          empty.medianStepMillis() / 1e3,
          blocks.medianStepMillis() / 1e3);
    }
  }

  /**
   * @param size takes the numbers of vertices and edges
   */
  private ClusterRuns runs(
      JavaSparkContext sc, BenchmarkCluster cluster, int executors, int scale, double[] size) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    ClusterRuns runs = new ClusterRuns();
    try (ResidentGraph<Object, Double> graph =
        ResidentGraph.load(
            new RmatGraph(scale, EDGE_FACTOR, SEED).edges(sc, executors, true, false),
            Double.class,
            options.withExecutors(executors))) {
      for (int run = -WARM_UPS; run < RUNS; run++) {
        ClusterRuns.Watch watch = new ClusterRuns.Watch(true);
        RunObserver observer = run < 0 ? RunObserver.NONE : watch;
        long before = cluster.shuffledBytes();
        try (VertexResult<?> result =
            ClusterWorkload.PAGERANK.run(graph, null, iterations, options.withObserver(observer))) {
          size[0] = result.report().vertices();
          size[1] = result.report().edges();
          if (run >= 0) {
            runs.add(result.report(), watch, cluster.shuffledBytes() - before);
          }
        }
      }
    }
    return runs;
  }

  // ---- comparing --------------------------------------------------------------------------------

  private String compare(List<Measured> all) {
    Measured first = all.get(0);
    Measured second = all.get(Math.min(1, all.size() - 1));
    int n = first.executors;
    ScalingModel.Graph graph = new ScalingModel.Graph(first.vertices, first.edges, 1);
    double perTask =
        second == first
            ? 0
            : Math.max(0, second.emptySeconds - first.emptySeconds)
                / (second.executors - first.executors);
    double blocks = Math.max(0, first.blockSeconds - first.emptySeconds);
    double perBlock =
        second == first
            ? 0
            : Math.max(0, second.blockSeconds - second.emptySeconds - blocks)
                / (second.executors - n);
    double file = Math.max(0, blocks - (n - 1) * perBlock);
    double fetched = first.bytes / n > INLINE_BYTES ? file + (n - 1) * perBlock : 0;
    double known = first.kernelSeconds + first.codecSeconds + first.emptySeconds + fetched;
    double shuffle = Math.max(1e-3, first.seconds - known);
    // Of one core that nobody else uses; nothing is copied to a GPU.
    double alone = share(n);
    ScalingModel.Constants fitted =
        new ScalingModel.Constants(
            first.edges / n / first.kernelSeconds / alone,
            first.emptySeconds - n * perTask,
            perTask,
            file,
            perBlock,
            // What the driver passes on is in what supersteps on the tiny graph take.
            INLINE_BYTES,
            0,
            first.bytes / n / shuffle / alone,
            2 * first.bytes / n / first.codecSeconds / alone,
            Double.MAX_VALUE,
            0,
            1,
            1,
            0);
    TextTable table =
        new TextTable(
            "executors",
            "thousand updates",
            "model",
            "MB",
            "kernels ms",
            "model",
            "codec ms",
            "model",
            "empty ms",
            "model",
            "in blocks ms",
            "model",
            "superstep ms",
            "model",
            "model / measured");
    for (Measured one : all) {
      ScalingModel model = new ScalingModel(graph, shared(fitted, share(one.executors)));
      ScalingModel.Estimate e =
          model.estimate(
              new ScalingModel.Cluster(one.executors, 1),
              ranks(one.bytes / model.boundary(one.executors)));
      table.add(
          Stream.of(
                  Stream.of(String.valueOf(one.executors)),
                  cells(one.updates / 1e3, e.boundary() / 1e3),
                  Stream.of(String.format(Locale.ROOT, "%.2f", one.bytes / 1e6)),
                  cells(one.kernelSeconds * 1e3, e.kernelSeconds() * 1e3),
                  cells(one.codecSeconds * 1e3, e.codecSeconds() * 1e3),
                  cells(one.emptySeconds * 1e3, e.sparkSeconds() * 1e3),
                  cells(
                      one.blockSeconds * 1e3,
                      (e.sparkSeconds() + file + (one.executors - 1) * perBlock) * 1e3),
                  cells(one.seconds * 1e3, e.superstepSeconds() * 1e3),
                  Stream.of(String.format(Locale.ROOT, "%.2f", e.superstepSeconds() / one.seconds)))
              .flatMap(cells -> cells)
              .toList());
    }
    return table.toString();
  }

  /**
   * @param bytes for each entry of the model's boundary lists, so that a superstep has as many as
   *     were measured: how a graph is cut is another question than what its bytes cost
   */
  private ScalingModel.Algorithm ranks(double bytes) {
    return new ScalingModel.Algorithm(
        "PageRank", iterations, iterations, iterations, bytes, 0, 0, 0, 1);
  }

  private static Stream<String> cells(double measured, double model) {
    return Stream.of(measured, model).map(value -> String.format(Locale.ROOT, "%.2f", value));
  }

  /** Part of a core that each of so many executors has. */
  private static double share(int executors) {
    return Math.min(1, (double) Runtime.getRuntime().availableProcessors() / executors);
  }

  private static ScalingModel.Constants shared(ScalingModel.Constants alone, double share) {
    return new ScalingModel.Constants(
        alone.denseEdgesPerSecond() * share,
        alone.stageSeconds(),
        alone.taskSeconds(),
        alone.fileSeconds(),
        alone.fetchSeconds(),
        alone.inlineBytes(),
        alone.inlineSeconds(),
        alone.networkBytesPerSecond() * share,
        alone.codecBytesPerSecond() * share,
        alone.hubBytesPerSecond(),
        alone.recordBytes(),
        alone.loadEdgesPerSecond(),
        alone.coresPerGpu(),
        alone.loadBytesPerEdge());
  }
}
