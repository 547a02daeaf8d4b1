package org.sparkgpugraph.benchmarks.engine;

import com.sun.management.OperatingSystemMXBean;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Prints what shortest paths over integer weights take on an engine as it chooses, and by a
 * hand-written delta-stepping loop over arrays, whose width is the best of several; in turns, in
 * one run. Arguments are a graph (lattice1000, rmat20, …), an engine (cpu), the number of threads
 * (all cores) and of runs (7); behind them kernels that are forced for comparison (push, async).
 */
public final class DeltaSteppingRates {
  private static final int WARM_UPS = 3;

  /** Widths that the hand-written loop may have, in mean weights by mean degree. */
  private static final double[] WIDTHS = {1 / 16.0, 1 / 4.0, 1, 4, 16};

  private final PrintStream out;
  private final BenchmarkEngine engine;
  private final ExecutorGraph graph;
  private final GraphPartition partition;
  private final int source;
  private final int threads;
  private final ProgramInstance program;
  private int[] found;

  private DeltaSteppingRates(
      PrintStream out, BenchmarkEngine engine, ExecutorGraph graph, int source, int threads) {
    this.out = out;
    this.engine = engine;
    this.graph = graph;
    this.source = source;
    this.threads = threads;
    partition = graph.partitions().get(0);
    program = Workload.SSSP.program(partition.originalId(source));
  }

  /** Runs all measurements. */
  public static void main(String[] args) throws Exception {
    String name = args.length > 0 ? args[0] : "lattice1000";
    String engine = args.length > 1 ? args[1] : "cpu";
    int threads =
        args.length > 2 ? Integer.parseInt(args[2]) : Runtime.getRuntime().availableProcessors();
    int runs = args.length > 3 ? Integer.parseInt(args[3]) : 7;
    if (!BenchmarkEngines.NAMES.contains(engine) || threads < 1 || runs < 1) {
      throw new IllegalArgumentException(
          "arguments are a graph, an engine of "
              + BenchmarkEngines.NAMES
              + ", at least 1 thread and at least 1 run, not "
              + List.of(args));
    }
    GraphSpec spec = GraphSpec.of(name, 1);
    ExecutorGraph graph =
        BenchmarkGraphs.build(
            spec.edges(Kind.INT), BenchmarkGraphs.vertices(spec.vertices()), Kind.INT, 1);
    int source = spec.lattice() ? 0 : largestOutDegree(graph.partitions().get(0));
    System.out.printf(
        "%s: %d vertices, %d edges, %d threads%n",
        name, graph.vertexCount(), graph.edgeCount(), threads);
    List<KernelChoice> forced =
        Arrays.stream(args)
            .skip(4)
            .map(kernel -> KernelChoice.valueOf(kernel.toUpperCase(Locale.ROOT)))
            .toList();
    try (BenchmarkEngine opened = BenchmarkEngines.open(engine, 1, false, false)) {
      new DeltaSteppingRates(System.out, opened, graph, source, threads).run(runs, forced);
    }
  }

  private static int largestOutDegree(GraphPartition partition) {
    int best = 0;
    for (int v = 1; v < partition.stored(); v++) {
      best = partition.outDegree(v) > partition.outDegree(best) ? v : best;
    }
    return best;
  }

  private void run(int runs, List<KernelChoice> forced) throws Exception {
    HandWrittenPaths written = best();
    List<Measured> measured = new ArrayList<>();
    measured.add(new Measured("hand-written loop", () -> byHand(written)));
    measured.add(new Measured("engine, as it chooses", () -> byEngine(KernelChoice.AUTO)));
    for (KernelChoice kernel : forced) {
      String title = "engine, " + kernel.name().toLowerCase(Locale.ROOT);
      measured.add(new Measured(title, () -> byEngine(kernel)));
    }
    for (int i = 0; i < WARM_UPS + runs; i++) {
      for (Measured one : measured) {
        one.once(i >= WARM_UPS);
      }
    }
    double least = measured.get(0).median();
    for (Measured one : measured) {
      out.printf(
          "%-22s median %8.1f ms, best %8.1f ms, CPU %8.1f ms, %,d edges: %.2f of the loop's time"
              + " (best %.2f, CPU %.2f)%n",
          one.name,
          one.median() / 1e6,
          one.best() / 1e6,
          one.cpu() / 1e6,
          one.edges(),
          one.median() / least,
          one.best() / measured.get(0).best(),
          one.cpu() / measured.get(0).cpu());
    }
  }

