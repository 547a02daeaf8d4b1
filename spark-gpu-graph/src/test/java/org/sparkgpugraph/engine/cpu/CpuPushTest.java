package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.frame.SharedMerge;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps that push on the CPU engine, against a sequential Pregel. */
@Tag("any-spark")
class CpuPushTest {
  private static final List<Kind> KINDS = List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);

  /** Wakes all threads also for a superstep of a few edges. */
  private final CpuEngine alwaysTogether = new CpuEngine(-1, false);

  private static RunSettings settings(
      Kind kind, MergeAlgebra merge, ActiveDirection direction, KernelChoice kernel, int threads) {
    return new RunSettings(
        new Object[] {merge.identity(kind)},
        null,
        direction,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        true,
        kernel,
        threads,
        null);
  }

  private static void assertPushed(String what, List<SuperstepStats> supersteps) {
    assertThat(supersteps).as(what).hasSizeGreaterThan(1);
    for (SuperstepStats stats : supersteps.subList(1, supersteps.size())) {
      assertThat(stats.kernel()).as(what).isEqualTo(KernelChoice.PUSH);
      assertThat(stats.verticesRun()).as(what).isEqualTo(stats.activeVertices());
    }
  }

  private static void assertValues(
      String what, SimpleGraph graph, EngineRun run, IrPregelOracle oracle) {
    Columns values = run.values(0);
    for (int v = 0; v < graph.ids.length; v++) {
      if (graph.present == null || graph.present[v]) {
        assertThat(values.get(0, v)).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
      }
    }
  }

  private static IrPregelOracle atItsEnd(
      SimpleGraph graph, ProgramInstance program, Columns attributes, RunSettings settings) {
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    // Who hears something is active in Pregel, on a circle for ever: until nothing changes.
    Object[][] before;
    do {
      before = Arrays.stream(oracle.values).map(Object[]::clone).toArray(Object[][]::new);
      oracle.step();
    } while (!Arrays.deepEquals(before, oracle.values));
    return oracle;
  }

  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : KINDS) {
      for (MergeAlgebra merge :
          List.of(MergeAlgebra.MIN, MergeAlgebra.MAX, MergeAlgebra.OR, MergeAlgebra.AND)) {
        if (merge.identity(kind) == null) {
          continue;
        }
        ProgramInstance program = IrPrograms.spreading(merge, kind);
        for (int trial = 0; trial < 4; trial++) {
          Random random = new Random(seed++);
          int vertices = 1 + random.nextInt(trial == 0 ? 5000 : 400);
          boolean holes = trial % 2 == 1;
          SimpleGraph graph =
              RandomSimpleGraphs.of(random, vertices, 1 + trial, trial < 3, holes, 1)
                  .withTransposes();
          ActiveDirection direction = trial == 3 ? ActiveDirection.EITHER : ActiveDirection.OUT;
          KernelChoice kernel = trial == 2 ? KernelChoice.OUTLINED : KernelChoice.AUTO;
          RunSettings settings = settings(kind, merge, direction, kernel, 1 + trial);
          Columns attributes = RandomSimpleGraphs.attributes(random, kind, vertices);
          String what = "seed " + (seed - 1) + ", " + kind + ", " + merge + ", " + settings;
          IrPregelOracle oracle = atItsEnd(graph, program, attributes, settings);
          try (EngineRun run =
              alwaysTogether.open(graph, program, graph.split(attributes), settings)) {
            RunSummary summary =
                SuperstepLoop.run("cpu", run, settings, vertices, List.of(), stats -> {});
            assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
            assertPushed(what, summary.supersteps());
            assertValues(what, graph, run, oracle);
          }
        }
      }
    }
  }

  /** Many threads improve the same few values at once; each must be told to its neighbours. */
  @Test
  void noImprovementIsLostBetweenThreads() {
    int n = 2000;
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = RandomSimpleGraphs.of(random, n, 20, true, false, 1).withTransposes();
      Columns attributes = Columns.allocate(List.of(Kind.LONG), n);
      Arrays.setAll(attributes.longs(0), v -> random.nextLong());
      ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MAX, Kind.LONG);
      RunSettings settings =
          settings(Kind.LONG, MergeAlgebra.MAX, ActiveDirection.OUT, KernelChoice.AUTO, 4);
      IrPregelOracle oracle = atItsEnd(graph, program, attributes, settings);
      try (EngineRun run = alwaysTogether.open(graph, program, graph.split(attributes), settings)) {
        SuperstepLoop.run("cpu", run, settings, n, List.of(), stats -> {});
        assertValues("seed " + seed, graph, run, oracle);
      }
    }
  }

  /** Of all vertices only those with something to say are heard in the first superstep. */
  @Test
  void theFirstSuperstepLeavesOutWhoSendsNothing() {
    int n = 500;
    for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX)) {
      for (Kind kind : KINDS) {
        ProgramInstance program = IrPrograms.spreadingWhatImproves(merge, kind);
        Random random = new Random(3);
        SimpleGraph graph = RandomSimpleGraphs.of(random, n, 2, true, true, 1).withTransposes();
        Columns attributes = Columns.allocate(List.of(kind), n);
        for (int v = 0; v < n; v++) {
          Object value = v % 100 == 3 ? number(kind, v) : merge.identity(kind);
          attributes.set(0, v, value);
        }
        RunSettings settings = settings(kind, merge, ActiveDirection.OUT, KernelChoice.AUTO, 1);
        IrPregelOracle oracle = atItsEnd(graph, program, attributes, settings);
        int spoken = 0;
        for (int e = 0; e < graph.sources.length; e++) {
          int source = graph.sources[e];
          // A vertex that does not exist says its zero.
          spoken += !graph.present[source] || source % 100 == 3 ? 1 : 0;
        }
        try (EngineRun run =
            alwaysTogether.open(graph, program, graph.split(attributes), settings)) {
          RunSummary summary = SuperstepLoop.run("cpu", run, settings, n, List.of(), stats -> {});
          String what = kind + ", " + merge;
          // Later ones may let rows stop early instead.
          assertPushed(what, summary.supersteps().subList(0, 2));
          // What is told to a vertex before its turn is told further in the same superstep.
          assertThat(summary.supersteps().get(1).edgesEvaluated())
              .as(what)
              .isBetween((long) spoken, graph.sources.length - 1L);
          assertValues(what, graph, run, oracle);
        }
      }
    }
  }

  private static Object number(Kind kind, int value) {
    return switch (kind) {
      case INT -> value;
      case LONG -> (long) value;
      case FLOAT -> (float) value;
      default -> (double) value;
    };
  }

  @Test
  void rowsBySourceAreMadeOnceTheyPayAndOnRequest() {
    for (KernelChoice kernel : KernelChoice.values()) {
      int n = 40;
      // Backwards, so that a superstep that pulls in place does not walk the whole path.
      int[] sources = IntStream.range(1, n).toArray();
      int[] destinations = IntStream.range(0, n - 1).toArray();
      long[] ids = IntStream.range(0, n).asLongStream().toArray();
      SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null);
      ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
      Columns attributes = Columns.allocate(List.of(Kind.INT), n);
      Arrays.setAll(attributes.ints(0), v -> v == n - 1 ? 1 : 1000);
      RunSettings settings = settings(Kind.INT, MergeAlgebra.MIN, ActiveDirection.OUT, kernel, 1);
      for (int round = 0; round < 2; round++) {
        try (EngineRun run =
            new CpuEngine().open(graph, program, graph.split(attributes), settings)) {
          RunSummary summary = SuperstepLoop.run("cpu", run, settings, n, List.of(), stats -> {});
          boolean pushed = summary.supersteps().get(1).kernel().pushes();
          assertThat(pushed)
              .as("%s, round %s", kernel, round)
              .isEqualTo(kernel.pushes() || kernel == KernelChoice.AUTO && round == 1);
          assertThat(run.values(0).ints(0)).as("%s", kernel).containsOnly(1);
        }
      }
    }
  }

  @Test
  void anInterruptEndsAPushedSuperstep() {
    int n = 100_000;
    int[] sources = IntStream.range(0, n - 1).toArray();
    int[] destinations = IntStream.range(1, n).toArray();
    long[] ids = IntStream.range(0, n).asLongStream().toArray();
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null).withTransposes();
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    for (int threads = 1; threads < 3; threads++) {
      RunSettings settings =
          settings(Kind.INT, MergeAlgebra.MIN, ActiveDirection.OUT, KernelChoice.PUSH, threads);
      try (EngineRun run =
          new CpuEngine().open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  @Test
  void aRunGoesOnFromASnapshot() {
    int n = 300;
    Random random = new Random(5);
    SimpleGraph graph = RandomSimpleGraphs.of(random, n, 2, false, true, 1).withTransposes();
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.DOUBLE, n);
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.DOUBLE);
    RunSettings settings =
        settings(Kind.DOUBLE, MergeAlgebra.MIN, ActiveDirection.OUT, KernelChoice.AUTO, 2);
    IrPregelOracle oracle = atItsEnd(graph, program, attributes, settings);
    Columns values;
    long[] activity;
    try (EngineRun run = alwaysTogether.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      run.step(new double[0]);
      values = run.values(0);
      activity = run.activity(0);
    }
    try (EngineRun run = alwaysTogether.open(graph, program, graph.split(attributes), settings)) {
      run.restore(1, List.of(values), List.of(activity));
      SuperstepStats stats;
      do {
        stats = run.step(new double[0]);
      } while (stats.activeVertices() > 0);
      assertThat(stats.superstep()).isGreaterThan(2);
      assertValues("restored", graph, run, oracle);
    }
  }

  @Test
  void whatIsMergedIsWhatOneThreadWouldHaveMerged() throws InterruptedException {
    double[] values = new double[4];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    int[] improved = new int[4];
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      int member = t;
      threads[t] =
          new Thread(
              () -> {
                Random random = new Random(member);
                for (int i = 0; i < 200_000; i++) {
                  if (SharedMerge.min(values, i & 3, random.nextDouble())) {
                    improved[member]++;
                  }
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    double[] least = new double[4];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    for (int t = 0; t < threads.length; t++) {
      Random random = new Random(t);
      for (int i = 0; i < 200_000; i++) {
        least[i & 3] = Math.min(least[i & 3], random.nextDouble());
      }
    }
    assertThat(values).containsExactly(least);
    assertThat(Arrays.stream(improved).sum()).isPositive().isLessThan(1000);
  }

  /** As Math.min and Math.max have it: NaN wins, the zeros differ; the same again is no change. */
  @Test
  void theEndsOfFloatingPointMergeAsInJava() {
    double[] ends = {Double.NaN, 0.0, -0.0, 1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    for (double left : ends) {
      for (double right : ends) {
        double[] wide = {left};
        float[] narrow = {(float) left};
        String what = left + ", " + right;
        double least = Math.min(left, right);
        assertThat(SharedMerge.min(wide, 0, right)).as(what).isEqualTo(!same(least, left));
        assertThat(SharedMerge.min(narrow, 0, (float) right))
            .as(what)
            .isEqualTo(!same(least, left));
        assertThat(same(wide[0], least) && same(narrow[0], least)).as(what).isTrue();
        assertThat(SharedMerge.min(wide, 0, right)).as(what).isFalse();
        wide[0] = left;
        narrow[0] = (float) left;
        double most = Math.max(left, right);
        assertThat(SharedMerge.max(wide, 0, right)).as(what).isEqualTo(!same(most, left));
        assertThat(SharedMerge.max(narrow, 0, (float) right)).as(what).isEqualTo(!same(most, left));
        assertThat(same(wide[0], most) && same(narrow[0], most)).as(what).isTrue();
        assertThat(SharedMerge.max(narrow, 0, (float) right)).as(what).isFalse();
      }
    }
  }

  private static boolean same(double a, double b) {
    return Double.doubleToLongBits(a) == Double.doubleToLongBits(b);
  }
}
