package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Prints the CPU engine's rates beside a hand-written loop's, in one run: arguments are the R-MAT
 * scale (20), the lattice's side (1000) and the number of threads (all cores).
 */
public final class EngineRates {
  private final CpuEngine engine = new CpuEngine();
  private final PrintStream out;
  private final int threads;

  private EngineRates(PrintStream out, int threads) {
    this.out = out;
    this.threads = threads;
  }

  /** Runs all measurements. */
  public static void main(String[] args) throws InterruptedException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int side = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
    int threads =
        args.length > 2 ? Integer.parseInt(args[2]) : Runtime.getRuntime().availableProcessors();
    new EngineRates(System.out, threads).run(scale, side);
  }

  private void run(int scale, int side) throws InterruptedException {
    if (scale == 0) {
      lattices(side);
      return;
    }
    long start = System.nanoTime();
    ExecutorGraph graph = BenchmarkGraphs.rmat(scale, 16, 1, true);
    out.printf(
        "rmat %d: %d vertices, %d edges, %.1f s%n",
        scale, graph.vertexCount(), graph.edgeCount(), seconds(start));
    handWritten(graph);
    every("PageRank, hoisted", graph, BenchmarkPrograms.hoistedPageRank(0.85), 20);
    every("PageRank, share kept by hand", graph, BenchmarkPrograms.sharingPageRank(0.85), 20);
    every("PageRank, not hoisted", graph, BenchmarkPrograms.pageRank(0.85), 20);
    for (ProgramInstance program : BenchmarkPrograms.ten()) {
      every(null, graph, program, 5);
    }
    every("PageRank, after ten others", graph, BenchmarkPrograms.hoistedPageRank(0.85), 20);
    long hub = 0;
    GraphPartition partition = graph.partitions().get(0);
    int degree = 0;
    for (int v = 0; v < partition.stored(); v++) {
      if (partition.outDegree(v) > degree) {
        degree = partition.outDegree(v);
        hub = partition.originalId(v);
      }
    }
    converge("rmat SSSP", graph, BenchmarkPrograms.shortestPaths(hub), sssp(false));
    converge("rmat SSSP", graph, BenchmarkPrograms.shortestPaths(hub), sssp(false));
    converge("rmat SSSP in place", graph, BenchmarkPrograms.shortestPaths(hub), sssp(true));
    converge("rmat CC", graph, BenchmarkPrograms.components(), cc(false));
    converge("rmat CC", graph, BenchmarkPrograms.components(), cc(false));
    converge("rmat CC in place", graph, BenchmarkPrograms.components(), cc(true));
    unionFind("rmat CC by union-find", graph);
    lattices(side);
  }

  private void unionFind(String name, ExecutorGraph graph) {
    long[] nanos = new long[5];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = engine.components(graph, threads).kernelNanos();
    }
    report(name, graph.edgeCount(), nanos);
  }

  private void lattices(int side) {
    ExecutorGraph lattice = BenchmarkGraphs.lattice(side, 1);
    out.printf("lattice %d x %d: %d edges%n", side, side, lattice.edgeCount());
    converge("lattice BFS", lattice, BenchmarkPrograms.hops(0), sssp(false));
    converge("lattice BFS", lattice, BenchmarkPrograms.hops(0), sssp(false));
    converge("lattice BFS in place", lattice, BenchmarkPrograms.hops(0), sssp(true));
    converge("lattice SSSP", lattice, BenchmarkPrograms.shortestPaths(0), sssp(false));
    converge("lattice SSSP in place", lattice, BenchmarkPrograms.shortestPaths(0), sssp(true));
    converge("lattice CC", lattice, BenchmarkPrograms.components(), cc(false));
    converge("lattice CC", lattice, BenchmarkPrograms.components(), cc(false));
    converge("lattice CC in place", lattice, BenchmarkPrograms.components(), cc(true));
    unionFind("lattice CC by union-find", lattice);
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private RunSettings sssp(boolean inPlace) {
    return settings(new Object[] {Double.POSITIVE_INFINITY}, null, ActiveDirection.OUT, inPlace);
  }

  private RunSettings cc(boolean inPlace) {
    return settings(new Object[] {Long.MAX_VALUE}, null, ActiveDirection.EITHER, inPlace);
  }

  private RunSettings settings(
      Object[] initial, Object[] empty, ActiveDirection direction, boolean inPlace) {
    return new RunSettings(
        initial,
        empty,
        direction,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        inPlace,
        KernelChoice.AUTO,
        threads,
        null);
  }

  private static List<Columns> attributes(ExecutorGraph graph) {
    List<Columns> tables = new ArrayList<>();
    for (GraphPartition p : graph.partitions()) {
      tables.add(Columns.allocate(List.of(Kind.DOUBLE), p.stored() + p.ghosts()));
    }
    return tables;
  }

  private void every(String name, ExecutorGraph graph, ProgramInstance program, int rounds) {
    Object[] empty = {
      program.program().message().columns().get(0) == Kind.LONG ? (Object) 0L : (Object) 0.0
    };
    RunSettings settings = settings(null, empty, ActiveDirection.OUT, false);
    long[] nanos = new long[rounds];
    try (EngineRun run = engine.open(graph, program, attributes(graph), settings)) {
      run.initialise();
      for (int i = 0; i < rounds; i++) {
        nanos[i] = run.step(new double[0]).nanos();
      }
    }
    if (name != null) {
      report(name, graph.edgeCount(), nanos);
    }
  }

  private void report(String name, long edges, long[] nanos) {
    long first = nanos[0];
    Arrays.sort(nanos);
    long median = nanos[nanos.length / 2];
    out.printf(
        "%-42s first %6.1f ms, median %6.1f ms, best %6.1f ms: %5.0f M edges/s (best %5.0f)%n",
        name,
        first / 1e6,
        median / 1e6,
        nanos[0] / 1e6,
        edges * 1e3 / median,
        edges * 1e3 / nanos[0]);
  }

  private void converge(
      String name, ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
    long edges = 0;
    long dense = 0;
    long denseNanos = 0;
    long sparseNanos = 0;
    SuperstepStats stats;
    long start = System.nanoTime();
    try (EngineRun run = engine.open(graph, program, attributes(graph), settings)) {
      stats = run.initialise();
      long opened = System.nanoTime() - start;
      while (stats.activeVertices() > 0) {
        stats = run.step(stats.aggregates());
        edges += stats.edgesEvaluated();
        if (stats.kernel() == KernelChoice.DENSE) {
          dense++;
          denseNanos += stats.nanos();
        } else {
          sparseNanos += stats.nanos();
        }
      }
      out.printf(
          "%-42s %d supersteps (%d dense, %.2f ms each; sparse %.1f us each), open %.0f ms, total"
              + " %.1f ms, %.0f M edges/s%n",
          name,
          stats.superstep(),
          dense,
          denseNanos / 1e6 / Math.max(1, dense),
          sparseNanos / 1e3 / Math.max(1, stats.superstep() - dense),
          opened / 1e6,
          (System.nanoTime() - start) / 1e6,
          edges * 1e3 / (denseNanos + sparseNanos));
    }
  }

  // ---- the hand-written loop ------------------------------------------------------------------

  private void handWritten(ExecutorGraph graph) throws InterruptedException {
    GraphPartition p = graph.partitions().get(0);
    int n = p.stored();
    double[] share = new double[n];
    double[] rank = new double[n];
    double[] inverse = new double[n];
    Arrays.fill(share, 1.0);
    for (int v = 0; v < n; v++) {
      inverse[v] = p.outDegree(v) == 0 ? 0 : 1.0 / p.outDegree(v);
    }
    int[] offsets = p.inEdges().offsets();
    int[] sources = p.inEdges().neighbours();
    long[] nanos = new long[20];
    for (int i = 0; i < nanos.length; i++) {
      double[] next = new double[n];
      double[] from = share;
      long start = System.nanoTime();
      Thread[] team = new Thread[threads];
      java.util.concurrent.atomic.AtomicInteger taken =
          new java.util.concurrent.atomic.AtomicInteger();
      for (int t = 0; t < threads; t++) {
        team[t] =
            new Thread(
                () -> {
                  for (int b; (b = taken.getAndAdd(1024)) < n; ) {
                    pull(offsets, sources, from, inverse, rank, next, b, Math.min(n, b + 1024));
                  }
                });
        team[t].start();
      }
      for (Thread t : team) {
        t.join();
      }
      nanos[i] = System.nanoTime() - start;
      share = next;
    }
    report("hand-written pull loop", graph.edgeCount(), nanos);
  }

  private static void pull(
      int[] offsets,
      int[] sources,
      double[] share,
      double[] inverse,
      double[] rank,
      double[] next,
      int from,
      int to) {
    for (int v = from; v < to; v++) {
      double sum = 0;
      int end = offsets[v + 1];
      for (int e = offsets[v]; e < end; e++) {
        sum += share[sources[e]];
      }
      double r = 0.15 + 0.85 * sum;
      rank[v] = r;
      next[v] = r * inverse[v];
    }
  }
}
