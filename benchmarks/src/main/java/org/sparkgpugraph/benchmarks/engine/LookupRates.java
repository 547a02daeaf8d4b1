package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import scala.collection.mutable.HashMap;

/**
 * Prints what a lookup in a captured array or map costs an edge on the CPU engine: by comparisons,
 * in a table, and none. Arguments are the R-MAT scale (20) and the number of threads (all cores).
 */
public final class LookupRates {
  private static final int ROUNDS = 12;

  private final CpuEngine engine = new CpuEngine();
  private final PrintStream out;
  private final ExecutorGraph graph;
  private final int threads;
  private double without;

  private LookupRates(PrintStream out, ExecutorGraph graph, int threads) {
    this.out = out;
    this.graph = graph;
    this.threads = threads;
  }

  /** Runs all measurements. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int threads =
        args.length > 1 ? Integer.parseInt(args[1]) : Runtime.getRuntime().availableProcessors();
    ExecutorGraph graph = BenchmarkGraphs.rmat(scale, 16, 1, true);
    System.out.printf("rmat %d: %d edges, %d threads%n", scale, graph.edgeCount(), threads);
    new LookupRates(System.out, graph, threads).run();
  }

  /** What is looked up is another thing at every edge, and no function of one end. */
  private void run() {
    report("no lookup", edge -> edge.sendToDst(edge.srcAttr() * (edge.srcId() + edge.dstId())));
    for (int size : new int[] {8, 64, 1024, 1 << 20}) {
      double[] array = new double[size];
      Arrays.setAll(array, i -> i * 0.5);
      int mask = size - 1;
      report(
          "array of " + size,
          edge ->
              edge.sendToDst(edge.srcAttr() * array[(int) (edge.srcId() + edge.dstId()) & mask]));
    }
    for (int size : new int[] {8, 64, 5000, 1_000_000}) {
      HashMap<Long, Double> map = new HashMap<>();
      for (long key = 0; key < size; key++) {
        map.put(key * 3, key * 0.5);
      }
      // Every third key is there, of those that are as large as the largest.
      int mask = Integer.highestOneBit(3 * size - 1) * 2 - 1;
      report(
          "map of " + size,
          edge -> {
            long key = (edge.srcId() + edge.dstId()) & mask;
            edge.sendToDst(edge.srcAttr() * (map.contains(key) ? map.apply(key) : 1.0));
          });
    }
  }

  private void report(String what, SendMessage<Double, Double, Double> send) {
    ProgramInstance program =
        BenchmarkPrograms.lift(
            Double.class,
            Double.class,
            null,
            (id, value, message) -> message * 1e-9,
            send,
            (a, b) -> a + b);
    Object[] empty = {0.0};
    RunSettings settings =
        new RunSettings(
            null,
            empty,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            threads,
            null);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), graph.partitions().get(0).stored());
    Arrays.fill(attributes.doubles(0), 1.0);
    long[] nanos = new long[ROUNDS];
    try (EngineRun run = engine.open(graph, program, List.of(attributes), settings)) {
      run.initialise();
      for (int i = 0; i < nanos.length; i++) {
        nanos[i] = run.step(new double[0]).nanos();
      }
    }
    Arrays.sort(nanos);
    // The best: what else runs on a machine only ever adds to it.
    double edge = (double) nanos[0] * threads / graph.edgeCount();
    without = without == 0 ? edge : without;
    out.printf(
        "%-20s %6.2f ns of a core an edge, %6.2f more than without%n", what, edge, edge - without);
  }
}
