package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;
import static org.sparkgpugraph.run.KernelChoice.AUTO;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Relaxation without supersteps, against a sequential Pregel, on any device. */
abstract class AsyncSuite {
  /** Three blocks, the smallest blocks of the pool, and no more of these than there must be. */
  static final AsyncSettings SMALL =
      AsyncSettings.DEFAULT.withBlocks(3).withPool(5, 1).withPatience(200_000);

  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  static RunSettings settings(Kind kind, MergeAlgebra merge, KernelChoice kernel) {
    return IrPrograms.settings(merge.identity(kind), kernel);
  }

  static DeviceSettings device(AsyncSettings async) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, 20, 1, 1, 7).withAsync(async));
  }

  /** Every kind and operation; degrees around the sizes of warps and items, hubs, holes. */
  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX)) {
        ProgramInstance program = IrPrograms.spreading(merge, kind);
        try (Device device = openDevice(seed);
            DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL))) {
          for (int graphs = 0; graphs < 2; graphs++) {
            Random random = new Random(seed++);
            SimpleGraph graph =
                seed % 2 == 0
                    ? RandomSimpleGraphs.degrees(random, 3000, -400)
                    : RandomSimpleGraphs.of(
                        random, 1 + random.nextInt(400), 2, true, seed % 4 == 1, 1);
            Columns attributes = RandomSimpleGraphs.attributes(random, kind, graph.ids.length);
            check(engine, program, graph, attributes, settings(kind, merge, ASYNC));
          }
        }
      }
    }
  }

  /** Paths with weights 0 to 99 from several ends, negative ids, zero weights, in every width. */
  @Test
  void pathsAreTheSameWhateverTheBuckets() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 2, 33, 700}[seed % 4];
      SimpleGraph graph = weighted(RandomSimpleGraphs.of(random, n, 5, true, seed > 4, 1), random);
      AsyncSettings how =
          SMALL
              .withBlocks(2 + seed % 3)
              .withTaken(1 + seed % 4)
              .withWidth(Math.scalb(1.0, 3 * seed - 8), seed % 2 == 0);
      try (Device device = openDevice(seed);
          DeviceEngine engine = new DeviceEngine("emulated", device, device(how))) {
        RunSettings settings = settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
        check(engine, IrPrograms.shortestPaths(), graph, starts(n), settings);
      }
    }
  }

  /** All goes into the last bucket, which has no room for it. */
  @Test
  void whatAFullPoolDoesNotTakeIsLeftToTheNextLaunch() {
    Random random = new Random(1);
    SimpleGraph graph = weighted(RandomSimpleGraphs.of(random, 5000, 8, true, false, 1), random);
    AsyncSettings how = SMALL.withBlocks(2).withTaken(1).withWidth(Math.scalb(1.0, -20), false);
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(how))) {
      RunSettings settings = settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
      List<SuperstepStats> steps =
          check(engine, IrPrograms.shortestPaths(), graph, starts(5000), settings);
      assertThat(steps.get(2).activeVertices()).isPositive();
      assertThat(steps).hasSizeGreaterThan(3);
    }
  }

  static SimpleGraph weighted(SimpleGraph plain, Random random) {
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
    Arrays.setAll(weights.doubles(0), e -> random.nextInt(100));
    return new SimpleGraph(plain.ids, plain.present, plain.sources, plain.destinations, weights);
  }

  /** Distances at first: some vertices are ends. */
  static Columns starts(int n) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    for (int end = 0; end < n; end += 100) {
      attributes.doubles(0)[end] = 100 - end;
    }
    return attributes;
  }

  /** Labels go both ways, and a hub of 100 000 edges is walked in parts. */
  @Test
  void labelsGoBothWaysOverAHub() {
    int n = 500;
    Random random = new Random(3);
    int m = 100_000;
    int[] sources = new int[m + n];
    int[] destinations = new int[m + n];
    for (int e = 0; e < m; e++) {
      sources[e] = 77;
      destinations[e] = random.nextInt(n / 2);
    }
    for (int v = 0; v < n; v++) {
      sources[m + v] = v;
      destinations[m + v] = v / 2 * 2;
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 5L * v - 1000);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.setAll(attributes.ints(0), v -> (v * 77 + 5) % n);
    RunSettings settings =
        new RunSettings(
            new Object[] {Integer.MAX_VALUE},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            true,
            ASYNC,
            1,
            null);
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL))) {
      check(engine, IrPrograms.spreadingBothWays(), graph, attributes, settings);
    }
  }

  /** What it does and why is told before it runs. */
  @Test
  void explainSaysWhetherAndWhy() {
    ProgramInstance paths = IrPrograms.shortestPaths();
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL.withAfter(20)))) {
      assertThat(engine.describe(paths.program(), settings(Kind.DOUBLE, MergeAlgebra.MIN, AUTO)))
          .contains("asynchronously in order of priority behind 20 supersteps");
      assertThat(engine.describe(paths.program(), settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC)))
          .contains("asynchronously in order of priority (forced)");
      ProgramInstance bits = IrPrograms.spreading(MergeAlgebra.OR, Kind.INT);
      assertThat(engine.describe(bits.program(), settings(Kind.INT, MergeAlgebra.OR, ASYNC)))
          .contains("pushes into values")
          .doesNotContain("asynchronously");
    }
  }

  /** A program that is no minimum or maximum runs as if outlined supersteps were asked for. */
  @Test
  void whatHasNoPriorityIsOutlined() {
    int n = 100;
    SimpleGraph path = path(n);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    attributes.ints(0)[0] = 6;
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL));
        DeviceRun run =
            engine.open(
                path,
                IrPrograms.spreading(MergeAlgebra.OR, Kind.INT),
                path.split(attributes),
                settings(Kind.INT, MergeAlgebra.OR, ASYNC))) {
      RunSummary summary =
          SuperstepLoop.run(
              "emulated",
              run,
              settings(Kind.INT, MergeAlgebra.OR, ASYNC),
              n,
              List.of(),
              step -> {});
      assertThat(run.values(0).ints(0)).containsOnly(6);
      assertThat(summary.supersteps().get(5).kernel()).isEqualTo(KernelChoice.OUTLINED);
    }
  }

  static SimpleGraph path(int n) {
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  static List<SuperstepStats> check(
      DeviceEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int n = graph.ids.length;
    IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
    String what = settings + ", " + n + " vertices";
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      RunSummary summary = SuperstepLoop.run("emulated", run, settings, n, List.of(), steps::add);
      assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (SuperstepStats stats : steps.subList(Math.min(2, steps.size()), steps.size())) {
        assertThat(stats.kernel()).as(what).isEqualTo(ASYNC);
      }
      oracle.check(run, what);
    }
    return steps;
  }
}
