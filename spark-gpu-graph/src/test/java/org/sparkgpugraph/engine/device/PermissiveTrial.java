package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.plan.Permissive;
import org.sparkgpugraph.engine.device.plan.Sections;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** Runs on several devices whose borders move, on emulated devices and on GPUs. */
public final class PermissiveTrial {
  public static final DeviceSettings SETTINGS =
      DeviceSettings.DEFAULT.withReserve(0).withPartitioning(DevicePartitioning.PERMISSIVE);

  private PermissiveTrial() {}

  public static DeviceEngine engine(List<Device> devices, DeviceSettings settings) {
    return DeviceEngine.over(
        devices.stream().map(device -> new DeviceEngine("several", device, settings)).toList());
  }

  /** Borders that lie somewhere else in every superstep, also where nobody could compute. */
  static Permissive.Trial anywhere(long seed, int vertices, int devices) {
    Random random = new Random(seed);
    int sections = (vertices + 31) / 32;
    return new Permissive.Trial(
        32, 0, superstep -> random.ints(devices + 1, 0, sections + 1).sorted().toArray());
  }

  /**
   * A random program on a random graph, with borders anywhere: values, who is active, what was
   * counted and the results, superstep by superstep as on the CPU engine; some runs begin anew from
   * what another one has left.
   */
  public static void randomBorders(List<Device> devices, long seed) {
    Random random = new Random(seed);
    ProgramInstance program = IrPrograms.random(random, IrPrograms.Options.random(random));
    int n = random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 100 + random.nextInt(300);
    SimpleGraph graph =
        RandomSimpleGraphs.of(
            random, n, 1 + random.nextInt(3), true, seed % 3 == 0, devices.size());
    Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
    Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
    ActiveDirection[] directions = ActiveDirection.values();
    RunSettings settings =
        new RunSettings(
            new Object[] {5L, 7},
            null,
            directions[random.nextInt(directions.length)],
            Gather.values()[random.nextInt(Gather.values().length)],
            Integer.MAX_VALUE,
            false,
            random.nextBoolean() ? KernelChoice.AUTO : KernelChoice.SPARSE,
            1,
            null);
    DeviceExchange[] exchanges = DeviceExchange.values();
    int[] groupings = {1, 1, 2, 32, 64};
    int grouping = groupings[random.nextInt(groupings.length)];
    DeviceSettings how =
        SETTINGS
            .withExchange(exchanges[random.nextInt(exchanges.length)])
            .withHubs(random.nextBoolean() ? 1024 : 3, 8)
            .withGrouping(grouping)
            .withVirtualWarp(random.nextInt(4) == 0 ? 1 << random.nextInt(6) : 0)
            .withTuning(random.nextBoolean() ? DenseTuning.DEFAULT : DenseTuning.SEGMENTATION);
    String what = "seed " + seed + ", " + settings + ", " + how;
    Permissive.Trial trial = anywhere(seed, n, devices.size());
    try (DeviceEngine engine = engine(devices, how).with(trial);
        EngineRun expected =
            new CpuEngine().open(graph, program, graph.split(attributes), settings);
        DeviceRun first = engine.open(graph, program, graph.split(attributes), settings);
        DeviceRun second = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(first.borders().canMove()).as(what).isTrue();
      SuperstepStats wanted = expected.initialise();
      SuperstepStats stats = first.initialise();
      DeviceRun run = first;
      for (int step = 0; step < 7 && wanted.activeVertices() > 0; step++) {
        String at = what + ", superstep " + step;
        assertThat(stats.verticesRun()).as(at).isEqualTo(wanted.verticesRun());
        assertThat(stats.activeVertices()).as(at).isEqualTo(wanted.activeVertices());
        assertThat(stats.aggregates()).as(at).isEqualTo(wanted.aggregates());
        if (grouping == 1 && stats.kernel() == wanted.kernel()) {
          assertThat(stats.edgesEvaluated()).as(at).isEqualTo(wanted.edgesEvaluated());
        }
        assertSame(at, graph, run, expected);
        if (step == 3 && seed % 2 == 0) {
          List<Columns> values = new ArrayList<>();
          List<long[]> activity = new ArrayList<>();
          for (SimpleGraph.Partition p : graph.partitions()) {
            values.add(run.values(p.index()));
            activity.add(run.activity(p.index()));
          }
          run = second;
          run.restore(step, values, activity);
          assertSame(at + ", restored", graph, run, expected);
        }
        wanted = expected.step(wanted.aggregates());
        stats = run.step(stats.aggregates());
      }
      double[] last = expected.finalAggregates();
      assertThat(run.finalAggregates()).as(what).isEqualTo(last);
      for (SimpleGraph.Partition p : graph.partitions()) {
        assertSame(what, graph, p, run.results(p.index(), last), expected.results(p.index(), last));
      }
    }
  }

