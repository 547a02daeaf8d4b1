package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * The CPU engine's rates on an R-MAT graph whose edges are on the heap, off it, and in mapped files
 * beside each other: supersteps in turns, since other work on a machine changes from minute to
 * minute; of one thread by CPU time. Arguments are the scale (20), the number of supersteps (25)
 * and of threads (all cores).
 */
public final class OffHeapEngineRates {
  private static final int WARM_UPS = 4;

  private final CpuEngine engine = new CpuEngine();
  private final PrintStream out;
  private final int threads;
  private final List<Home> homes = new ArrayList<>();

  private record Home(String name, ExecutorGraph graph) {}

  private OffHeapEngineRates(PrintStream out, int threads) {
    this.out = out;
    this.threads = threads;
  }

  /** Runs all measurements. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int steps = args.length > 1 ? Integer.parseInt(args[1]) : 25;
    int threads =
        args.length > 2 ? Integer.parseInt(args[2]) : Runtime.getRuntime().availableProcessors();
    new OffHeapEngineRates(System.out, threads).run(scale, steps);
  }

  private void run(int scale, int steps) {
    List<EdgeBlock> edges =
        BenchmarkGraphs.edges(new RmatGraph(scale, 16, BenchmarkGraphs.SEED), Kind.DOUBLE);
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    DirectMemory.Budget unbounded = DirectMemory.Budget.of(Long.MAX_VALUE, "");
    home("heap", edges, null);
    home("off the heap", edges, new DirectMemory(unbounded));
    home("mapped", edges, new MappedMemory(List.of(folder), unbounded));
    ExecutorGraph graph = homes.get(0).graph();
    out.printf(
        "rmat %d: %d vertices, %d edges, %d threads%n",
        scale, graph.vertexCount(), graph.edgeCount(), threads);
    measure("PageRank, hoisted", BenchmarkPrograms.hoistedPageRank(0.85), steps);
    measure("PageRank, not hoisted", BenchmarkPrograms.pageRank(0.85), steps);
    measure("PageRank, weighted", BenchmarkPrograms.weightedPageRank(0.85), steps);
    measure("hops, all rows", BenchmarkPrograms.hops(0), steps);
    measure("SSSP, all rows", BenchmarkPrograms.shortestPaths(0), steps);
  }

  private void home(String name, List<EdgeBlock> edges, EdgeMemory memory) {
    BuildMemory build =
        new BuildMemory() {
          @Override
          public Reservation begin() {
            return Reservation.NONE;
          }

          @Override
          public EdgeMemory edges() {
            return memory;
          }
        };
    homes.add(new Home(name, BenchmarkGraphs.build(edges, null, Kind.DOUBLE, 1, build)));
  }

  private void measure(String what, ProgramInstance program, int steps) {
    boolean paths = what.endsWith("all rows");
    RunSettings settings =
        new RunSettings(
            paths ? new Object[] {Double.POSITIVE_INFINITY} : null,
            paths ? null : new Object[] {0.0},
            ActiveDirection.OUT,
            paths ? Gather.ALL : Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.DENSE,
            threads,
            null);
    List<EngineRun> runs = new ArrayList<>();
    List<List<Double>> millis = new ArrayList<>();
    try {
      for (Home home : homes) {
        int all = (int) home.graph().vertexCount();
        List<Columns> attributes = List.of(Columns.allocate(List.of(Kind.DOUBLE), all));
        EngineRun run = engine.open(home.graph(), program, attributes, settings);
        runs.add(run);
        run.initialise();
        millis.add(new ArrayList<>());
      }
      for (int step = 0; step < WARM_UPS + steps; step++) {
        for (int r = 0; r < runs.size(); r++) {
          double spent = millisOf(runs.get(r));
          if (step >= WARM_UPS) {
            millis.get(r).add(spent);
          }
        }
      }
      report(what, millis);
      same(what, runs);
    } finally {
      runs.forEach(EngineRun::close);
    }
  }

  /** Of one thread those of its core, which other work takes less part in. */
  private double millisOf(EngineRun run) {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long begin = clock.getCurrentThreadCpuTime();
    long nanos = run.step(new double[0]).nanos();
    return (threads == 1 ? clock.getCurrentThreadCpuTime() - begin : nanos) / 1e6;
  }

  private void report(String what, List<List<Double>> millis) {
    double median = Medians.median(millis.get(0));
    double best = Collections.min(millis.get(0));
    for (int h = 0; h < homes.size(); h++) {
      double own = Medians.median(millis.get(h));
      double ownBest = Collections.min(millis.get(h));
      out.printf(
          "%-24s %-14s median %7.1f, best %7.1f ms: %.2f of the rate on the heap (best %.2f)%n",
          what, homes.get(h).name(), own, ownBest, median / own, best / ownBest);
    }
  }

  private void same(String what, List<EngineRun> runs) {
    double[] wanted = runs.get(0).values(0).doubles(0);
    int size = runs.get(0).values(0).length();
    for (int h = 1; h < runs.size(); h++) {
      double[] found = runs.get(h).values(0).doubles(0);
      if (!Arrays.equals(wanted, 0, size, found, 0, size)) {
        throw new IllegalStateException(what + " has other values " + homes.get(h).name());
      }
    }
  }
}
