package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.run.ActiveDirection.EITHER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps that push, and several of them in one launch, against a sequential Pregel. */
@Tag("any-spark")
@Timeout(300)
class PushTest {
  /**
   * Launches of one block, of a block per multiprocessor and of all, on graphs of some vertices.
   */
  private static final PushSettings SMALL = new PushSettings(1, 20, 1, 1, 7);

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
  }

  private static RunSettings settings(Kind kind, MergeAlgebra merge, KernelChoice kernel) {
    return IrPrograms.settings(merge.identity(kind), kernel);
  }

  /** Every kind and operation; degrees around the sizes of warps and items, hubs, holes. */
  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge :
          List.of(MergeAlgebra.MIN, MergeAlgebra.MAX, MergeAlgebra.OR, MergeAlgebra.AND)) {
        if (merge.identity(kind) == null) {
          continue;
        }
        ProgramInstance program = IrPrograms.spreading(merge, kind);
        try (Device device =
                new EmulatedDevice(
                    EmulatorSettings.defaults().withSeed(seed).withMultiprocessors(1 + seed % 3));
            DeviceEngine engine =
                new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
          for (KernelChoice kernel :
              List.of(KernelChoice.AUTO, KernelChoice.PUSH, KernelChoice.OUTLINED)) {
            Random random = new Random(seed++);
            SimpleGraph graph =
                seed % 2 == 0
                    ? RandomSimpleGraphs.degrees(random, 1000, 0)
                    : RandomSimpleGraphs.of(
                        random, 1 + random.nextInt(400), 2, true, seed % 4 == 1, 1);
            check(engine, program, graph, kind, settings(kind, merge, kernel), random);
          }
        }
      }
    }
  }

  private static void check(
      DeviceEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Kind kind,
      RunSettings settings,
      Random random) {
    int n = graph.ids.length;
    Columns attributes = RandomSimpleGraphs.attributes(random, kind, n);
    IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
    String what = kind + ", " + settings + ", " + n + " vertices";
    try (DeviceRun run =
        engine
            .with(DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL))
            .open(graph, program, graph.split(attributes), settings)) {
      List<SuperstepStats> steps = new ArrayList<>();
      RunSummary summary = SuperstepLoop.run("emulated", run, settings, n, List.of(), steps::add);
      assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (int i = 0; i < steps.size(); i++) {
        assertThat(steps.get(i).superstep()).as(what).isEqualTo(i);
        if (i > 1) {
          KernelChoice wanted =
              settings.kernel() == KernelChoice.PUSH ? KernelChoice.PUSH : KernelChoice.OUTLINED;
          assertThat(steps.get(i).kernel()).as(what).isEqualTo(wanted);
          assertThat(steps.get(i).activeVertices()).as(what).isEqualTo(steps.get(i).verticesRun());
        }
      }
      Columns values = run.values(0);
      for (int v = 0; v < n; v++) {
        if (graph.present == null || graph.present[v]) {
          assertThat(values.get(0, v)).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
        }
      }
    }
  }

  /** What only a missing vertex knows reaches all others: in the first superstep its edges send. */
  @ParameterizedTest
  @EnumSource(
      value = KernelChoice.class,
      names = {"AUTO", "PUSH", "OUTLINED"})
  void missingVerticesSend(KernelChoice kernel) {
    int n = 70;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    boolean[] present = new boolean[n];
    Arrays.fill(present, 1, n, true);
    int[] sources = IntStream.range(0, n - 1).toArray();
    int[] destinations = IntStream.range(1, n).toArray();
    SimpleGraph path = new SimpleGraph(ids, present, sources, destinations, null);
    Columns attributes = Columns.allocate(List.of(Kind.LONG), n);
    Arrays.setAll(attributes.longs(0), v -> v == 0 ? 0 : 100 + v);
    RunSettings settings = settings(Kind.LONG, MergeAlgebra.MIN, kernel);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0));
        DeviceRun run =
            engine.open(
                path,
                IrPrograms.spreading(MergeAlgebra.MIN, Kind.LONG),
                path.split(attributes),
                settings)) {
      SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      long[] values = run.values(0).longs(0);
      assertThat(Arrays.copyOfRange(values, 1, n)).containsOnly(0);
    }
  }

  /** No edge crosses, so nothing is told; but one partition's end is not the run's. */
  @Test
  void partitionsThatShareNoEdgeAllReachTheirEnd() {
    int n = 400;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    // Two paths, 0 … 39 and 40 … 399, each in a partition of its own.
    int[] sources = IntStream.range(0, n - 1).filter(v -> v != 39).toArray();
    int[] destinations = Arrays.stream(sources).map(v -> v + 1).toArray();
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, 40);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.setAll(attributes.ints(0), v -> v == 0 || v == 40 ? v : 1000);
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      for (KernelChoice kernel :
          List.of(KernelChoice.AUTO, KernelChoice.PUSH, KernelChoice.OUTLINED)) {
        RunSettings settings = settings(Kind.INT, MergeAlgebra.MIN, kernel);
        try (DeviceRun run =
            engine
                .with(DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL))
                .open(graph, program, graph.split(attributes), settings)) {
          RunSummary summary =
              SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
          assertThat(summary.stopped()).isEqualTo(RunSummary.Stopped.CONVERGED);
          assertThat(run.values(0).ints(0)).as("%s", kernel).hasSize(40).containsOnly(0);
          assertThat(run.values(1).ints(0)).as("%s", kernel).hasSize(360).containsOnly(40);
        }
      }
    }
  }

  /** Random programs with two buffers, in all directions: each superstep is the CPU engine's. */
  @Test
  void superstepsDoneTogetherAreThoseOfPregel() {
    CpuEngine cpu = new CpuEngine();
    int pushed = 0;
    int counted = 0;
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      IrPrograms.Options options =
          new IrPrograms.Options(
              random.nextBoolean(), random.nextBoolean(), false, false, false, false, false);
      ProgramInstance program = IrPrograms.random(random, options);
      SimpleGraph graph =
          RandomSimpleGraphs.of(
              random, 1 + random.nextInt(300), 1 + random.nextInt(4), true, seed % 3 == 0, 1);
      int n = graph.ids.length;
      Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
      Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
      Arrays.setAll(attributes.ints(1), v -> random.nextInt(100));
      KernelChoice[] kernels = {KernelChoice.OUTLINED, KernelChoice.AUTO, KernelChoice.PUSH};
      RunSettings settings =
          new RunSettings(
              new Object[] {5L, 7},
              null,
              ActiveDirection.values()[seed % 4],
              Gather.ACTIVE,
              9,
              false,
              kernels[seed % 3],
              1,
              null);
      String what = "seed " + seed + ", " + settings + ", " + options;
      try (Device device =
              new EmulatedDevice(
                  EmulatorSettings.defaults().withSeed(seed).withMultiprocessors(1 + seed % 3));
          DeviceEngine engine =
              new DeviceEngine(
                  "emulated", device, DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL));
          EngineRun expected = cpu.open(graph, program, graph.split(attributes), settings);
          DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        RunSummary wanted = SuperstepLoop.run("cpu", expected, settings, n, List.of(), stats -> {});
        RunSummary found = SuperstepLoop.run("emulated", run, settings, n, List.of(), stats -> {});
        assertThat(found.supersteps()).as(what).hasSameSizeAs(wanted.supersteps());
        for (int i = 0; i < found.supersteps().size(); i++) {
          SuperstepStats is = found.supersteps().get(i);
          SuperstepStats should = wanted.supersteps().get(i);
          assertThat(is.verticesRun()).as(what).isEqualTo(should.verticesRun());
          assertThat(is.activeVertices()).as(what).isEqualTo(should.activeVertices());
          if (is.kernel().pulling() == should.kernel()) {
            assertThat(is.edgesEvaluated()).as(what).isEqualTo(should.edgesEvaluated());
            counted += is.kernel().pushes() && settings.activeDirection() == EITHER ? 1 : 0;
          }
          pushed += is.kernel().pushes() ? 1 : 0;
        }
        for (int v = 0; v < n; v++) {
          for (int c = 0; c < 2; c++) {
            if (graph.present == null || graph.present[v]) {
              assertThat(run.values(0).get(c, v))
                  .as("%s: column %s of vertex %s", what, c, v)
                  .isEqualTo(expected.values(0).get(c, v));
            }
          }
        }
      }
    }
    assertThat(pushed).isGreaterThan(15);
    assertThat(counted).as("pushed supersteps of EITHER").isPositive();
  }

  /** Of all vertices only those with something to say are heard in the first superstep. */
  @Test
  void theFirstSuperstepLeavesOutWhoSendsNothing() {
    CpuEngine cpu = new CpuEngine();
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      MergeAlgebra merge = ++seed % 2 == 0 ? MergeAlgebra.MIN : MergeAlgebra.MAX;
      ProgramInstance program = IrPrograms.spreadingWhatImproves(merge, kind);
      assertThat(ImprovingSends.of(program.program())).isPresent();
      for (boolean inPlace : new boolean[] {true, false}) {
        Random random = new Random(seed);
        SimpleGraph graph = RandomSimpleGraphs.of(random, 500, 2, true, inPlace, 1);
        Columns attributes = Columns.allocate(List.of(kind), 500);
        int better = merge == MergeAlgebra.MIN ? -1 : 1;
        for (int v = 0; v < 500; v++) {
          // Missing vertices have zeros, which are as bad as the worst.
          double value = v % 100 == 3 ? better * (1 + random.nextInt(5)) : 0;
          switch (kind) {
            case INT -> attributes.ints(0)[v] = (int) value;
            case LONG -> attributes.longs(0)[v] = (long) value;
            case FLOAT -> attributes.floats(0)[v] = v == 9 ? Float.NaN : (float) value;
            default -> attributes.doubles(0)[v] = v == 9 ? Double.NaN : value;
          }
        }
        RunSettings settings =
            new RunSettings(
                new Object[] {merge.identity(kind)},
                null,
                ActiveDirection.OUT,
                Gather.ACTIVE,
                Integer.MAX_VALUE,
                inPlace,
                KernelChoice.AUTO,
                1,
                null);
        String what = kind + ", in place " + inPlace;
        try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
            DeviceEngine engine =
                new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0));
            EngineRun expected = cpu.open(graph, program, graph.split(attributes), settings);
            DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          RunSummary wanted =
              SuperstepLoop.run("cpu", expected, settings, 500, List.of(), stats -> {});
          RunSummary found =
              SuperstepLoop.run("emulated", run, settings, 500, List.of(), stats -> {});
          SuperstepStats one = found.supersteps().get(1);
          assertThat(one.kernel()).as(what).isEqualTo(KernelChoice.OUTLINED);
          assertThat(one.edgesEvaluated()).as(what).isBetween(1L, 100L);
          if (!inPlace) {
            assertThat(found.supersteps()).as(what).hasSameSizeAs(wanted.supersteps());
            assertThat(one.verticesRun())
                .as(what)
                .isEqualTo(wanted.supersteps().get(1).verticesRun());
          }
          for (int v = 0; v < 500; v++) {
            if (graph.present == null || graph.present[v]) {
              assertThat(run.values(0).get(0, v))
                  .as("%s: vertex %s", what, v)
                  .isEqualTo(expected.values(0).get(0, v));
            }
          }
        }
      }
    }
  }

  /** An edge counts once, whether one of its ends walks it or both do. */
  @Test
  void anEdgeThatBothEndsWalkCountsOnce() {
    int n = 200;
    Random random = new Random(5);
    int[] sources = random.ints(700, 0, n).toArray();
    int[] destinations = Arrays.stream(sources).map(s -> (s + 1 + random.nextInt(9)) % n).toArray();
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    // All different, so that there is something to say over each edge.
    Arrays.setAll(attributes.ints(0), v -> v * 77 % n);
    ProgramInstance program = IrPrograms.spreadingBothWays();
    for (boolean inPlace : new boolean[] {true, false}) {
      RunSettings settings =
          new RunSettings(
              new Object[] {Integer.MAX_VALUE},
              null,
              EITHER,
              Gather.ACTIVE,
              Integer.MAX_VALUE,
              inPlace,
              KernelChoice.OUTLINED,
              1,
              null);
      IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
      oracle.initialise();
      try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withMultiprocessors(2));
          DeviceEngine engine =
              new DeviceEngine(
                  "emulated", device, DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL));
          DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        RunSummary summary = SuperstepLoop.run("emulated", run, settings, n, List.of(), s -> {});
        for (SuperstepStats stats : summary.supersteps().subList(1, summary.supersteps().size())) {
          assertThat(stats.kernel()).isEqualTo(KernelChoice.OUTLINED);
          oracle.step();
          String what = "in place " + inPlace + ", superstep " + stats.superstep();
          if (inPlace) {
            // An edge of which one end is active counts half; of all only the worst says nothing.
            assertThat(stats.edgesEvaluated()).as(what).isLessThanOrEqualTo(oracle.said);
            assertThat(stats.edgesEvaluated()).as(what).isGreaterThan(oracle.said - 20);
            break;
          }
          assertThat(stats.edgesEvaluated())
              .as(what)
              .isEqualTo(stats.superstep() == 1 ? oracle.said : oracle.evaluated);
        }
        assertThat(run.values(0).ints(0)).containsOnly(0);
      }
    }
  }

  /** With large values put off paths come out the same, by fewer edges. */
  @Test
  void whatIsFarIsPutOff() {
    long[] edges = new long[2];
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      SimpleGraph plain = RandomSimpleGraphs.of(random, 400, 5, true, seed % 2 == 0, 1);
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      Arrays.setAll(weights.doubles(0), e -> random.nextInt(100));
      SimpleGraph graph =
          new SimpleGraph(plain.ids, plain.present, plain.sources, plain.destinations, weights);
      Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 400);
      Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
      for (int source = 0; source < 400; source += 100) {
        // Below 0 at one of them: the threshold starts at 0.
        attributes.doubles(0)[source] = 100 - source;
      }
      ProgramInstance program = IrPrograms.shortestPaths();
      RunSettings settings = settings(Kind.DOUBLE, MergeAlgebra.MIN, KernelChoice.OUTLINED);
      IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
      oracle.initialise();
      while (oracle.activeCount > 0) {
        oracle.step();
      }
      for (int bucket = 0; bucket < 2; bucket++) {
        PushSettings how = new PushSettings(1, 20, 1, bucket / 4.0, 5 + seed);
        try (Device device =
                new EmulatedDevice(
                    EmulatorSettings.defaults().withSeed(seed).withMultiprocessors(1 + seed % 3));
            DeviceEngine engine =
                new DeviceEngine(
                    "emulated", device, DeviceSettings.DEFAULT.withReserve(0).withPush(how));
            DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          RunSummary summary =
              SuperstepLoop.run("emulated", run, settings, 400, List.of(), stats -> {});
          for (SuperstepStats stats : summary.supersteps()) {
            edges[bucket] += stats.superstep() > 1 ? stats.edgesEvaluated() : 0;
          }
          for (int v = 0; v < 400; v++) {
            if (graph.present == null || graph.present[v]) {
              assertThat(run.values(0).get(0, v))
                  .as("seed %s, bucket %s: vertex %s", seed, bucket, v)
                  .isEqualTo(oracle.values[v][0]);
            }
          }
        }
      }
    }
    assertThat(edges[1]).as("instead of " + edges[0]).isLessThan(edges[0] * 9 / 10);
  }

  /** Between steps that were done together nothing is known; restoring forgets them. */
  @Test
  void whatWasDoneAheadCannotBeAskedFor() {
    int n = 200;
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null);
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 1);
    attributes.ints(0)[0] = 0;
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine =
            new DeviceEngine(
                "emulated", device, DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL));
        DeviceRun run =
            engine.open(
                graph,
                program,
                graph.split(attributes),
                settings(Kind.INT, MergeAlgebra.MIN, KernelChoice.AUTO))) {
      run.runAhead();
      run.initialise();
      run.step(new double[0]);
      Columns behindOne = Columns.allocate(List.of(Kind.INT), n);
      behindOne.copyFrom(run.values(0), 0, 0, n);
      long[] active = run.activity(0);
      assertThat(run.step(new double[0]).activeVertices()).isEqualTo(1);
      assertThatThrownBy(() -> run.activity(0)).hasMessageContaining("superstep 8 was done ahead");
    }
  }
}
