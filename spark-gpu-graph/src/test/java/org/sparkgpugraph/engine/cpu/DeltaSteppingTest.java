package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.DegreeSkew;
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
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Relaxation in order of priority on the CPU engine, against a sequential Pregel. */
@Tag("any-spark")
class DeltaSteppingTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final ProgramInstance PATHS = IrPrograms.shortestPaths();

  /** Rounds of a few items, for which all threads meet. */
  private static PriorityOptions options(int seed, long room) {
    double width = Math.scalb(1.0, 3 * (seed % 7) - 9);
    int fused = seed % 4 == 0 ? 0 : 9;
    return new PriorityOptions(width, seed % 2 == 1, 1 + seed % 3, fused, seed % 3, room);
  }

  /** Runs a program on 1, 2 and 4 threads and compares; returns the supersteps of the last run. */
  private static List<SuperstepStats> check(
      String what,
      PriorityOptions options,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      Object initial) {
    RunSettings first = IrPrograms.settings(initial, KernelChoice.ASYNC, 1);
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, first);
    oracle.initialise();
    Object[][] before;
    do {
      before = Arrays.stream(oracle.values).map(Object[]::clone).toArray(Object[][]::new);
      oracle.step();
    } while (!Arrays.deepEquals(before, oracle.values));
    List<SuperstepStats> steps = List.of();
    for (int threads : new int[] {1, 2, 4}) {
      String which = what + ", " + threads + " threads, " + options;
      RunSettings settings = IrPrograms.settings(initial, KernelChoice.ASYNC, threads);
      try (EngineRun run =
          new CpuEngine(-1, options).open(graph, program, graph.split(attributes), settings)) {
        RunSummary summary =
            SuperstepLoop.run("cpu", run, settings, graph.ids.length, List.of(), stats -> {});
        assertThat(summary.stopped()).as(which).isEqualTo(RunSummary.Stopped.CONVERGED);
        steps = summary.supersteps();
        assertThat(steps.subList(1, steps.size()))
            .as(which)
            .allMatch(stats -> stats.kernel() == KernelChoice.ASYNC);
        Columns values = run.values(0);
        for (int v = 0; v < graph.ids.length; v++) {
          if (graph.present == null || graph.present[v]) {
            assertThat(values.get(0, v))
                .as("%s: vertex %s", which, v)
                .isEqualTo(oracle.values[v][0]);
          }
        }
      }
    }
    return steps;
  }

  private static SimpleGraph weighted(SimpleGraph plain, DoubleSupplier weight) {
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
    Arrays.setAll(weights.doubles(0), e -> weight.getAsDouble());
    return new SimpleGraph(plain.ids, plain.present, plain.sources, plain.destinations, weights)
        .withTransposes();
  }

  private static Columns starts(Random random, int vertices, double others) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), vertices);
    Arrays.fill(attributes.doubles(0), others);
    for (int i = random.nextInt(3); i >= 0; i--) {
      attributes.doubles(0)[random.nextInt(vertices)] = random.nextInt(50);
    }
    return attributes;
  }

  /** Weights of all sizes, and some that are no lengths. */
  private static double weight(Random random, int how) {
    return switch (how % 7) {
      case 0 -> random.nextInt(3);
      case 1 -> 1 + random.nextInt(10_000);
      case 2 -> Math.pow(10, random.nextInt(300));
      case 3 -> random.nextInt(10) == 0 ? INFINITE : random.nextDouble();
      case 4 -> random.nextInt(10) == 0 ? Double.NaN : 1 + random.nextInt(255);
      case 5 -> random.nextInt(4) == 0 ? Double.MAX_VALUE : Double.MIN_VALUE * random.nextInt(9);
      default -> 0;
    };
  }

  /**
   * Negative and huge ids, self-loops, parallel edges, isolated vertices, holes, several starts.
   */
  @Test
  void pathsAreThoseOfPregelToTheBit() {
    for (int seed = 0; seed < 70; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 2, 33, 150, 500}[seed % 5];
      int how = seed;
      SimpleGraph graph =
          weighted(
              RandomSimpleGraphs.of(random, n, 1 + seed % 4, seed % 2 == 0, seed % 3 == 0, 1),
              () -> weight(random, how));
      Columns attributes = starts(random, n, INFINITE);
      check("seed " + seed, options(seed, 0), PATHS, graph, attributes, INFINITE);
    }
  }

  /** What is better than the head is walked with it. No circles: these have no end. */
  @Test
  void negativeWeightsReachBackBehindTheHead() {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      int n = 200;
      int[] sources = random.ints(4 * n, 0, n - 1).toArray();
      int[] destinations = new int[sources.length];
      Arrays.setAll(destinations, e -> sources[e] + 1 + random.nextInt(n - 1 - sources[e]));
      long[] ids = new long[n];
      Arrays.setAll(ids, v -> v - 100);
      SimpleGraph graph =
          weighted(
              new SimpleGraph(ids, null, sources, destinations, null),
              () -> random.nextInt(101) - 50);
      Columns attributes = starts(random, n, INFINITE);
      check("seed " + seed, options(seed, 0), PATHS, graph, attributes, INFINITE);
    }
  }

  @Test
  void ofWidestPathsTheLargestComesFirst() {
    for (int seed = 0; seed < 28; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 40, 300}[seed % 3];
      int how = seed;
      SimpleGraph graph =
          weighted(
              RandomSimpleGraphs.of(random, n, 3, seed % 2 == 0, seed % 4 == 0, 1),
              () -> weight(random, how));
      double none = Double.NEGATIVE_INFINITY;
      Columns attributes = starts(random, n, none);
      attributes.doubles(0)[random.nextInt(n)] = INFINITE;
      check("seed " + seed, options(seed, 0), IrPrograms.widestPaths(), graph, attributes, none);
    }
  }

  /** All vertices begin with values of their own, as labels of components do. */
  @Test
  void everyKindAndOrderReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX)) {
        for (int trial = 0; trial < 4; trial++) {
          Random random = new Random(seed++);
          int n = 1 + random.nextInt(400);
          SimpleGraph graph =
              RandomSimpleGraphs.of(random, n, 1 + trial, trial < 3, trial % 2 == 1, 1)
                  .withTransposes();
          check(
              "seed " + (seed - 1) + ", " + kind + ", " + merge,
              options(seed, 0),
              trial < 2
                  ? IrPrograms.spreading(merge, kind)
                  : IrPrograms.spreadingWhatImproves(merge, kind),
              graph,
              RandomSimpleGraphs.attributes(random, kind, n),
              merge.identity(kind));
        }
      }
    }
  }

  /** As in Math.min NaN is what is least, and comes first. */
  @Test
  void notANumberSpreadsAsTheLeast() {
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.DOUBLE);
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = RandomSimpleGraphs.of(random, 200, 2, true, false, 1).withTransposes();
      Columns attributes = RandomSimpleGraphs.attributes(random, Kind.DOUBLE, 200);
      for (double special : new double[] {Double.NaN, -INFINITE, INFINITE}) {
        attributes.doubles(0)[random.nextInt(200)] = special;
      }
      check("seed " + seed, options(seed, 0), program, graph, attributes, INFINITE);
    }
  }

  /** One thread merges without atomic operations, to the same bits and with the same answer. */
  @Test
  void aloneMergesAreAsTheSharedOnes() {
    double[] all = {Double.NaN, 0.0, -0.0, 1, 7, -INFINITE, INFINITE, Double.MIN_VALUE};
    for (double left : all) {
      for (double right : all) {
        double[][] wide = {{left}, {left}, {left}, {left}};
        float[][] narrow = {{(float) left}, {(float) left}, {(float) left}, {(float) left}};
        long[][] longs = {{(long) left}, {(long) left}, {(long) left}, {(long) left}};
        int[][] ints = {{(int) left}, {(int) left}, {(int) left}, {(int) left}};
        String what = left + ", " + right;
        assertThat(SharedMerge.minAlone(wide[0], 0, right))
            .as(what)
            .isEqualTo(SharedMerge.min(wide[1], 0, right));
        assertThat(SharedMerge.maxAlone(wide[2], 0, right))
            .as(what)
            .isEqualTo(SharedMerge.max(wide[3], 0, right));
        assertThat(SharedMerge.minAlone(narrow[0], 0, (float) right))
            .as(what)
            .isEqualTo(SharedMerge.min(narrow[1], 0, (float) right));
        assertThat(SharedMerge.maxAlone(narrow[2], 0, (float) right))
            .as(what)
            .isEqualTo(SharedMerge.max(narrow[3], 0, (float) right));
        assertThat(SharedMerge.minAlone(longs[0], 0, (long) right))
            .as(what)
            .isEqualTo(SharedMerge.min(longs[1], 0, (long) right));
        assertThat(SharedMerge.maxAlone(longs[2], 0, (long) right))
            .as(what)
            .isEqualTo(SharedMerge.max(longs[3], 0, (long) right));
        assertThat(SharedMerge.minAlone(ints[0], 0, (int) right))
            .as(what)
            .isEqualTo(SharedMerge.min(ints[1], 0, (int) right));
        assertThat(SharedMerge.maxAlone(ints[2], 0, (int) right))
            .as(what)
            .isEqualTo(SharedMerge.max(ints[3], 0, (int) right));
        for (int i = 0; i < 4; i += 2) {
          assertThat(wide[i]).as(what).isEqualTo(wide[i + 1]);
          assertThat(narrow[i]).as(what).isEqualTo(narrow[i + 1]);
          assertThat(longs[i]).as(what).isEqualTo(longs[i + 1]);
          assertThat(ints[i]).as(what).isEqualTo(ints[i + 1]);
        }
      }
    }
  }

  @Test
  void aGraphWithoutVerticesEndsAtOnce() {
    Columns none = Columns.allocate(List.of(Kind.DOUBLE), 0);
    SimpleGraph graph =
        new SimpleGraph(new long[0], null, new int[0], new int[0], none).withTransposes();
    assertThat(check("empty", options(1, 0), PATHS, graph, none, INFINITE)).hasSize(1);
  }

  /** Vertices for whose items there is no room wait for the next superstep. */
  @Test
  void withoutRoomTheRunGoesOnInTheNextSuperstep() {
    Random random = new Random(1);
    SimpleGraph graph =
        weighted(RandomSimpleGraphs.of(random, 2000, 8, true, false, 1), () -> random.nextInt(100));
    Columns attributes = starts(random, 2000, INFINITE);
    List<SuperstepStats> steps =
        check("no room", options(3, 600), PATHS, graph, attributes, INFINITE);
    assertThat(steps).hasSizeGreaterThan(2);
    assertThat(steps.get(1).activeVertices()).isPositive();
  }

  /**
   * An order spares work: a lattice's edges are walked little more than once. By one thread, whose
   * count is always the same: of several, one that the system stops for a while lets others walk
   * behind what it holds, and they walk that again.
   */
  @Test
  void aLatticeIsRelaxedInOrderAndHubsAreNot() {
    int side = 120;
    SimpleGraph lattice = lattice(side);
    Columns corner = corner(side * side);
    List<SuperstepStats> ordered = run(lattice, corner, KernelChoice.AUTO);
    List<SuperstepStats> pushed = run(lattice, corner, KernelChoice.PUSH);
    assertThat(ordered.get(1).kernel()).isEqualTo(KernelChoice.ASYNC);
    assertThat(pushed.get(1).kernel()).isEqualTo(KernelChoice.PUSH);
    long all = lattice.sources.length;
    assertThat(edges(ordered)).isBetween(all, 2 * all).isLessThan(edges(pushed) / 4);
    Random random = new Random(8);
    SimpleGraph hubs = weighted(RandomSimpleGraphs.degrees(random, 3000, 0), () -> 1);
    assertThat(DegreeSkew.of(hubs.partitions().get(0).outEdges())).isGreaterThan(DegreeSkew.HUBS);
    List<SuperstepStats> steps = run(hubs, starts(random, 300, INFINITE), KernelChoice.AUTO);
    assertThat(steps.get(1).kernel()).isEqualTo(KernelChoice.PUSH);
  }

  private static long edges(List<SuperstepStats> steps) {
    return steps.stream().mapToLong(SuperstepStats::edgesEvaluated).sum();
  }

  private static List<SuperstepStats> run(
      SimpleGraph graph, Columns attributes, KernelChoice kernel) {
    RunSettings settings = IrPrograms.settings(INFINITE, kernel, 1);
    try (EngineRun run = new CpuEngine().open(graph, PATHS, graph.split(attributes), settings)) {
      // The figure that decided is told, before and behind the run.
      assertThat(new CpuEngine().describeChoices(graph, PATHS.program(), settings))
          .isEqualTo(kernel == KernelChoice.AUTO ? run.notes() : List.of());
      assertThat(run.notes())
          .singleElement()
          .asString()
          .contains(kernel == KernelChoice.AUTO ? " times the mean length, " : "in supersteps");
      return SuperstepLoop.run("cpu", run, settings, graph.ids.length, List.of(), stats -> {})
          .supersteps();
    }
  }

  private static Columns corner(int vertices) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), vertices);
    Arrays.fill(attributes.doubles(0), 1, vertices, INFINITE);
    return attributes;
  }

  /** Edges from each vertex to its four neighbours, weights 1 … 255. */
  private static SimpleGraph lattice(int side) {
    int n = side * side;
    int across = 2 * side * (side - 1);
    int[] sources = new int[2 * across];
    int[] destinations = new int[2 * across];
    int e = 0;
    for (int v = 0; v < n; v++) {
      for (int next : new int[] {v % side + 1 < side ? v + 1 : n, v + side}) {
        if (next < n) {
          sources[e] = v;
          destinations[e++] = next;
          sources[e] = next;
          destinations[e++] = v;
        }
      }
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    Random random = new Random(side);
    return weighted(
        new SimpleGraph(ids, null, sources, destinations, null), () -> 1 + random.nextInt(255));
  }

  @Test
  void explainTellsWhenAnOrderIsTaken() {
    CpuEngine engine = new CpuEngine();
    assertThat(
            engine.describe(PATHS.program(), IrPrograms.settings(INFINITE, KernelChoice.AUTO, 1)))
        .contains("in order of priority", "unless edges begin at hubs, in rows of 8.0 times");
    ProgramInstance labels = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    assertThat(engine.describe(labels.program(), IrPrograms.settings(0, KernelChoice.AUTO, 1)))
        .doesNotContain("priority");
    assertThat(engine.describe(labels.program(), IrPrograms.settings(0, KernelChoice.ASYNC, 1)))
        .endsWith("in order of priority without supersteps (delta-stepping)");
  }

  @Test
  void anInterruptEndsARelaxation() {
    int side = 300;
    SimpleGraph lattice = lattice(side);
    Columns corner = corner(side * side);
    for (int threads = 1; threads < 4; threads++) {
      RunSettings settings = IrPrograms.settings(INFINITE, KernelChoice.ASYNC, threads);
      try (EngineRun run = new CpuEngine().open(lattice, PATHS, lattice.split(corner), settings)) {
        run.initialise();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }
}
