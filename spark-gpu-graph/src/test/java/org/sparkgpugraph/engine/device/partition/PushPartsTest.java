package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Partitions that exchange push too, on one, two and four devices, against sequential Pregel. */
@Tag("any-spark")
@Timeout(300)
class PushPartsTest {
  /** Pushes whatever the work; launches of several supersteps, and such as end early. */
  private static final PushSettings SMALL = new PushSettings(1, 20, 1, 1, 7);

  private static final List<Device> DEVICES = new ArrayList<>();

  @BeforeAll
  static void devices() {
    DEVICES.addAll(DevicesSuite.emulated());
  }

  @AfterAll
  static void nothingIsLeft() {
    for (Device device : DEVICES) {
      assertThat(device.allocatedBytes()).as("%s", device).isZero();
      device.close();
    }
    DEVICES.clear();
  }

  /** What the runs of a test did. */
  private static final class Tally {
    private int pushed;
    private int outlined;
    private int told;
    private int fewer;
  }

  private static RunSettings settings(
      Object initial, ActiveDirection direction, KernelChoice kernel) {
    return new RunSettings(
        new Object[] {initial},
        null,
        direction,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        true,
        kernel,
        1,
        null,
        ExchangeMode.REFINED);
  }

  private static int[] cuts(Random random, int n, int partitions) {
    return random.ints(1, n).distinct().limit(partitions - 1L).sorted().toArray();
  }

  private static SimpleGraph cut(SimpleGraph graph, Columns weights, int... cuts) {
    return new SimpleGraph(
        graph.ids, graph.present, graph.sources, graph.destinations, weights, cuts);
  }

  /** Runs it on some devices to the end; the supersteps of Pregel are a bound on its own. */
  private static void check(
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings,
      Random random,
      Tally tally) {
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    int n = graph.ids.length;
    int steps = 0;
    while (steps < n + 2 && oracle.activeCount > 0) {
      oracle.step();
      steps++;
    }
    int count = List.of(1, 2, 4).get(random.nextInt(3));
    DeviceExchange exchange = DeviceExchange.values()[random.nextInt(2)];
    DeviceSettings how =
        DeviceSettings.DEFAULT.withReserve(0).withPush(SMALL).withExchange(exchange);
    String what =
        "%s, %d vertices in %d partitions on %d devices, %s"
            .formatted(settings, n, graph.partitions().size(), count, exchange);
    List<DeviceEngine> engines =
        DEVICES.subList(0, count).stream()
            .map(device -> new DeviceEngine("emulated", device, how))
            .toList();
    try (DeviceEngine engine = DeviceEngine.over(engines);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.pushes()).as(what).isTrue();
      RunSummary summary = SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (int i = 0; i < summary.supersteps().size(); i++) {
        SuperstepStats step = summary.supersteps().get(i);
        assertThat(step.superstep()).as(what).isEqualTo(i);
        tally.pushed += step.kernel().pushes() ? 1 : 0;
        tally.outlined += step.kernel() == KernelChoice.OUTLINED ? 1 : 0;
        tally.told += step.kernel().pushes() && step.boundaryUpdates() > 0 ? 1 : 0;
      }
      tally.fewer += summary.iterations() < steps - 1 ? 1 : 0;
      oracle.check(run, what);
    }
  }

  /** Kinds and operations; missing vertices; some partitions have hardly a vertex. */
  @Test
  void everyKindAndOperationReachesTheSameValues() {
    Tally tally = new Tally();
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.OR)) {
        if (merge.identity(kind) == null) {
          continue;
        }
        ProgramInstance program = IrPrograms.spreading(merge, kind);
        for (KernelChoice kernel :
            List.of(KernelChoice.AUTO, KernelChoice.PUSH, KernelChoice.OUTLINED)) {
          Random random = new Random(seed++);
          int n = 20 + random.nextInt(300);
          SimpleGraph plain = RandomSimpleGraphs.of(random, n, 2, true, seed % 3 == 1, 1);
          SimpleGraph graph = cut(plain, null, cuts(random, n, 2 + random.nextInt(4)));
          check(
              program,
              graph,
              RandomSimpleGraphs.attributes(random, kind, n),
              settings(merge.identity(kind), ActiveDirection.OUT, kernel),
              random,
              tally);
        }
      }
    }
    assertThat(tally.pushed).as("supersteps that push").isGreaterThan(20);
    assertThat(tally.outlined).as("outlined ones").isGreaterThan(10);
    assertThat(tally.told).as("pushed ones that tell others").isGreaterThan(10);
  }

  /** Edge values are read in the order of the transposes; far vertices are put off. */
  @Test
  void shortestPathsReadTheRightWeights() {
    Tally tally = new Tally();
    ProgramInstance program = IrPrograms.shortestPaths();
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      int n = 30 + random.nextInt(300);
      SimpleGraph plain = RandomSimpleGraphs.of(random, n, 3, true, false, 1);
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      Arrays.setAll(weights.doubles(0), e -> 1 + random.nextInt(100));
      SimpleGraph graph = cut(plain, weights, cuts(random, n, 2 + random.nextInt(4)));
      Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
      Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
      attributes.doubles(0)[graph.sources[0]] = 0;
      KernelChoice kernel =
          List.of(KernelChoice.AUTO, KernelChoice.PUSH, KernelChoice.OUTLINED).get(seed % 3);
      check(
          program,
          graph,
          attributes,
          settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, kernel),
          random,
          tally);
    }
    assertThat(tally.told).as("pushed supersteps that tell others").isGreaterThan(10);
  }

  /** Devices run to the ends of their parts before they exchange: a path takes few exchanges. */
  @Test
  void aPathIsWalkedByFewLaunches() {
    int n = 160;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = IntStream.range(0, n - 1).toArray();
    int[] destinations = IntStream.range(1, n).toArray();
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.setAll(attributes.ints(0), v -> v);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, 40, 80, 120);
    Tally tally = new Tally();
    for (int seed = 0; seed < 4; seed++) {
      check(
          IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT),
          graph,
          attributes,
          settings(Integer.MAX_VALUE, ActiveDirection.OUT, KernelChoice.OUTLINED),
          new Random(seed),
          tally);
    }
    assertThat(tally.fewer).as("runs of fewer launches than supersteps").isEqualTo(4);
  }
}
