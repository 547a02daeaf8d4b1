package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Devices that push and meet behind each superstep of a launch, each with one partition, against a
 * sequential Pregel.
 */
abstract class MeetingSuite extends DevicesSuite {
  /**
   * How supersteps push in a run: mostly in launches of few, by one block and by several; with
   * vertices that are put off, and other supersteps in between, and such as do not meet.
   */
  static PushSettings push(int seed) {
    double share = seed % 4 == 3 ? 0.1 : 1;
    long small = seed % 5 == 4 ? 1 : 0;
    return new PushSettings(share, 10L << seed % 4, small, seed % 3, 2 + seed % 9);
  }

  /** Two of them, or three, or as many as there are. */
  private List<Device> some(int seed) {
    return devices().subList(0, Math.min(devices().size(), 2 + seed % 3));
  }

  /** A graph with a partition for each device, of which some may be small or empty. */
  static SimpleGraph graph(int number, int vertices, int parts, Random random) {
    SimpleGraph plain = AsyncPartsSuite.graph(number, vertices, random);
    int[] cuts = random.ints(parts - 1L, 0, plain.ids.length + 1).sorted().toArray();
    return new SimpleGraph(
        plain.ids, plain.present, plain.sources, plain.destinations, plain.edgeValues, cuts);
  }

  /** What a run did. */
  record Did(List<SuperstepStats> steps, int ahead) {
    long told() {
      return steps.stream()
          .filter(step -> step.kernel().pushes())
          .mapToLong(SuperstepStats::boundaryUpdates)
          .sum();
    }
  }

