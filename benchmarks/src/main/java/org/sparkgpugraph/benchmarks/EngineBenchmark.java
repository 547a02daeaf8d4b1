package org.sparkgpugraph.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkgpugraph.engine.ActiveDirection;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.graph.memory.Columns;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * The CPU engine alone, without Spark: one PageRank iteration, and whole runs of many short
 * supersteps on a lattice. {@link EngineRates} prints the same as rates, beside a hand-written
 * loop.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class EngineBenchmark {

  /** An open PageRank run over a scrambled R-MAT graph. */
  @State(Scope.Benchmark)
  public static class PageRank {
    /** Binary logarithm of the number of vertices; 16 edges per vertex. */
    @Param("20")
    public int scale;

    /** Whether ten other programs ran in the same JVM before. */
    @Param({"false", "true"})
    public boolean afterOthers;

    private EngineRun run;

    /** Builds the graph and opens the run. */
    @Setup(Level.Trial)
    public void open() {
      ExecutorGraph graph = BenchmarkGraphs.rmat(scale, 16, 1, true);
      if (afterOthers) {
        for (ProgramInstance other : BenchmarkPrograms.ten()) {
          try (EngineRun opened = everyVertex(graph, other)) {
            opened.initialise();
            for (int i = 0; i < 5; i++) {
              opened.step(new double[0]);
            }
          }
        }
      }
      run = everyVertex(graph, BenchmarkPrograms.hoistedPageRank(0.85));
      run.initialise();
    }

    /** Closes the run. */
    @TearDown(Level.Trial)
    public void close() {
      run.close();
    }
  }

  /** A lattice with a program that needs about 2 · side supersteps. */
  @State(Scope.Benchmark)
  public static class Lattice {
    /** Vertices along one side. */
    @Param("1000")
    public int side;

    private ExecutorGraph graph;

    /** Builds the graph. */
    @Setup(Level.Trial)
    public void build() {
      graph = BenchmarkGraphs.lattice(side, 1);
    }
  }

  private static RunSettings settings(Object[] initial, Object[] empty, ActiveDirection direction) {
    return new RunSettings(
        initial,
        empty,
        direction,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        false,
        KernelChoice.AUTO,
        Runtime.getRuntime().availableProcessors(),
        null);
  }

  private static EngineRun everyVertex(ExecutorGraph graph, ProgramInstance program) {
    boolean isLong = program.program().message().columns().get(0) == Kind.LONG;
    Object[] empty = {isLong ? (Object) 0L : (Object) 0.0};
    return new CpuEngine()
        .open(graph, program, attributes(graph), settings(null, empty, ActiveDirection.OUT));
  }

  private static List<Columns> attributes(ExecutorGraph graph) {
    return graph.partitions().stream()
        .map(p -> Columns.allocate(List.of(Kind.DOUBLE), p.stored() + p.ghosts()))
        .toList();
  }

  /** One iteration over all edges. */
  @Benchmark
  public SuperstepStats pageRankIteration(PageRank state) {
    return state.run.step(new double[0]);
  }

  /** Hops from a corner: about 2 · side supersteps with a frontier of at most side vertices. */
  @Benchmark
  public int latticeHops(Lattice state) {
    return converge(
        state.graph,
        BenchmarkPrograms.hops(0),
        settings(new Object[] {Double.POSITIVE_INFINITY}, null, ActiveDirection.OUT));
  }

  /** Weighted shortest paths from a corner, without in-place updates. */
  @Benchmark
  public int latticeShortestPaths(Lattice state) {
    return converge(
        state.graph,
        BenchmarkPrograms.shortestPaths(0),
        settings(new Object[] {Double.POSITIVE_INFINITY}, null, ActiveDirection.OUT));
  }

  private static int converge(ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
    try (EngineRun run = new CpuEngine().open(graph, program, attributes(graph), settings)) {
      SuperstepStats stats = run.initialise();
      while (stats.activeVertices() > 0) {
        stats = run.step(stats.aggregates());
      }
      return stats.superstep();
    }
  }
}
