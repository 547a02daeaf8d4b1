package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps whose rows stop early, on any device: the values are those of a sequential Pregel. */
abstract class EarlyStopsSuite {
  /** All that would gather stop, whatever is active. */
  private static final StopSettings ALWAYS = new StopSettings(0, 0);

  /**
   * Opens devices, or skips the test with the reason.
   *
   * @param seed of the order in which emulated ones run their lanes and blocks
   * @param most how many at most
   * @return at least one
   */
  abstract List<Device> openDevices(int seed, int most);

  static DeviceSettings device(StopSettings stops) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, 20, 1, 1, 7).withStops(stops));
  }

  /** In how many supersteps rows stopped early, and in how many launches of several these were. */
  private record Seen(long stopped, int searches) {}

  /**
   * Degrees around the sizes of warps and of what lanes walk themselves, hubs, holes, ends, and
   * parts of a graph, on one device and on several.
   */
  @Test
  void valuesAreThoseOfASequentialPregel() {
    int seed = 0;
    for (SpreadingCase program : SpreadingCase.programs()) {
      long stopped = 0;
      long searches = 0;
      for (int shape = 0; shape < SpreadingCase.GRAPHS; shape++) {
        Random random = new Random(++seed);
        SimpleGraph graph = SpreadingCase.graph(shape, random);
        Columns values = program.values(graph, random);
        IrPregelOracle oracle =
            IrPregelOracle.ended(graph, program.program(), values, program.settings(1));
        for (StopSettings stops :
            List.of(ALWAYS, StopSettings.DEFAULT, new StopSettings(0.3, 0.01))) {
          String what = program.name() + ", seed " + seed + ", " + stops;
          for (boolean together : stops == ALWAYS ? List.of(true, false) : List.of(true)) {
            DeviceSettings how = device(stops);
            Seen seen =
                run(
                    seed,
                    how.withPush(how.push().withSearches(together)),
                    program,
                    graph,
                    values,
                    oracle,
                    what + (together ? "" : ", a launch each"),
                    step -> {});
            stopped += seen.stopped();
            searches += seen.searches();
            assertThat(seen.searches() == 0 || together).as(what).isTrue();
          }
        }
      }
      assertThat(stopped > 0).as(program.name()).isEqualTo(program.stops());
      assertThat(searches > 0).as(program.name() + " in one launch").isEqualTo(program.stops());
    }
  }

  /**
   * Runs a case and checks its values.
   *
   * @param steps hears of each superstep
   */
  private Seen run(
      int seed,
      DeviceSettings how,
      SpreadingCase program,
      SimpleGraph graph,
      Columns values,
      IrPregelOracle oracle,
      String what,
      Consumer<SuperstepStats> steps) {
    RunSettings settings = program.settings(1);
    List<Device> devices = openDevices(seed, seed % 2 == 0 ? 1 : graph.partitions().size());
    try {
      List<DeviceEngine> engines =
          devices.stream().map(device -> new DeviceEngine("any", device, how)).toList();
      try (DeviceEngine engine = DeviceEngine.over(engines);
          DeviceRun run = engine.open(graph, program.program(), graph.split(values), settings)) {
        SuperstepLoop.run("any", run, settings, graph.ids.length, List.of(), steps::accept);
        oracle.check(run, what);
        return new Seen(run.stopped(), run.searches());
      }
    } finally {
      devices.forEach(Device::close);
    }
  }

  /** A search in which most vertices are reached in one superstep looks at few of the edges. */
  @Test
  void rowsThatHeardTheBoundAreNotWalkedFurther() {
    int n = 4000;
    Random random = new Random(3);
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v <= n / 2; v++) {
      edges.add(new int[] {0, v});
    }
    for (int v = n / 2 + 1; v < n; v++) {
      for (int e = 0; e < 60; e++) {
        edges.add(new int[] {1 + random.nextInt(n / 2), v});
      }
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    SpreadingCase levels = SpreadingCase.programs().get(0);
    Columns values =
        SpreadingCase.column(Kind.INT, n, Integer.MAX_VALUE, v -> v == 0 ? 0 : Double.NaN);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, levels.program(), values, levels.settings(1));
    List<Long> evaluated = new ArrayList<>();
    for (StopSettings stops : List.of(ALWAYS, StopSettings.NEVER)) {
      DeviceSettings how =
          DeviceSettings.DEFAULT.withReserve(0).withPush(PushSettings.DEFAULT.withStops(stops));
      List<Long> steps = new ArrayList<>();
      Seen seen =
          run(
              1,
              how,
              levels,
              graph,
              values,
              oracle,
              stops.toString(),
              step -> steps.add(step.edgesEvaluated()));
      assertThat(seen.stopped() > 0).as(stops.toString()).isEqualTo(stops.stops());
      evaluated.add(steps.stream().mapToLong(Long::longValue).sum());
    }
    assertThat(evaluated.get(0)).as("edges looked at").isLessThan(evaluated.get(1) / 4);
  }

  /** All that are active have one value, but say one thing along edges and another backwards. */
  @Test
  void sidesThatSayDifferentThingsAreAsked() {
    int k = 100;
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < k; v++) {
      edges.add(new int[] {2 * k, k + v});
      edges.add(new int[] {v, k + v});
    }
    SimpleGraph graph = SpreadingCase.graph(2 * k + 1, edges);
    SpreadingCase program = SpreadingCase.of("further backwards");
    Columns values =
        SpreadingCase.column(
            Kind.INT, 2 * k + 1, Integer.MAX_VALUE, v -> v == 2 * k ? 0 : Double.NaN);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, program.program(), values, program.settings(1));
    DeviceSettings how =
        DeviceSettings.DEFAULT.withReserve(0).withPush(PushSettings.DEFAULT.withStops(ALWAYS));
    Seen seen = run(1, how, program, graph, values, oracle, "sides", step -> {});
    assertThat(seen.stopped()).isPositive();
  }

  /** A search follows superstep 0 at once: no run goes further for that than it is to go. */
  @Test
  void aSearchEndsWhereTheRunDoes() {
    SpreadingCase levels = SpreadingCase.of("levels both ways");
    for (int most : new int[] {1, 2, 3, 40, 100}) {
      Searched seen = path(levels, 80, PushSettings.DEFAULT, most, 0);
      for (int v = 0; v < 80; v++) {
        int expected = v <= most ? v : Integer.MAX_VALUE;
        assertThat(seen.values()[v]).as("vertex " + v + " after " + most).isEqualTo(expected);
      }
      assertThat(seen.supersteps()).as("of at most " + most).isEqualTo(Math.min(most, 80));
      // More than a launch has entries for, and so small that fewer blocks take over.
      assertThat(seen.searches()).as("of at most " + most).isEqualTo(1);
    }
  }

  /** All send, and that is more than is pushed: rows are gathered. */
  @Test
  void aSearchWithTooMuchToDoIsNone() {
    SpreadingCase labels = SpreadingCase.of("largest of all behind");
    PushSettings little = new PushSettings(0.01, 512, 16, 32, 512);
    int n = 300;
    List<int[]> edges = new ArrayList<>();
    Random random = new Random(9);
    for (int e = 0; e < 20 * n; e++) {
      edges.add(new int[] {random.nextInt(n), random.nextInt(n)});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    Columns values = SpreadingCase.column(Kind.LONG, n, Long.MIN_VALUE, v -> v);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, labels.program(), values, labels.settings(1));
    List<SuperstepStats> steps = new ArrayList<>();
    DeviceSettings how = DeviceSettings.DEFAULT.withReserve(0).withPush(little);
    run(1, how, labels, graph, values, oracle, "all send", steps::add);
    assertThat(steps.get(1).superstep()).isEqualTo(1);
    assertThat(steps.get(1).kernel()).isEqualTo(KernelChoice.DENSE);
  }

  /** Nobody sends anything, and there is nobody who could. */
  @Test
  void nobodySends() {
    SpreadingCase levels = SpreadingCase.of("levels both ways");
    Searched none = path(levels, 40, PushSettings.DEFAULT, 10, -1);
    assertThat(none.supersteps()).isEqualTo(1);
    assertThat(none.values()).containsOnly(Integer.MAX_VALUE);
    Searched alone = path(levels, 1, PushSettings.DEFAULT, 10, 0);
    assertThat(alone.values()).containsExactly(0);
  }

  /** Values behind a run, how many supersteps behind superstep 0 it had, and how many searches. */
  private record Searched(int[] values, int supersteps, int searches) {}

  /**
   * Levels of a path.
   *
   * @param most supersteps
   * @param first whose level is 0; -1: nobody's
   */
  private Searched path(SpreadingCase levels, int n, PushSettings push, int most, int first) {
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v < n; v++) {
      edges.add(new int[] {v - 1, v});
    }
    SimpleGraph graph = SpreadingCase.graph(n, edges);
    Columns values =
        SpreadingCase.column(Kind.INT, n, Integer.MAX_VALUE, v -> v == first ? 0 : Double.NaN);
    RunSettings settings =
        new RunSettings(
            new Object[] {Integer.MAX_VALUE},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            most,
            true,
            KernelChoice.AUTO,
            1,
            null);
    List<Device> devices = openDevices(1, 1);
    try (DeviceEngine engine =
            new DeviceEngine(
                "any", devices.get(0), DeviceSettings.DEFAULT.withReserve(0).withPush(push));
        DeviceRun run = engine.open(graph, levels.program(), graph.split(values), settings)) {
      RunSummary summary = SuperstepLoop.run("any", run, settings, n, List.of(), step -> {});
      Columns columns = run.values(0);
      int[] found = IntStream.range(0, n).map(v -> (int) columns.get(0, v)).toArray();
      return new Searched(found, summary.supersteps().size() - 1, run.searches());
    } finally {
      devices.forEach(Device::close);
    }
  }
}
