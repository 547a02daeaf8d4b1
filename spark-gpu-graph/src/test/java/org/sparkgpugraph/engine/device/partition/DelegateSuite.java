package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.sparkgpugraph.run.KernelChoice.AUTO;
import static org.sparkgpugraph.run.KernelChoice.DELEGATED;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps whose messages servers merge, against a sequential Pregel, on any device. */
abstract class DelegateSuite {
  /**
   * The smallest rings, so that they are full and begin anew all the time, and every message alone.
   */
  static final DelegateSettings SMALL =
      DelegateSettings.DEFAULT.withBlocks(4).withRing(64).withCombines(false).withShare(1);

  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  static DeviceSettings device(DelegateSettings delegate) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, 20, 1, 1, 7).withDelegate(delegate));
  }

  static RunSettings settings(Object[] initial, int iterations, KernelChoice kernel) {
    return settings(initial, ActiveDirection.OUT, iterations, kernel);
  }

  static RunSettings settings(
      Object[] initial, ActiveDirection direction, int iterations, KernelChoice kernel) {
    return new RunSettings(
        initial, null, direction, Gather.ACTIVE, iterations, false, kernel, 1, null);
  }

  static RunSettings routes() {
    return settings(RecordPrograms.nothing(RecordPrograms.ROUTE), Integer.MAX_VALUE, DELEGATED);
  }

  /** Routes from some vertices, as many servers as there may be, and locks instead of them. */
  @Test
  void routesAreThoseOfPregel() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 33, 300, 700}[seed % 4];
      SimpleGraph graph = RandomSimpleGraphs.of(random, n, 5, true, seed > 4, 1);
      DelegateSettings how =
          SMALL.withBlocks(2 + seed % 4).withServers(seed % 4).withCombines(seed % 3 == 0);
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, device(seed == 7 ? how.withLocks() : how))) {
        check(seed, engine, RecordPrograms.routes(), graph, starts(n), routes());
      }
    }
  }

  /** Where a rule has servers merge, by the length of rows, and where rows are shorter. */
  @Test
  void serversMergeWhereARuleSaysSo() {
    Random random = new Random(5);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 300, 5, true, false, 1);
    RunSettings auto =
        settings(RecordPrograms.nothing(RecordPrograms.ROUTE), Integer.MAX_VALUE, AUTO);
    try (Device device = openDevice(5);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL.withReach(1)))) {
      check(5, engine, RecordPrograms.routes(), graph, starts(300), auto);
      assertThat(engine.describeChoices(graph, RecordPrograms.routes().program(), auto))
          .anyMatch(line -> line.startsWith("pushes to blocks that merge: an active edge ends in"));
      assertThat(
              engine
                  .with(device(SMALL.withReach(1000)))
                  .describeChoices(graph, RecordPrograms.routes().program(), auto))
          .anyMatch(line -> line.startsWith("gathers, no blocks merge: an active edge ends in a"));
      DeviceEngine never = engine.with(device(SMALL.withReach(1).withShare(0)));
      assertThat(never.describeChoices(graph, RecordPrograms.routes().program(), auto))
          .anyMatch(line -> line.startsWith("supersteps push up to 0 active vertices and edges"));
      ProgramInstance program = RecordPrograms.routes();
      try (EngineRun run = never.open(graph, program, graph.split(starts(300)), auto)) {
        RunSummary all = SuperstepLoop.run("emulated", run, auto, 300, List.of(), step -> {});
        assertThat(all.supersteps()).noneMatch(stats -> stats.kernel() == DELEGATED);
      }
    }
  }

  /** A rule asks for kernels that nothing can compile: the others do. */
  @Test
  void withoutACompilerForServersRowsAreGathered() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(6), 300, 5, true, false, 1);
    RunSettings auto =
        settings(RecordPrograms.nothing(RecordPrograms.ROUTE), Integer.MAX_VALUE, AUTO);
    try (Device device = openDevice(6)) {
      Device without =
          DeviceProxies.editing(
              device,
              text -> {
                if (text.contains("sgg/delegate.cuh")) {
                  throw new CompilerUnavailableException("no compiler was found");
                }
                return text;
              });
      try (DeviceEngine engine =
          new DeviceEngine("emulated", without, device(SMALL.withReach(1)))) {
        ProgramInstance program = RecordPrograms.routes();
        IrPregelOracle oracle = new IrPregelOracle(graph, program, starts(300), auto);
        oracle.initialise();
        while (oracle.activeCount > 0) {
          oracle.step();
        }
        try (EngineRun run = engine.open(graph, program, graph.split(starts(300)), auto)) {
          RunSummary all = SuperstepLoop.run("emulated", run, auto, 300, List.of(), step -> {});
          assertThat(all.supersteps()).noneMatch(stats -> stats.kernel() == DELEGATED);
          for (int v = 0; v < 300; v++) {
            assertThat(run.values(0).get(0, v)).isEqualTo(oracle.values[v][0]);
          }
        }
      }
    }
  }

  /** Routes so far: some vertices are ends of their own. */
  static Columns starts(int n) {
    Columns attributes = Columns.allocate(Collections.nCopies(RecordPrograms.ROUTE, Kind.LONG), n);
    for (int v = 0; v < n; v++) {
      attributes.longs(0)[v] = v % 50 == 0 ? v : Long.MAX_VALUE;
      attributes.longs(4)[v] = 7L * v + 1;
    }
    return attributes;
  }

  /** Random programs in all directions, with one and two sides, that read the superstep or not. */
  @Test
  void randomProgramsAreThoseOfPregel() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      IrPrograms.Options options =
          new IrPrograms.Options(
              true, random.nextBoolean(), seed % 3 > 0, false, false, seed % 4 == 3, false);
      ProgramInstance program = IrPrograms.random(random, options);
      SimpleGraph graph =
          RandomSimpleGraphs.of(
              random, 1 + random.nextInt(300), 1 + random.nextInt(4), true, seed % 3 == 0, 1);
      int n = graph.ids.length;
      Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
      Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
      Arrays.setAll(attributes.ints(1), v -> random.nextInt(100));
      RunSettings settings =
          settings(new Object[] {5L, 7}, ActiveDirection.values()[seed % 4], 9, DELEGATED);
      try (Device device = openDevice(seed);
          DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL))) {
        check(seed, engine, program, graph, attributes, settings);
      }
    }
  }

  /** Lists of the best three; messages of one word, and as long as warps have room for. */
  @Test
  void messagesMayBeShortAndLong() {
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      int columns = new int[] {3, 1, 8, 19}[seed];
      ProgramInstance program =
          seed == 0 ? RecordPrograms.topThree() : RecordPrograms.sums(columns);
      SimpleGraph graph = RandomSimpleGraphs.of(random, 200, 6, true, false, 1);
      DelegateSettings how = seed == 1 ? SMALL.withStaged(32) : SMALL;
      try (Device device = openDevice(seed);
          DeviceEngine engine = new DeviceEngine("emulated", device, device(how))) {
        RunSettings settings = settings(RecordPrograms.nothing(columns), 6, DELEGATED);
        check(seed, engine, program, graph, numbers(random, 200), settings);
      }
    }
  }

  /** Values that are overwritten while others read them end where the CPU engine's do. */
  @Test
  void valuesInPlaceEndWhereTheyShould() {
    Random random = new Random(6);
    SimpleGraph graph =
        AsyncSuite.weighted(RandomSimpleGraphs.of(random, 500, 5, true, true, 1), random);
    ProgramInstance program = IrPrograms.shortestPaths();
    RunSettings settings = IrPrograms.settings(Double.POSITIVE_INFINITY, DELEGATED);
    Columns starts = AsyncSuite.starts(500);
    try (Device device = openDevice(6);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL));
        EngineRun expected = new CpuEngine().open(graph, program, graph.split(starts), settings);
        DeviceRun run = engine.open(graph, program, graph.split(starts), settings)) {
      SuperstepLoop.run("cpu", expected, settings, 500, List.of(), step -> {});
      RunSummary found = SuperstepLoop.run("emulated", run, settings, 500, List.of(), step -> {});
      assertThat(found.supersteps().get(2).kernel()).isEqualTo(DELEGATED);
      assertThat(found.supersteps().get(2).edgesEvaluated()).isPositive();
      for (int v = 0; v < 500; v++) {
        if (graph.present[v]) {
          assertThat(run.values(0).doubles(0)[v])
              .as("vertex %s", v)
              .isEqualTo(expected.values(0).doubles(0)[v]);
        }
      }
    }
  }

  /** Tables of counts, arrays that lanes share where rows are gathered, against the CPU engine. */
  @Test
  void tablesOfCountsAreThoseOfTheCpu() {
    Random random = new Random(4);
    SimpleGraph graph = contended(random, 3000, 20);
    Columns values = numbers(random, graph.ids.length);
    ProgramInstance program = RecordPrograms.counts();
    RunSettings settings = settings(new Object[] {new int[8]}, 5, DELEGATED);
    try (Device device = openDevice(4);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL));
        EngineRun expected = new CpuEngine().open(graph, program, graph.split(values), settings);
        DeviceRun run = engine.open(graph, program, graph.split(values), settings)) {
      int n = graph.ids.length;
      SuperstepLoop.run("cpu", expected, settings, n, List.of(), step -> {});
      RunSummary found = SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      assertThat(found.supersteps().get(2).kernel()).isEqualTo(DELEGATED);
      assertThat(found.supersteps().get(2).edgesEvaluated()).isGreaterThan(1000);
      assertThat(run.values(0).longs(0)).isEqualTo(expected.values(0).longs(0));
    }
  }

  /** Sums of floating point depend on the order, by rounding and no more. */
  @Test
  void floatingSumsDifferByRoundingAlone() {
    Random random = new Random(5);
    SimpleGraph graph = contended(random, 3000, 7);
    int n = graph.ids.length;
    Columns values = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.setAll(values.doubles(0), v -> random.nextDouble());
    ProgramInstance program = RecordPrograms.means();
    RunSettings settings = settings(new Object[] {0.0, 0L}, 4, DELEGATED);
    try (Device device = openDevice(5);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL));
        EngineRun expected = new CpuEngine().open(graph, program, graph.split(values), settings);
        DeviceRun run = engine.open(graph, program, graph.split(values), settings)) {
      SuperstepLoop.run("cpu", expected, settings, n, List.of(), step -> {});
      RunSummary found = SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      assertThat(found.supersteps().get(2).kernel()).isEqualTo(DELEGATED);
      assertThat(found.supersteps().get(2).edgesEvaluated()).isGreaterThan(1000);
      for (int v = 0; v < n; v++) {
        double should = expected.values(0).doubles(0)[v];
        assertThat(run.values(0).doubles(0)[v])
            .as("vertex %s", v)
            .isCloseTo(should, within(1e-12 * Math.abs(should)));
      }
    }
  }

  static Columns numbers(Random random, int n) {
    Columns numbers = Columns.allocate(List.of(Kind.LONG), n);
    Arrays.setAll(numbers.longs(0), v -> random.nextLong());
    return numbers;
  }

  /** All edges end at one vertex, then at as many as there are locks and more. */
  @Test
  void contentionIsNoMatterOfResults() {
    int seed = 0;
    for (int receivers : new int[] {1, 2, 40, 9000}) {
      DelegateSettings one = SMALL.withServers(1);
      for (DelegateSettings how : List.of(one, one.withCombines(true), SMALL.withLocks())) {
        Random random = new Random(seed++);
        SimpleGraph graph = contended(random, 2000, receivers);
        int n = graph.ids.length;
        try (Device device = openDevice(seed);
            DeviceEngine engine = new DeviceEngine("emulated", device, device(how))) {
          RunSettings settings = settings(RecordPrograms.nothing(5), 3, DELEGATED);
          Columns values = numbers(random, n);
          long sent = check(seed, engine, RecordPrograms.sums(5), graph, values, settings);
          assertThat(sent).as("edges of active senders").isGreaterThan(1000);
        }
      }
    }
  }

  /**
   * A thousand senders with so many edges to so many receivers, which come first, and one edge each
   * from another sender, by which about half of them stay active.
   */
  static SimpleGraph contended(Random random, int contending, int receivers) {
    int n = receivers + 1000;
    int edges = contending + 1000;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    Columns values = Columns.allocate(List.of(Kind.LONG), edges);
    for (int e = 0; e < edges; e++) {
      sources[e] = receivers + random.nextInt(1000);
      destinations[e] = e < contending ? random.nextInt(receivers) : receivers + e - contending;
      values.longs(0)[e] = random.nextInt(100);
    }
    return new SimpleGraph(ids, null, sources, destinations, values);
  }

  /** A fault of the merge function is told as elsewhere: with the vertex and what was thrown. */
  @Test
  void aFaultInsideOfAMergeIsToldWithItsVertex() {
    SimpleGraph graph = contended(new Random(1), 1000, 3);
    for (DelegateSettings how : List.of(SMALL, SMALL.withCombines(true), SMALL.withLocks())) {
      try (Device device = openDevice(0);
          DeviceEngine engine = new DeviceEngine("emulated", device, device(how));
          DeviceRun run =
              engine.open(
                  graph,
                  RecordPrograms.limited(100),
                  graph.split(numbers(new Random(2), graph.ids.length)),
                  settings(RecordPrograms.nothing(2), 5, DELEGATED))) {
        run.initialise();
        assertThatThrownBy(
                () -> {
                  for (int step = 0; step < 3; step++) {
                    run.step(new double[0]);
                  }
                })
            .isInstanceOf(ProgramFault.class)
            .hasMessageContaining("too many")
            .hasMessageContaining("vertex 0");
      }
    }
  }

  /** What it does is told before it runs; what keeps the first message is not merged so. */
  @Test
  void explainSaysWhetherItIsDone() {
    RunSettings pairs = settings(new Object[] {1L, 2L}, 5, DELEGATED);
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, device(SMALL))) {
      DeviceEngine locking = engine.with(device(SMALL.withLocks()));
      assertThat(engine.describe(RecordPrograms.routes().program(), routes()))
          .contains("pushes to blocks that merge (forced), up to 7 supersteps a launch");
      assertThat(locking.describe(RecordPrograms.routes().program(), routes()))
          .contains("into slots under locks of receivers (forced)");
      ProgramInstance first = IrPrograms.ordered(IrPrograms.OrderedMerge.FIRST);
      assertThat(engine.describe(first.program(), pairs)).contains("never pushes");
      ProgramInstance wide = RecordPrograms.sums(20);
      assertThat(
              engine.describe(wide.program(), settings(RecordPrograms.nothing(20), 5, DELEGATED)))
          .contains("into slots by atomic operations")
          .doesNotContain("merge (forced)");
    }
  }

  /** Returns the edges that were pushed over. */
  static long check(
      int seed,
      DeviceEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int n = graph.ids.length;
    String what = "seed " + seed + ", " + settings + ", " + n + " vertices";
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      RunSummary summary = SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      List<SuperstepStats> steps = summary.supersteps();
      long pushed = 0;
      for (SuperstepStats stats : steps.subList(1, steps.size())) {
        oracle.step();
        String step = what + ", superstep " + stats.superstep();
        assertThat(stats.verticesRun()).as(step).isEqualTo(oracle.ran);
        assertThat(stats.activeVertices()).as(step).isEqualTo(oracle.activeCount);
        if (stats.superstep() > 1) {
          assertThat(stats.kernel()).as(step).isEqualTo(DELEGATED);
          pushed += stats.edgesEvaluated();
        }
        if (stats.superstep() > 1 && graph.present == null) {
          assertThat(stats.edgesEvaluated()).as(step).isEqualTo(oracle.evaluated);
        }
      }
      assertThat(oracle.activeCount == 0 || steps.size() > settings.maxIterations())
          .as(what + ": it ends where Pregel does")
          .isTrue();
      for (int c = 0; c < program.program().state().columns().size(); c++) {
        for (int v = 0; v < n; v++) {
          if (graph.present == null || graph.present[v]) {
            assertThat(run.values(0).get(c, v))
                .as("%s: column %s of vertex %s", what, c, v)
                .isEqualTo(oracle.values[v][c]);
          }
        }
      }
      return pushed;
    }
  }
}