  @Test
  void pathsAreThoseOfPregelToTheBit() {
    int ahead = 0;
    long told = 0;
    for (int seed = 0; seed < 24; seed++) {
      Random random = new Random(seed);
      List<Device> some = some(seed);
      SimpleGraph graph = graph(seed, 150 + random.nextInt(250), some.size(), random);
      Did did =
          check(
              "seed " + seed,
              some,
              push(seed),
              IrPrograms.shortestPaths(),
              graph,
              AsyncPartsSuite.start(graph.ids.length),
              AsyncPartsSuite.paths(seed % 2 == 0 ? KernelChoice.OUTLINED : KernelChoice.AUTO));
      ahead += did.ahead();
      told += did.told();
    }
    assertThat(ahead).as("supersteps behind the first ones of launches").isGreaterThan(40);
    assertThat(told).as("updates").isGreaterThan(500);
  }

  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX, MergeAlgebra.OR)) {
        if (merge.identity(kind) == null) {
          continue;
        }
        Random random = new Random(seed);
        List<Device> some = some(seed);
        SimpleGraph graph = graph(seed, 40 + random.nextInt(300), some.size(), random);
        Columns attributes = Columns.allocate(List.of(kind), graph.ids.length);
        for (int v = 0; v < graph.ids.length; v++) {
          int value = random.nextInt(1000);
          switch (kind) {
            case INT -> attributes.ints(0)[v] = value;
            case LONG -> attributes.longs(0)[v] = value;
            case FLOAT -> attributes.floats(0)[v] = value;
            default -> attributes.doubles(0)[v] = value;
          }
        }
        check(
            "seed " + seed + ", " + merge + " of " + kind,
            some,
            push(seed),
            IrPrograms.spreading(merge, kind),
            graph,
            attributes,
            AsyncPartsSuite.settings(
                merge.identity(kind),
                ActiveDirection.OUT,
                seed % 2 == 0 ? KernelChoice.AUTO : KernelChoice.OUTLINED));
        seed++;
      }
    }
  }

  @Test
  void labelsOfComponentsGoBothWays() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      List<Device> some = some(seed);
      // None with vertices that do not exist, which would have the least label of all.
      int number = seed == 1 ? 5 : seed;
      SimpleGraph graph = graph(number, 100 + random.nextInt(200), some.size(), random);
      int n = graph.ids.length;
      Columns labels = Columns.allocate(List.of(Kind.INT), n);
      Arrays.setAll(labels.ints(0), v -> (v * 77 + 5) % n);
      check(
          "seed " + seed,
          some,
          push(seed),
          IrPrograms.spreadingBothWays(),
          graph,
          labels,
          AsyncPartsSuite.settings(
              Integer.MAX_VALUE, ActiveDirection.EITHER, KernelChoice.OUTLINED));
    }
  }

  /** Rows of one, of a warp and one more or less, and of several items of the queue. */
  /** What was heard in a meeting is active in a superstep behind it that gathers, too. */
  @Test
  void rowsStopEarlyBehindMeetings() {
    SpreadingCase levels = SpreadingCase.of("levels");
    long gathered = 0;
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      int n = 400;
      List<int[]> edges = new ArrayList<>();
      for (int e = 0; e < 3 * n; e++) {
        edges.add(new int[] {random.nextInt(n), random.nextInt(n)});
      }
      SimpleGraph whole = SpreadingCase.graph(n, edges);
      SimpleGraph graph =
          new SimpleGraph(
              whole.ids, null, whole.sources, whole.destinations, whole.edgeValues, n / 2);
      Did did =
          check(
              "seed " + seed,
              devices().subList(0, 2),
              new PushSettings(1, 10, 0, 1, 9).withStops(new StopSettings(0.1, 0.01)),
              levels.program(),
              graph,
              SpreadingCase.column(Kind.INT, n, Integer.MAX_VALUE, v -> v == 5 ? 0 : Double.NaN),
              levels.settings(1));
      gathered +=
          did.steps().stream().skip(1).filter(s -> s.kernel() == KernelChoice.DENSE).count();
    }
    assertThat(gathered).isPositive();
  }

  @Test
  void hubsOnOneDeviceAreReachedFromTheOther() {
    for (int degree : new int[] {1, 31, 32, 33, 1000}) {
      int n = degree + 2;
      // Both hubs know all others, which are on both sides of the cut.
      int[] sources =
          IntStream.range(0, 4 * degree)
              .map(e -> e % 4 < 2 ? e % 4 * (n - 1) : 1 + e / 4)
              .toArray();
      int[] destinations =
          IntStream.range(0, 4 * degree)
              .map(e -> e % 4 < 2 ? 1 + e / 4 : e % 2 * (n - 1))
              .toArray();
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), sources.length);
      Arrays.setAll(weights.doubles(0), e -> 1 + e % 7);
      long[] ids = IntStream.range(0, n).mapToLong(v -> v).toArray();
      SimpleGraph graph =
          new SimpleGraph(ids, null, sources, destinations, weights, 1 + degree / 2);
      check(
          "degree " + degree,
          devices().subList(0, 2),
          push(degree),
          IrPrograms.shortestPaths(),
          graph,
          AsyncPartsSuite.start(n),
          AsyncPartsSuite.paths(KernelChoice.OUTLINED));
    }
  }

  static Did check(
      String seed,
      List<Device> devices,
      PushSettings push,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int n = graph.ids.length;
    IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
    DeviceSettings how =
        DeviceSettings.DEFAULT.withReserve(0).withExchange(DeviceExchange.PEER).withPush(push);
    String what =
        "%s: %d vertices on %d devices, %s, %s".formatted(seed, n, devices.size(), push, settings);
    List<DeviceEngine> engines =
        devices.stream().map(device -> new DeviceEngine("some", device, how)).toList();
    List<SuperstepStats> steps = new ArrayList<>();
    int[] ahead = new int[1];
    try (DeviceEngine engine = DeviceEngine.over(engines);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.meets()).as(what).isEqualTo(!graph.boundaries().isEmpty());
      RunSummary summary =
          SuperstepLoop.run(
              "some",
              run,
              settings,
              n,
              List.of(),
              step -> {
                steps.add(step);
                ahead[0] += run.isAhead() ? 1 : 0;
                assertThat(steps.size()).as(what).isLessThan(2 * n + 3);
              });
      assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (int i = 0; i < steps.size(); i++) {
        assertThat(steps.get(i).superstep()).as(what).isEqualTo(i);
      }
      oracle.check(run, what);
    }
    return new Did(steps, ahead[0]);
  }
}