  /** The hand-written loop with the width that is fastest here. */
  private HandWrittenPaths best() throws InterruptedException {
    int[] weights = partition.outEdgeValues().ints(0);
    double mean = Arrays.stream(weights).mapToLong(w -> w).average().orElse(1);
    double unit = mean * partition.stored() / Math.max(1, weights.length);
    HandWrittenPaths best = null;
    long least = Long.MAX_VALUE;
    for (double factor : WIDTHS) {
      int width = (int) Math.max(1, Math.rint(factor * unit));
      HandWrittenPaths tried = new HandWrittenPaths(partition, source, width, threads);
      for (int i = 0; i < WARM_UPS; i++) {
        long start = System.nanoTime();
        tried.run();
        long nanos = System.nanoTime() - start;
        if (nanos < least) {
          least = nanos;
          best = tried;
        }
      }
    }
    found = best.distances().clone();
    out.printf("hand-written loop: buckets %d wide are the fastest%n", best.width());
    return best;
  }

  private Run byHand(HandWrittenPaths paths) throws InterruptedException {
    Clock clock = new Clock();
    paths.run();
    return clock.stop(paths.edges());
  }

  private Run byEngine(KernelChoice kernel) {
    RunSettings settings =
        new RunSettings(
            Workload.SSSP.initialMessage(),
            null,
            Workload.SSSP.direction(),
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            true,
            kernel,
            threads,
            null);
    List<Columns> none = List.of(Columns.allocate(List.of(), partition.stored()));
    try (EngineRun run = engine.open(graph, program, none, settings, DeviceSettings.DEFAULT)) {
      Clock clock = new Clock();
      RunSummary summary =
          SuperstepLoop.run(
              engine.name(), run, settings, graph.vertexCount(), List.of(), stats -> {});
      Run measured =
          clock.stop(summary.supersteps().stream().mapToLong(SuperstepStats::edgesEvaluated).sum());
      int[] distances = run.values(0).ints(0);
      int at = Arrays.mismatch(distances, 0, found.length, found, 0, found.length);
      if (at >= 0) {
        throw new IllegalStateException(
            "vertex "
                + partition.originalId(at)
                + " has distance "
                + distances[at]
                + ", by the hand-written loop "
                + found[at]);
      }
      return measured;
    }
  }

  /** What one run took. */
  private record Run(long nanos, long cpuNanos, long edges) {}

  /** Measures one run. */
  private static final class Clock {
    private final long cpu = cpuNow();
    private final long start = System.nanoTime();

    Run stop(long edges) {
      return new Run(System.nanoTime() - start, cpuNow() - cpu, edges);
    }

    /** Of all threads of this JVM. */
    private static long cpuNow() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
  }

  /** One of the ways, and its runs. */
  private static final class Measured {
    private final String name;
    private final Callable<Run> work;
    private final List<Run> runs = new ArrayList<>();

    Measured(String name, Callable<Run> work) {
      this.name = name;
      this.work = work;
    }

    void once(boolean counts) throws Exception {
      Run run = work.call();
      if (counts) {
        runs.add(run);
      }
    }

    double median() {
      return Medians.median(runs.stream().map(Run::nanos).toList());
    }

    double best() {
      return runs.stream().mapToLong(Run::nanos).min().orElseThrow();
    }

    double cpu() {
      return Medians.median(runs.stream().map(Run::cpuNanos).toList());
    }

    long edges() {
      return runs.get(runs.size() - 1).edges();
    }
  }
}