  /**
   * Chains of four vertices, each of which stops one superstep after the one before it: a column
   * that no edge reads must be right with whoever holds a vertex at the end, though another device
   * has computed it.
   */
  public static void unreadColumns(List<Device> devices, long seed) {
    int n = 320;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[n / 4 * 3];
    Arrays.setAll(sources, e -> e / 3 * 4 + e % 3);
    int[] destinations = Arrays.stream(sources).map(v -> v + 1).toArray();
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, 160);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE, Kind.DOUBLE), n);
    Arrays.setAll(attributes.doubles(1), v -> v % 7);
    RunSettings settings =
        new RunSettings(
            new Object[] {3.0},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.SPARSE,
            1,
            null);
    // Halves of halves: exact. Edges read the second column alone.
    ProgramInstance program = IrPrograms.pageRank(true, 0.5);
    try (DeviceEngine engine = engine(devices, SETTINGS).with(anywhere(seed, n, 2));
        EngineRun expected =
            new CpuEngine().open(graph, program, graph.split(attributes), settings);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      expected.initialise();
      SuperstepStats stats = run.initialise();
      while (stats.activeVertices() > 0) {
        expected.step(new double[0]);
        stats = run.step(new double[0]);
        assertSame("seed " + seed, graph, run, expected);
      }
      assertThat(stats.superstep()).isEqualTo(4);
    }
  }

  /** A program in place, with borders anywhere: the values in which it ends. */
  public static void inPlace(List<Device> devices, long seed) {
    Random random = new Random(seed);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 400, 2, true, false, devices.size());
    Columns attributes = Columns.allocate(List.of(Kind.INT), 400);
    ProgramInstance program = IrPrograms.components();
    RunSettings settings =
        new RunSettings(
            new Object[] {Long.MAX_VALUE},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            true,
            random.nextBoolean() ? KernelChoice.AUTO : KernelChoice.SPARSE,
            1,
            null);
    try (DeviceEngine engine = engine(devices, SETTINGS).with(anywhere(seed, 400, devices.size()));
        EngineRun expected =
            new CpuEngine().open(graph, program, graph.split(attributes), settings);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.borders().canMove()).isTrue();
      for (EngineRun each : List.of(expected, run)) {
        SuperstepStats stats = each.initialise();
        while (stats.activeVertices() > 0) {
          stats = each.step(new double[0]);
        }
      }
      assertSame("seed " + seed, graph, run, expected);
    }
  }

  /** A random program on a graph of any shape, also an empty one, against sequential Pregel. */
  public static void reference(List<Device> devices, long seed) {
    reference(devices, RandomPrograms.any(seed), seed);
  }

  private static <VD, ED, S, A, R> void reference(
      List<Device> devices, TestProgram<VD, ED, S, A, R> program, long seed) {
    TestGraph<VD, ED> graph = program.on(RandomGraphs.any(seed * 7 + 3), seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    Random random = new Random(seed);
    EngineTrial trial =
        new EngineTrial(
            devices.size(),
            random.nextBoolean() ? KernelChoice.AUTO : KernelChoice.SPARSE,
            1,
            random.nextBoolean());
    Permissive.Trial anywhere = anywhere(seed, graph.ids().length, devices.size());
    String how = "seed " + seed + ", " + trial + " on " + devices.size() + " devices";
    try (DeviceEngine engine = engine(devices, SETTINGS).with(anywhere)) {
      EngineTrial.Run<R> run =
          trial.run(engine, ProgramLifter.lift(program.source()), program, graph);
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
    } catch (RuntimeException | LinkageError e) {
      throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
    }
  }

  private static void assertSame(String at, SimpleGraph graph, EngineRun run, EngineRun expected) {
    for (SimpleGraph.Partition p : graph.partitions()) {
      assertSame(at, graph, p, run.values(p.index()), expected.values(p.index()));
      assertThat(run.activity(p.index())).as(at).isEqualTo(expected.activity(p.index()));
    }
  }

  private static void assertSame(
      String at, SimpleGraph graph, SimpleGraph.Partition p, Columns values, Columns expected) {
    assertThat(values.length()).as(at).isEqualTo(p.stored());
    for (int v = 0; v < p.stored(); v++) {
      if (graph.present == null || graph.present[p.from + v]) {
        for (int c = 0; c < values.width(); c++) {
          assertThat(values.get(c, v))
              .as("%s, column %s of vertex %s", at, c, p.from + v)
              .isEqualTo(expected.get(c, v));
        }
      }
    }
  }

  /** A graph in whose first part alone something happens, and that for long. */
  static SimpleGraph skewed(int devices) {
    int n = 1024 * devices;
    int busy = 1024;
    int edges = 3 * n;
    Random random = new Random(5);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 3L * v);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), edges);
    for (int e = 0; e < edges; e++) {
      int from = e / 3;
      int begin = from / busy * busy;
      sources[e] = from;
      destinations[e] = begin + (from - begin + 1 + random.nextInt(busy - 1)) % busy;
      weights.doubles(0)[e] = 1 + random.nextInt(50);
    }
    int[] cuts = new int[devices - 1];
    Arrays.setAll(cuts, d -> (d + 1) * n / devices);
    return new SimpleGraph(ids, null, sources, destinations, weights, cuts);
  }

  /**
   * What a run did.
   *
   * @param values at its end
   * @param edges by superstep, from the second on, then by device
   * @param moves how often borders moved
   */
  record Outcome(List<Columns> values, List<long[]> edges, int moves) {
    /** The active edges of the busiest device, added up over the supersteps. */
    long most() {
      return edges.stream().mapToLong(of -> Arrays.stream(of).max().orElse(0)).sum();
    }

    long all() {
      return edges.stream().mapToLong(of -> Arrays.stream(of).sum()).sum();
    }
  }

  /** Shortest paths from the first vertex. */
  static Outcome shortestPaths(
      List<Device> devices, SimpleGraph graph, DeviceSettings settings, KernelChoice kernel) {
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    RunSettings run =
        new RunSettings(
            new Object[] {Double.POSITIVE_INFINITY},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            kernel,
            1,
            null);
    Permissive.Trial always = new Permissive.Trial(Sections.ROWS, 0, null);
    try (DeviceEngine engine = engine(devices, settings).with(always);
        DeviceRun opened =
            engine.open(graph, IrPrograms.shortestPaths(), graph.split(attributes), run)) {
      boolean moving = settings.partitioning() == DevicePartitioning.PERMISSIVE;
      assertThat(opened.borders().canMove()).isEqualTo(moving);
      List<long[]> edges = new ArrayList<>();
      opened.initialise();
      // All rows are walked: everybody is active.
      SuperstepStats stats = opened.step(new double[0]);
      while (stats.activeVertices() > 0) {
        stats = opened.step(new double[0]);
        edges.add(opened.edgesByDevice());
      }
      List<Columns> values = new ArrayList<>();
      graph.partitions().forEach(p -> values.add(opened.values(p.index())));
      return new Outcome(values, edges, opened.borders().moves());
    }
  }

  /** Where only one device would have work, its neighbour takes a part; the values are the same. */
  public static void bordersMoveToTheWork(List<Device> devices) {
    SimpleGraph graph = skewed(devices.size());
    Outcome fixed =
        shortestPaths(
            devices,
            graph,
            SETTINGS.withPartitioning(DevicePartitioning.FIXED),
            KernelChoice.SPARSE);
    Outcome moving = shortestPaths(devices, graph, SETTINGS, KernelChoice.SPARSE);
    assertThat(fixed.most()).isEqualTo(fixed.all());
    assertThat(moving.edges()).hasSameSizeAs(fixed.edges());
    assertThat(moving.all()).isEqualTo(fixed.all());
    assertThat(moving.moves()).isGreaterThan(2);
    assertThat(moving.most()).isLessThan(fixed.most() * 3 / 4);
    for (int p = 0; p < graph.partitions().size(); p++) {
      assertThat(moving.values().get(p).doubles(0)).isEqualTo(fixed.values().get(p).doubles(0));
    }
  }
}
