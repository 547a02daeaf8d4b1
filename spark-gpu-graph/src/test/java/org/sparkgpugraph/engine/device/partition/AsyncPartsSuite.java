package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;
import static org.sparkgpugraph.run.KernelChoice.PUSH;

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
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Partitions that exchange relax without supersteps as far as a horizon, on several devices,
 * against a sequential Pregel.
 */
abstract class AsyncPartsSuite extends DevicesSuite {
  /** How relaxations are done, of several ways. */
  abstract AsyncSettings async(int seed);

  /** One, two or four of them, in turn, or as many as there are. */
  private List<Device> some(int seed) {
    return devices().subList(0, Math.min(devices().size(), new int[] {2, 1, 4}[seed % 3]));
  }

  static RunSettings settings(Object initial, ActiveDirection direction, KernelChoice kernel) {
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

  static RunSettings paths(KernelChoice kernel) {
    return settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, kernel);
  }

  /**
   * A graph in partitions, some of which may be small or empty: by its number a lattice with holes,
   * a few vertices with most edges, edges at random, or two parts without an edge in between.
   */
  static SimpleGraph graph(int number, int vertices, Random random) {
    int n = vertices;
    SimpleGraph plain =
        switch (number % 4) {
          case 0 -> lattice((int) Math.sqrt(n), random);
          case 1 -> RandomSimpleGraphs.of(random, n, 6, true, number % 8 == 1, 1);
          case 2 -> RandomSimpleGraphs.of(random, n, 2, false, false, 1);
          default -> apart(RandomSimpleGraphs.of(random, n, 3, false, false, 1));
        };
    n = plain.ids.length;
    int[] cuts = random.ints(1 + random.nextInt(4), 0, n + 1).sorted().toArray();
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
    boolean hops = number % 5 == 4;
    Arrays.setAll(weights.doubles(0), e -> hops ? 1 : random.nextInt(100));
    return new SimpleGraph(
        plain.ids, plain.present, plain.sources, plain.destinations, weights, cuts);
  }

  /** Edges both ways between neighbours; one vertex in ten has none. */
  private static SimpleGraph lattice(int side, Random random) {
    int n = side * side;
    boolean[] hole = new boolean[n];
    for (int v = 1; v < n; v++) {
      hole[v] = random.nextInt(10) == 0;
    }
    int[] ends = new int[4 * n];
    int m = 0;
    for (int v = 0; v < n; v++) {
      for (int u : new int[] {v % side + 1 < side ? v + 1 : n, v + side}) {
        if (u < n && !hole[u] && !hole[v]) {
          ends[m++] = v;
          ends[m++] = u;
        }
      }
    }
    int[] sources = new int[m];
    int[] destinations = new int[m];
    for (int e = 0; e < m; e++) {
      sources[e] = ends[e];
      destinations[e] = ends[e ^ 1];
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 3L * v - 100);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  /** The edges between the two halves are laid into the first one. */
  private static SimpleGraph apart(SimpleGraph graph) {
    int half = graph.ids.length / 2;
    int[] destinations = graph.destinations.clone();
    for (int e = 0; e < destinations.length; e++) {
      boolean first = graph.sources[e] < half;
      destinations[e] = destinations[e] % half + (first ? 0 : half);
    }
    return new SimpleGraph(graph.ids, null, graph.sources, destinations, null);
  }

  static Columns start(int vertices) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), vertices);
    Arrays.fill(attributes.doubles(0), 1, vertices, Double.POSITIVE_INFINITY);
    return attributes;
  }

  @Test
  void pathsAreThoseOfPregelToTheBit() {
    int told = 0;
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(seed, 150 + random.nextInt(250), random);
      Columns start = start(graph.ids.length);
      List<SuperstepStats> steps =
          check(
              "seed " + seed,
              some(seed),
              device(async(seed), random),
              IrPrograms.shortestPaths(),
              graph,
              start,
              paths(ASYNC));
      told += (int) steps.stream().filter(step -> step.boundaryUpdates() > 0).count();
    }
    assertThat(told).as("launches that told others").isGreaterThan(5);
  }

  @Test
  void labelsOfComponentsGoBothWays() {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      // None with vertices that do not exist, which would have the least label of all.
      SimpleGraph graph = graph(seed == 1 ? 5 : seed, 100 + random.nextInt(200), random);
      int n = graph.ids.length;
      Columns labels = Columns.allocate(List.of(Kind.INT), n);
      Arrays.setAll(labels.ints(0), v -> (v * 77 + 5) % n);
      check(
          "seed " + seed,
          some(seed),
          device(async(seed), random),
          IrPrograms.spreadingBothWays(),
          graph,
          labels,
          settings(Integer.MAX_VALUE, ActiveDirection.EITHER, ASYNC));
    }
  }

  /** A launch is never less than a superstep, and mostly much more. */
  @Test
  void exchangesAreNotMoreThanWithOneBehindEverySuperstep() {
    int least = Integer.MAX_VALUE;
    for (int seed = 0; seed < 2; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(seed, 484, random);
      Columns start = start(graph.ids.length);
      int[] exchanges = new int[2];
      for (KernelChoice kernel : new KernelChoice[] {PUSH, ASYNC}) {
        exchanges[kernel == PUSH ? 0 : 1] =
            check(
                    "seed " + seed,
                    some(seed),
                    device(async(seed), random),
                    IrPrograms.shortestPaths(),
                    graph,
                    start,
                    paths(kernel))
                .size();
      }
      assertThat(exchanges[1]).as("seed %s", seed).isLessThanOrEqualTo(exchanges[0] + 1);
      least = Math.min(least, 100 * exchanges[1] / exchanges[0]);
    }
    assertThat(least).as("percent of the supersteps, at best").isLessThan(30);
  }

  static DeviceSettings device(AsyncSettings async, Random random) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, 20, 1, 1, 7).withAsync(async))
        .withExchange(DeviceExchange.values()[random.nextInt(2)]);
  }

  static List<SuperstepStats> check(
      String seed,
      List<Device> devices,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int n = graph.ids.length;
    IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
    String what =
        "%s: %d vertices in %d partitions on %d devices, %s, %s"
            .formatted(
                seed, n, graph.partitions().size(), devices.size(), how.exchange(), settings);
    List<DeviceEngine> engines =
        devices.stream().map(device -> new DeviceEngine("some", device, how)).toList();
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceEngine engine = DeviceEngine.over(engines);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.pushes()).as(what).isTrue();
      RunSummary summary =
          SuperstepLoop.run(
              "some",
              run,
              settings,
              n,
              List.of(),
              step -> {
                steps.add(step);
                assertThat(steps.size()).as(what).isLessThan(4 * n);
              });
      assertThat(summary.stopped()).as(what).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (SuperstepStats step : steps.subList(Math.min(2, steps.size()), steps.size())) {
        assertThat(step.kernel()).as(what).isEqualTo(settings.kernel());
      }
      oracle.check(run, what);
    }
    return steps;
  }
}
