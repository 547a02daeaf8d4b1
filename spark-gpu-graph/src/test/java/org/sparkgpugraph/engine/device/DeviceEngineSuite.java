package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.HoistablePages;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.run.SentUpdates;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineLayout;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings.Choice;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** The device engine on any device, against the CPU engine, superstep by superstep. */
public abstract class DeviceEngineSuite {
  private static final DeviceSettings SETTINGS = DeviceSettings.DEFAULT.withReserve(0);

  private static final int[] DEVICES = {1, 2, 4};

  /** Random programs, each compiled: every direction and gather, and every tuning. */
  private static final int PROGRAMS = Integer.getInteger("enginePrograms", 24);

  private static final DenseTuning STREAM = DenseTuning.DEFAULT;

  /** Every way to gather, with constants that small graphs reach too. */
  private static final List<DenseTuning> TUNINGS =
      List.of(
          STREAM,
          DenseTuning.SEGMENTATION,
          STREAM.withConstants(2, 3, 0).withPieces(-1),
          STREAM.withPieces(1),
          STREAM.withPieces(1 << 20),
          STREAM.withPieces(4000).withConstants(1, 1, 0),
          DenseTuning.WAVES.withGroups(8),
          DenseTuning.WAVES.withConstants(0, 5, 0),
          DenseTuning.nested(new WalkSchedule(true, false, true, false)));

  private final CpuEngine cpu = new CpuEngine();
  private final List<DeviceEngine> engines = new ArrayList<>();
  private Device device;
  private DeviceEngine engine;

  /** Opens a device, or skips the test with the reason. */
  protected abstract Device openDevice(int index);

  /** How many devices there are. */
  protected abstract int available();

  /**
   * Of the calls of a device that may fail, every how-many-th one is made to. The engine's side of
   * a failure is the same on all devices: 1 on one of them tries each call, others need a sample.
   */
  protected abstract int failuresApart();

  @BeforeEach
  void open() {
    engine = engine(1);
    device = engine.device();
  }

  /** The engine on several devices: as many as wanted, or all that there are. */
  final DeviceEngine engine(int devices) {
    for (int d = engines.size(); d < Math.min(devices, Math.max(1, available())); d++) {
      engines.add(new DeviceEngine("emulated", openDevice(d), SETTINGS));
    }
    return DeviceEngine.over(engines.subList(0, Math.min(devices, engines.size())));
  }

  @AfterEach
  void nothingLeaks() {
    for (DeviceEngine each : engines) {
      each.close();
      assertThat(each.device().allocatedBytes()).isZero();
      each.device().close();
    }
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private static Columns randomAttributes(Random random, int n) {
    Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
    for (int v = 0; v < n; v++) {
      attributes.longs(0)[v] = random.nextInt(100);
      attributes.ints(1)[v] = random.nextInt(100);
    }
    return attributes;
  }

  /** A run that both engines make. */
  private record Trial(
      String what,
      int devices,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      RunSettings settings,
      DeviceSettings device) {}

  /**
   * Compiles what trials will run, side by side: one after the other, on a device whose kernels
   * take nothing, that is most of a test's time.
   */
  private void compile(List<Trial> trials) throws Exception {
    Map<String, KernelSource> sources = new LinkedHashMap<>();
    for (Trial trial : trials) {
      boolean missing = trial.graph().partitions().stream().anyMatch(p -> p.present() != null);
      KernelSource source =
          DeviceEngine.kernels(
                  trial.program().program(),
                  trial.settings(),
                  trial.device(),
                  missing,
                  KernelShape.exchanges(trial.graph()))
              .source();
      sources.put(source.text(), source);
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<?>> all = new ArrayList<>();
      sources.values().forEach(s -> all.add(threads.submit(() -> device.load(s).close())));
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Random programs in all directions, both gathers, everyVertex or not; each on several graphs
   * with random kernels, groupings, hubs and widths of virtual warps, on one, two or four devices.
   */
  @Test
  void everySuperstepEqualsTheCpuEngine() throws Exception {
    List<Trial> trials = new ArrayList<>();
    for (int seed = 0; seed < PROGRAMS; seed++) {
      trials.addAll(trials(seed));
    }
    compile(trials);
    for (Trial trial : trials) {
      compare(
          trial.what(),
          engine(trial.devices()),
          trial.graph(),
          trial.program(),
          trial.attributes(),
          trial.settings(),
          trial.device());
    }
  }

  private static List<Trial> trials(int seed) {
    Random random = new Random(seed);
    IrPrograms.Options options = IrPrograms.Options.random(random);
    ProgramInstance program = IrPrograms.random(random, options);
    boolean every = random.nextInt(5) == 0;
    boolean holes = random.nextInt(3) == 0;
    boolean lanes = random.nextInt(3) == 0;
    DenseTuning tuning = TUNINGS.get(seed % TUNINGS.size());
    // Direction and gather in turn: they decide the most.
    ActiveDirection direction = ActiveDirection.values()[seed % 4];
    Gather gather = Gather.values()[seed / 4 % 2];
    Object[] initial = every && random.nextBoolean() ? null : new Object[] {5L, 7};
    List<Trial> trials = new ArrayList<>();
    for (int graphs = 0; graphs < 8; graphs++) {
      int n = random.nextInt(3) == 0 ? 300 + random.nextInt(500) : 1 + random.nextInt(90);
      int partitions = seed % 2 == 0 ? 1 : 2 + random.nextInt(4);
      SimpleGraph graph =
          RandomSimpleGraphs.of(
              random, n, random.nextInt(4), random.nextBoolean(), holes, partitions);
      RunSettings settings =
          new RunSettings(
              initial,
              every ? new Object[] {-3L, 2} : null,
              direction,
              gather,
              Integer.MAX_VALUE,
              false,
              pick(random, KernelChoice.values()),
              1,
              null);
      DeviceSettings device =
          SETTINGS
              .withVirtualWarp(lanes ? 1 << random.nextInt(6) : 0)
              .withGrouping(pick(random, new Integer[] {0, 1, 2, 4, 32, 64}))
              .withHubs(1 + random.nextInt(40), 1 + random.nextInt(70))
              .withTuning(tuning);
      trials.add(
          new Trial(
              "seed " + seed + "." + graphs + ", " + settings + ", " + options + ", " + device,
              partitions == 1 ? 1 : DEVICES[graphs % DEVICES.length],
              graph,
              program,
              randomAttributes(random, n),
              settings,
              device));
    }
    return trials;
  }

  @Test
  void hiddenColumnsAreThoseOfTheCpuEngine() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      int n = 20 + random.nextInt(200);
      SimpleGraph graph =
          RandomSimpleGraphs.of(random, n, 3, random.nextBoolean(), true, 1 + seed % 2 * 2);
      RunSettings settings =
          new RunSettings(
              new Object[] {1.0},
              null,
              ActiveDirection.EITHER,
              Gather.ACTIVE,
              Integer.MAX_VALUE,
              false,
              pick(random, KernelChoice.values()),
              1,
              null);
      compare(
          "seed " + seed + ", " + settings,
          engine(seed % 2 == 0 ? 1 : 2),
          graph,
          HoistablePages.hoisted(2),
          HoistablePages.attributes(random, n),
          settings,
          SETTINGS);
    }
  }

  /** Runs a program on both engines and compares all that they tell. */
  protected final void compare(
      String what,
      DeviceEngine engine,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    try (EngineRun expected = cpu.open(graph, program, graph.split(attributes), settings);
        DeviceRun run =
            engine.with(deviceSettings).open(graph, program, graph.split(attributes), settings)) {
      for (int d = 0; d < run.plans().size(); d++) {
        DevicePlan plan = run.plans().get(d);
        DeviceEngine one = engine.devices().size() == 1 ? engine : engines.get(d);
        // Asked for first: it frees what the host has dropped.
        long resident = one.residentBytes();
        assertThat(one.device().allocatedBytes() - resident)
            .as("%s, device %s", what, d)
            .isEqualTo(plan.ownBytes());
        assertThat(resident).as(what).isGreaterThanOrEqualTo(plan.totalBytes() - plan.ownBytes());
      }
      SuperstepStats wanted = expected.initialise();
      SuperstepStats stats = run.initialise();
      // A group's other vertices are gathered too; without an edge filter their edges count.
      boolean exactEdges =
          run.plans().stream().allMatch(plan -> plan.grouping() == 1)
              || settings.kernel() == KernelChoice.DENSE
              || settings.everyVertex()
              || settings.activeDirection() != ActiveDirection.EITHER;
      for (int step = 0; step <= 6; step++) {
        String at = what + ", superstep " + step;
        assertThat(stats.superstep()).as(at).isEqualTo(step);
        if (run.pushes()) {
          // Pushing pays earlier; the processor does not do it.
          assertThat(stats.kernel()).as(at).isNotEqualTo(KernelChoice.SPARSE);
        } else {
          assertThat(stats.kernel()).as(at).isEqualTo(wanted.kernel());
        }
        assertThat(stats.verticesRun()).as(at).isEqualTo(wanted.verticesRun());
        assertThat(stats.activeVertices()).as(at).isEqualTo(wanted.activeVertices());
        assertThat(stats.aggregates()).as(at).isEqualTo(wanted.aggregates());
        assertThat(stats.boundaryUpdates()).as(at).isEqualTo(wanted.boundaryUpdates());
        assertThat(stats.boundaryBytes()).as(at).isEqualTo(wanted.boundaryBytes());
        // Who pulls without a filter evaluates more edges than those of active vertices.
        boolean pulled = !run.pushes() || settings.activeDirection() != ActiveDirection.EITHER;
        if (exactEdges && pulled && stats.kernel().pulling() == wanted.kernel()) {
          assertThat(stats.edgesEvaluated()).as(at).isEqualTo(wanted.edgesEvaluated());
        }
        List<Columns> before = values(graph, expected);
        assertSame(at, graph, run, before);
        if (wanted.activeVertices() == 0) {
          break;
        }
        wanted = expected.step(wanted.aggregates());
        stats = run.step(stats.aggregates());
        assertUpdates(at, graph, program, run, before, values(graph, expected));
      }
      double[] last = expected.finalAggregates();
      assertThat(run.finalAggregates()).as(what).isEqualTo(last);
      for (SimpleGraph.Partition p : graph.partitions()) {
        assertSame(
            what + ", result",
            graph,
            p,
            run.results(p.index(), last),
            expected.results(p.index(), last));
      }
    }
  }

  private static List<Columns> values(SimpleGraph graph, EngineRun run) {
    List<Columns> values = new ArrayList<>();
    for (SimpleGraph.Partition p : graph.partitions()) {
      Columns current = run.values(p.index());
      Columns copy = Columns.allocate(current.kinds(), current.length());
      copy.copyFrom(current, 0, 0, current.length());
      values.add(copy);
    }
    return values;
  }

  private static void assertSame(
      String what, SimpleGraph graph, EngineRun run, List<Columns> expected) {
    for (SimpleGraph.Partition p : graph.partitions()) {
      assertSame(what, graph, p, run.values(p.index()), expected.get(p.index()));
    }
  }

  private static void assertSame(
      String what, SimpleGraph graph, SimpleGraph.Partition p, Columns values, Columns expected) {
    for (int v = 0; v < p.stored(); v++) {
      if (graph.present != null && !graph.present[p.from + v]) {
        continue;
      }
      for (int c = 0; c < values.width(); c++) {
        assertThat(values.get(c, v))
            .as("%s: column %s of vertex %s (partition %s)", what, c, v, p.index())
            .isEqualTo(expected.get(c, v));
      }
    }
  }

  /** Each outbox: those of the list whose bits differ from before, ascending, each once. */
  private static void assertUpdates(
      String what,
      SimpleGraph graph,
      ProgramInstance program,
      DeviceRun run,
      List<Columns> before,
      List<Columns> after) {
    int[] shipped = FunctionTraits.shippedColumns(program.program());
    List<BoundaryList> lists =
        graph.boundaries().stream().sorted((a, b) -> Integer.compare(a.home(), b.home())).toList();
    List<SentUpdates> all = SentUpdates.of(run);
    assertThat(all).hasSameSizeAs(lists);
    for (int i = 0; i < all.size(); i++) {
      SentUpdates updates = all.get(i);
      BoundaryList list = lists.get(i);
      int[] positions = updates.positions();
      List<Integer> valued = new ArrayList<>();
      for (int u = 0; u < positions.length; u++) {
        assertThat(u == 0 || positions[u - 1] < positions[u]).as(what).isTrue();
        if ((updates.flags()[u] & RefinedUpdates.VALUED) != 0) {
          valued.add(positions[u]);
          for (int k = 0; k < shipped.length; k++) {
            assertThat(updates.values().get(k, u))
                .as(what)
                .isEqualTo(
                    after.get(list.home()).get(shipped[k], list.homeVertices()[positions[u]]));
          }
        }
      }
      List<Integer> expected = new ArrayList<>();
      for (int position = 0; position < list.size(); position++) {
        int vertex = list.homeVertices()[position];
        boolean differs = false;
        for (int c : shipped) {
          differs |=
              !before.get(list.home()).get(c, vertex).equals(after.get(list.home()).get(c, vertex));
        }
        if (differs) {
          expected.add(position);
        }
      }
      assertThat(valued).as(what).isEqualTo(expected);
    }
  }

  private static RunSettings settings(
      Object initial, ActiveDirection direction, KernelChoice kernel, boolean inPlace) {
    return new RunSettings(
        new Object[] {initial},
        null,
        direction,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        inPlace,
        kernel,
        1,
        null);
  }

  @Test
  void monotoneProgramsInPlaceReachTheSameValues() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      boolean paths = random.nextBoolean();
      ProgramInstance program = paths ? IrPrograms.shortestPaths() : IrPrograms.components();
      int n = 1 + random.nextInt(200);
      SimpleGraph plain =
          RandomSimpleGraphs.of(
              random, n, random.nextInt(3), random.nextBoolean(), seed % 4 == 0, 1 + seed % 3);
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      Arrays.setAll(weights.doubles(0), e -> random.nextInt(20));
      SimpleGraph graph =
          new SimpleGraph(
              plain.ids,
              plain.present,
              plain.sources,
              plain.destinations,
              weights,
              plain.partitions().stream().skip(1).mapToInt(p -> p.from).toArray());
      Columns attributes = Columns.allocate(List.of(paths ? Kind.DOUBLE : Kind.INT), n);
      if (paths) {
        Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
        attributes.doubles(0)[random.nextInt(n)] = 0;
      }
      RunSettings settings =
          settings(
              paths ? (Object) Double.POSITIVE_INFINITY : (Object) Long.MAX_VALUE,
              paths ? ActiveDirection.OUT : ActiveDirection.EITHER,
              pick(random, KernelChoice.values()),
              true);
      DeviceSettings deviceSettings =
          SETTINGS
              .withGrouping(pick(random, new Integer[] {0, 1, 2, 4, 32, 64}))
              .withHubs(1 + random.nextInt(40), 1 + random.nextInt(70));
      String what = "seed " + seed + ", paths " + paths + ", " + settings + deviceSettings;
      IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
      oracle.initialise();
      for (int step = 0; step < n + 2 && oracle.activeCount > 0; step++) {
        oracle.step();
      }
      DeviceEngine on = engine(DEVICES[seed / 3 % DEVICES.length]);
      try (DeviceRun run =
          on.with(deviceSettings).open(graph, program, graph.split(attributes), settings)) {
        SuperstepStats stats = run.initialise();
        while (stats.activeVertices() > 0) {
          assertThat(stats.superstep()).as(what).isLessThan(n + 3);
          stats = run.step(stats.aggregates());
        }
        for (SimpleGraph.Partition p : graph.partitions()) {
          Columns values = run.values(p.index());
          for (int v = 0; v < p.stored(); v++) {
            if (graph.present == null || graph.present[p.from + v]) {
              assertThat(values.get(0, v)).as(what).isEqualTo(oracle.values[p.from + v][0]);
            }
          }
        }
      }
    }
  }

  /** Sums of doubles agree up to the order of their addends; rows of all lengths, with hubs. */
  @Test
  void rowsOfAllLengthsAreGatheredWhole() {
    int[] degrees = {0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 100_000};
    int n = 128;
    int m = Arrays.stream(degrees).sum();
    int[] sources = new int[m];
    int[] destinations = new int[m];
    int e = 0;
    for (int v = 0; v < degrees.length; v++) {
      for (int i = 0; i < degrees[v]; i++) {
        sources[e] = i % n;
        destinations[e++] = 5 * v;
      }
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    Columns attributes = Columns.allocate(program.program().state().columns(), n);
    Random random = new Random(1);
    for (int v = 0; v < n; v++) {
      attributes.doubles(0)[v] = random.nextDouble();
      attributes.doubles(1)[v] = random.nextDouble();
    }
    RunSettings settings =
        new RunSettings(
            null,
            new Object[] {0.0},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, 20);
    for (DeviceSettings deviceSettings :
        List.of(
            SETTINGS,
            SETTINGS.withHubs(32, 64),
            SETTINGS.withHubs(1 << 20, 64),
            SETTINGS.withTuning(DenseTuning.SEGMENTATION),
            SETTINGS.withTuning(DenseTuning.WAVES),
            SETTINGS.withVirtualWarp(1),
            SETTINGS.withVirtualWarp(8),
            SETTINGS.withVirtualWarp(32))) {
      try (EngineRun expected = cpu.open(graph, program, graph.split(attributes), settings);
          DeviceRun run =
              engine.with(deviceSettings).open(graph, program, graph.split(attributes), settings)) {
        expected.initialise();
        run.initialise();
        for (int step = 1; step < 4; step++) {
          expected.step(new double[0]);
          SuperstepStats stats = run.step(new double[0]);
          assertThat(stats.edgesEvaluated()).isEqualTo(m);
          assertThat(stats.verticesRun()).isEqualTo(n);
          for (int p = 0; p < 2; p++) {
            double[] wanted = expected.values(p).doubles(0);
            double[] found = run.values(p).doubles(0);
            for (int v = 0; v < found.length; v++) {
              assertThat(found[v])
                  .as("%s, vertex %s of partition %s", deviceSettings, v, p)
                  .isCloseTo(wanted[v], within(1e-12 * Math.abs(wanted[v])));
            }
          }
        }
      }
    }
  }

  /**
   * Vertices 5 · i have in-edges, vertices 64 + 5 · i out-edges, as many as {@code degrees[i]};
   * their other ends are vertices 128 to 255 in turn.
   */
  private static SimpleGraph rows(int[] degrees, int... cuts) {
    int m = Arrays.stream(degrees).sum();
    int[] sources = new int[2 * m];
    int[] destinations = new int[2 * m];
    int e = 0;
    for (int i = 0; i < degrees.length; i++) {
      for (int k = 0; k < degrees[i]; k++, e += 2) {
        sources[e] = 128 + k % 128;
        destinations[e] = 5 * i;
        sources[e + 1] = 64 + 5 * i;
        destinations[e + 1] = 128 + (k + 7) % 128;
      }
    }
    long[] ids = new long[256];
    Arrays.setAll(ids, v -> v);
    Columns edges = Columns.allocate(List.of(Kind.LONG), 2 * m);
    Random random = new Random(m);
    Arrays.setAll(edges.longs(0), i -> random.nextLong());
    return new SimpleGraph(ids, null, sources, destinations, edges, cuts);
  }

  /** Runs of a program that shows the order of its messages, dense and sparse. */
  private static List<Trial> rowTrials(
      SimpleGraph graph, DeviceSettings how, IrPrograms.OrderedMerge merge) {
    Columns attributes = Columns.allocate(List.of(Kind.LONG), graph.ids.length);
    Random random = new Random(3);
    Arrays.setAll(attributes.longs(0), v -> random.nextLong());
    List<Trial> trials = new ArrayList<>();
    for (KernelChoice kernel : new KernelChoice[] {KernelChoice.DENSE, KernelChoice.SPARSE}) {
      RunSettings settings =
          new RunSettings(
              new Object[] {5L, 7L},
              null,
              ActiveDirection.EITHER,
              Gather.ACTIVE,
              Integer.MAX_VALUE,
              false,
              kernel,
              1,
              null);
      trials.add(
          new Trial(
              merge + ", " + kernel + ", " + how,
              1,
              graph,
              IrPrograms.ordered(merge),
              attributes,
              settings,
              how));
    }
    return trials;
  }

  /** Two supersteps on both engines: all edges, then those of active vertices. */
  private void compareRows(List<Trial> trials) throws Exception {
    compile(trials);
    for (Trial trial : trials) {
      SimpleGraph graph = trial.graph();
      List<Columns> attributes = graph.split(trial.attributes());
      try (EngineRun expected = cpu.open(graph, trial.program(), attributes, trial.settings());
          DeviceRun run =
              engine
                  .with(trial.device())
                  .open(
                      graph, trial.program(), graph.split(trial.attributes()), trial.settings())) {
        expected.initialise();
        run.initialise();
        for (int step = 1; step < 3; step++) {
          String at = trial.what() + ", superstep " + step;
          SuperstepStats wanted = expected.step(new double[0]);
          SuperstepStats stats = run.step(new double[0]);
          assertThat(stats.kernel()).as(at).isEqualTo(wanted.kernel());
          assertThat(stats.edgesEvaluated()).as(at).isEqualTo(wanted.edgesEvaluated());
          assertThat(stats.verticesRun()).as(at).isEqualTo(wanted.verticesRun());
          assertThat(stats.activeVertices())
              .as(at)
              .isEqualTo(wanted.activeVertices())
              .isBetween(graph.ids.length / 4L, 3L * graph.ids.length / 4);
          assertSame(at, graph, run, values(graph, expected));
        }
        assertThat(run.step(new double[0]).kernel())
            .as(trial.what())
            .isEqualTo(trial.settings().kernel());
      }
    }
  }

  /**
   * Rows of all lengths, in-edges and out-edges, by every path that an edge can take: streamed and
   * walked by a lane or by all, packed lists, whole warps for long rows, a warp for a hub or for
   * one of its chunks, waves, virtual warps. Exact to the bit, with merge functions that show an
   * edge that is lost, taken twice or out of order.
   */
  @Test
  void messagesOfRowsOfAllLengthsAreMergedInOrderOnEveryPath() throws Exception {
    int[] degrees = {0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025};
    SimpleGraph graph = rows(degrees, 40, 70, 140);
    List<Trial> trials = new ArrayList<>();
    for (IrPrograms.OrderedMerge merge : IrPrograms.OrderedMerge.values()) {
      for (DeviceSettings how :
          List.of(
              SETTINGS.withGrouping(1),
              SETTINGS.withGrouping(1).withHubs(1 << 20, 64),
              SETTINGS.withGrouping(1).withHubs(30, 1 << 20),
              SETTINGS.withGrouping(1).withHubs(30, 40),
              SETTINGS.withGrouping(1).withHubs(30, 40).withTuning(DenseTuning.SEGMENTATION),
              SETTINGS.withGrouping(1).withHubs(64, 300).withTuning(TUNINGS.get(2)),
              SETTINGS.withGrouping(1).withHubs(64, 300).withTuning(TUNINGS.get(4)),
              SETTINGS.withGrouping(1).withHubs(64, 300).withTuning(TUNINGS.get(5)),
              SETTINGS.withGrouping(1).withTuning(DenseTuning.WAVES),
              SETTINGS
                  .withGrouping(1)
                  .withHubs(1 << 20, 64)
                  .withTuning(DenseTuning.nested(new WalkSchedule(true, true, true, false))),
              SETTINGS
                  .withGrouping(1)
                  .withHubs(1 << 20, 64)
                  .withTuning(DenseTuning.nested(new WalkSchedule(true, false, false, false))),
              SETTINGS
                  .withGrouping(1)
                  .withTuning(DenseTuning.nested(new WalkSchedule(false, false, false, false))),
              SETTINGS.withGrouping(1).withHubs(30, 40).withTuning(DenseTuning.WAVES.withGroups(8)),
              SETTINGS
                  .withGrouping(1)
                  .withHubs(1 << 20, 64)
                  .withTuning(DenseTuning.WAVES.withGroups(4)),
              SETTINGS.withGrouping(1).withVirtualWarp(1),
              SETTINGS.withGrouping(1).withVirtualWarp(2),
              SETTINGS.withGrouping(1).withVirtualWarp(8),
              SETTINGS.withGrouping(1).withVirtualWarp(32))) {
        trials.addAll(rowTrials(graph, how, merge));
      }
    }
    compareRows(trials);
  }

  /** As above, with rows of 100 000 edges. */
  @Test
  void messagesOfVeryLongRowsAreMergedInOrder() throws Exception {
    SimpleGraph graph = rows(new int[] {3, 100_000}, 100);
    DeviceSettings ungrouped = SETTINGS.withGrouping(1);
    DeviceSettings hubs = ungrouped.withHubs(1000, 1000);
    compareRows(rowTrials(graph, ungrouped, IrPrograms.OrderedMerge.COMPOSE));
    compareRows(rowTrials(graph, hubs, IrPrograms.OrderedMerge.COMPOSE));
    compareRows(rowTrials(graph, ungrouped.withHubs(1 << 20, 1), IrPrograms.OrderedMerge.SUM));
  }

  private static SimpleGraph path(int n, int... cuts) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 10L * v);
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    return new SimpleGraph(ids, null, sources, destinations, null, cuts);
  }

  /** No vertex at all; one vertex; ids without a vertex; partitions of which one is empty. */
  @Test
  void graphsOfNothingRun() {
    SimpleGraph missing =
        new SimpleGraph(
            new long[] {3, 5},
            new boolean[2],
            new int[] {0, 1},
            new int[] {1, 1},
            Columns.allocate(List.of(Kind.LONG), 2),
            1,
            2);
    ProgramInstance program =
        IrPrograms.random(
            new Random(4), new IrPrograms.Options(true, false, false, true, true, true, true));
    for (SimpleGraph graph :
        List.of(edgeless(0), edgeless(0, 0), edgeless(1), edgeless(1, 0), missing)) {
      int n = graph.ids.length;
      for (KernelChoice kernel : KernelChoice.values()) {
        for (DeviceSettings deviceSettings : List.of(SETTINGS, SETTINGS.withGrouping(64))) {
          RunSettings settings =
              new RunSettings(
                  new Object[] {5L, 7},
                  null,
                  ActiveDirection.EITHER,
                  Gather.ACTIVE,
                  Integer.MAX_VALUE,
                  false,
                  kernel,
                  1,
                  null);
          compare(
              n + " vertices, " + kernel,
              engine,
              graph,
              program,
              randomAttributes(new Random(n), n),
              settings,
              deviceSettings);
        }
      }
    }
  }

  private static SimpleGraph edgeless(int n, int... cuts) {
    Columns values = Columns.allocate(List.of(Kind.LONG), 0);
    return new SimpleGraph(new long[n], null, new int[0], new int[0], values, cuts);
  }

  @Test
  void aFaultNamesTheVertexAndLeavesNothingBehind() {
    SimpleGraph graph = path(700, 300);
    ProgramInstance program = IrPrograms.faulty(7);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 700);
    for (KernelChoice kernel : KernelChoice.values()) {
      RunSettings settings = settings(0, ActiveDirection.OUT, kernel, false);
      try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        for (int step = 1; step < 7; step++) {
          run.step(new double[0]);
        }
        // The lowest vertex that counts to seven.
        assertThatThrownBy(() -> run.step(new double[0]))
            .isInstanceOf(ProgramFault.class)
            .hasMessageContaining("too far")
            .hasMessageContaining("in vertexProgram at Test.vertexProgram:")
            .hasMessageEndingWith("vertex 70");
        for (ThrowingCallable use :
            List.<ThrowingCallable>of(
                () -> run.step(new double[0]),
                () -> run.values(0),
                () -> run.finalAggregates(),
                () -> run.results(0, new double[0]))) {
          assertThatThrownBy(use)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("failed in superstep 7");
        }
        run.close();
        run.close();
        assertThatThrownBy(() -> run.values(0))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
      }
      assertThat(device.allocatedBytes()).isEqualTo(engine.residentBytes());
    }
  }

  @Test
  void anInterruptEndsTheRun() {
    SimpleGraph graph = path(10);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 10);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    try (DeviceRun run =
        engine.open(graph, IrPrograms.faulty(99), graph.split(attributes), settings)) {
      run.initialise();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void edgeValuesThatWereNotLoadedAreAskedFor() {
    SimpleGraph graph = path(10);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 10);
    RunSettings settings = settings(0.0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    assertThatThrownBy(
            () -> engine.open(graph, IrPrograms.shortestPaths(), graph.split(attributes), settings))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without edge values");
    assertThat(device.allocatedBytes()).isZero();
  }

  /** 1000 held vertices on a path that turns back on itself, so that groups shrink a lot. */
  private static SimpleGraph comb(int n, int degree) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[n * degree];
    int[] destinations = new int[n * degree];
    for (int e = 0; e < sources.length; e++) {
      sources[e] = e / degree;
      destinations[e] = (e / degree / 64 * 64 + e % 64) % n;
    }
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  @Test
  void everyAllocationIsInThePlan() {
    // Two partitions of 300 and 400 vertices, 299 and 400 in-edges, one ghost at each side.
    SimpleGraph graph = path(700, 300);
    ProgramInstance program = IrPrograms.faulty(7);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 700);
    long structure =
        // In-edges; in-transpose of held vertices and ghosts; degrees.
        4L * (301 + 299 + 401 + 400) + 4L * (302 + 299 + 402 + 400) + 4L * (300 + 400);
    long own =
        // Two buffers of 4 bytes for held vertices and ghosts.
        2 * 4L * (301 + 401)
            // Activity twice, candidates: a bit per vertex in words of 32.
            + 4L * (2 * 10 + 10 + 2 * 13 + 13)
            // Status of 14 words each.
            + 2 * 112
            // The list of partition 0: members and ranks, counts, one position, its flag in a whole
            // word, one value; the struct
            // of even supersteps and that of odd ones.
            + 4L * 2 * 10
            + 8
            + 4
            + 4
            + 4
            + 2 * 6 * 8
            // That of partition 1.
            + 4L * 2 * 13
            + 8
            + 4
            + 4
            + 4
            + 2 * 6 * 8;
    assertThat(engine.estimate(graph, program, settings)).isEqualTo(structure + own);
    assertThat(engine.describeMemory(graph, program, settings))
        .startsWith(structure + own + " bytes: vertex values 5616, ")
        .contains("; " + (structure + own) + " not on the device yet, ")
        .endsWith(" of " + device.memory().total() + " free");
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.plan().totalBytes()).isEqualTo(structure + own);
      assertThat(run.plan().ownBytes()).isEqualTo(own);
      assertThat(device.allocatedBytes()).isEqualTo(structure + own);
      run.initialise();
      run.step(new double[0]);
      assertThat(device.allocatedBytes()).as("later").isEqualTo(structure + own);
      // A second run shares the structure.
      assertThat(engine.estimate(graph, program, settings)).isEqualTo(own);
      try (DeviceRun second = engine.open(graph, program, graph.split(attributes), settings)) {
        assertThat(device.allocatedBytes()).isEqualTo(structure + 2 * own);
        assertThat(second.timings().structureNanos()).isZero();
      }
    }
    assertThat(device.allocatedBytes()).isEqualTo(structure);
    engine.release(graph);
    assertThat(device.allocatedBytes()).isZero();
    // Neither transposes nor candidates nor degrees when it never goes sparse.
    RunSettings dense = settings(0, ActiveDirection.OUT, KernelChoice.DENSE, false);
    assertThat(engine.estimate(graph, program, dense))
        .isEqualTo(structure + own - 4L * (302 + 299 + 402 + 400) - 4L * 700 - 4L * 23);
  }

  @Test
  void aTableIsOnADeviceOnceAndGoesWithTheRun() {
    // Two partitions.
    SimpleGraph graph = path(700, 300);
    int[] costs = new int[100_000];
    Arrays.setAll(costs, i -> i % 7);
    ProgramInstance program = IrPrograms.costs(costs);
    ProgramInstance other = IrPrograms.costs(1, 2);
    assertThat(other.program()).isEqualTo(program.program());
    Columns attributes = Columns.allocate(List.of(Kind.INT), 700);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    long small = engine.estimate(graph, other, settings);
    long large = engine.estimate(graph, program, settings);
    assertThat(large - small).isEqualTo(4L * (100_000 - 2));
    assertThat(engine.describeMemory(graph, program, settings)).contains("captured tables 400000");
    for (ProgramInstance each : List.of(program, other)) {
      long resident = device.allocatedBytes();
      try (DeviceRun run = engine.open(graph, each, graph.split(attributes), settings)) {
        assertThat(device.allocatedBytes()).isGreaterThan(resident + each.tableBytes());
      }
      assertThat(device.allocatedBytes()).isEqualTo(engine.residentBytes());
      compare("tables", engine, graph, each, attributes, settings, SETTINGS);
    }
    engine.release(graph);
    Device tight = DeviceProxies.limited(device, large - 1);
    try (DeviceEngine limited = new DeviceEngine("emulated", tight, SETTINGS.withGrouping(1))) {
      assertThatThrownBy(() -> limited.open(graph, program, graph.split(attributes), settings))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("needs " + large);
      try (DeviceRun run = limited.open(graph, other, graph.split(attributes), settings)) {
        run.initialise();
      }
    }
  }

  /**
   * A dense run in place of a graph on one partition takes what the dissertation counts: offsets,
   * neighbours, edge values, one value a vertex (section 2.1, table 2.2: 4(2V + E) bytes with
   * values of 4 bytes and no edge values), two bits a vertex for who is active, and a few words.
   */
  @Test
  void aDenseRunInPlaceTakesWhatTheDissertationCounts() {
    Random random = new Random(5);
    // Where supersteps are outlined there is an entry for each superstep of a launch, too.
    OutlineSettings outline = SETTINGS.outline();
    DeviceEngine outlines = engine.with(SETTINGS.withOutline(outline.with(Choice.ON)));
    DeviceEngine launches = engine.with(SETTINGS.withOutline(outline.with(Choice.OFF)));
    long entry = 8L * (StatusWord.COUNT + 1);
    long ring = 8L * OutlineLayout.STATE_WORDS + outline.supersteps() * entry;
    for (int n : new int[] {1, 1000, 1025, 5000}) {
      SimpleGraph plain = RandomSimpleGraphs.of(random, n, 7, false, false, 1);
      long e = plain.sources.length;
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      SimpleGraph graph =
          new SimpleGraph(plain.ids, null, plain.sources, plain.destinations, weights);
      RunSettings settings =
          settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, KernelChoice.DENSE, true);
      // Values and edge values of 8 bytes; the offsets have one entry more than there are vertices.
      long paper = 4L * (n + 1) + 4 * e + 8 * e + 8L * n;
      long masks = 2 * 4L * ((n + 31) / 32);
      long statusWords = 14 * 8;
      assertThat(launches.estimate(graph, IrPrograms.shortestPaths(), settings))
          .as("%s vertices, %s edges", n, e)
          .isEqualTo(paper + masks + statusWords);
      assertThat(outlines.estimate(graph, IrPrograms.shortestPaths(), settings))
          .as("%s vertices, %s edges, outlined", n, e)
          .isEqualTo(paper + masks + statusWords + ring);
      assertThat(engine.estimate(graph, IrPrograms.shortestPaths(), settings))
          .as("%s vertices, %s edges, outlined where launches take time", n, e)
          .isEqualTo(paper + masks + statusWords + (device.properties().emulated() ? 0 : ring));
    }
  }

  @Test
  void verticesAreGroupedWhenMemoryIsShort() {
    SimpleGraph graph = comb(1024, 32);
    ProgramInstance program = IrPrograms.faulty(1_000_000);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 1024);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.SPARSE, false);
    engine.release(graph);
    long dense =
        engine.estimate(
            graph, program, settings(0, ActiveDirection.OUT, KernelChoice.DENSE, false));
    long[] needed = new long[5];
    for (int i = 0; i < 5; i++) {
      DeviceSettings fixed = SETTINGS.withGrouping(VertexGrouping.RATIOS.get(i));
      try (DeviceRun run =
          engine.with(fixed).open(graph, program, graph.split(attributes), settings)) {
        needed[i] = run.plan().totalBytes();
        assertThat(run.plan().grouping()).isEqualTo(VertexGrouping.RATIOS.get(i));
      }
    }
    engine.release(graph);
    assertThat(needed).isSortedAccordingTo((a, b) -> Long.compare(b, a)).doesNotHaveDuplicates();
    for (int i = 0; i < 5; i++) {
      for (int spare = 0; spare < 2; spare++) {
        // Just enough for a grouping, or a byte less.
        long memory = needed[i] - spare;
        int fits = i + spare;
        Device small = DeviceProxies.limited(device, memory);
        try (DeviceEngine tight = new DeviceEngine("emulated", small, SETTINGS)) {
          if (fits == 5) {
            assertThatThrownBy(() -> tight.open(graph, program, graph.split(attributes), settings))
                .isInstanceOf(DeviceOutOfMemoryException.class)
                .hasMessageContaining(memory + " bytes free")
                .hasMessageContaining("needs " + needed[4])
                .hasMessageContaining("grouped by 64")
                .hasMessageContaining("set spark.gpugraph.kernel = dense (needs " + dense + ")")
                .hasMessageContaining("spark.gpugraph.engine = cpu");
            assertThat(tight.describeMemory(graph, program, settings))
                .startsWith("does not fit: " + device.properties().name() + " has " + memory);
            assertThat(tight.residentBytes()).isZero();
            continue;
          }
          try (DeviceRun run = tight.open(graph, program, graph.split(attributes), settings)) {
            assertThat(run.plan().grouping()).isEqualTo(VertexGrouping.RATIOS.get(fits));
            run.initialise();
            run.step(new double[0]);
            SuperstepStats stats = run.step(new double[0]);
            assertThat(stats.kernel()).isEqualTo(KernelChoice.SPARSE);
            assertThat(stats.edgesEvaluated()).isEqualTo(1024 * 32);
          }
          if (fits > 1) {
            assertThat(tight.describeMemory(graph, program, settings))
                .endsWith("; vertices grouped by " + VertexGrouping.RATIOS.get(fits));
          }
        }
      }
    }
  }

  @Test
  void anotherGraphsStructureMakesRoom() {
    ProgramInstance program = IrPrograms.faulty(1_000_000);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 1024);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.DENSE, false);
    SimpleGraph one = comb(1024, 32);
    SimpleGraph two = comb(1024, 33);
    long memory = engine.estimate(two, program, settings) + 1000;
    Device small = DeviceProxies.limited(device, memory);
    try (DeviceEngine tight = new DeviceEngine("emulated", small, SETTINGS)) {
      for (SimpleGraph graph : List.of(one, two, one, two)) {
        try (DeviceRun run = tight.open(graph, program, graph.split(attributes), settings)) {
          run.initialise();
          assertThat(run.step(new double[0]).edgesEvaluated()).isEqualTo(graph.edgeCount());
          // What runs is not evicted.
          assertThatThrownBy(
                  () ->
                      tight.open(
                          graph == one ? two : one, program, graph.split(attributes), settings))
              .isInstanceOf(DeviceOutOfMemoryException.class);
          assertThat(run.step(new double[0]).edgesEvaluated()).isEqualTo(graph.edgeCount());
        }
      }
    }
  }

  @Test
  void aReserveIsLeftFree() {
    SimpleGraph graph = path(100);
    ProgramInstance program = IrPrograms.faulty(7);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.SPARSE, false);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 100);
    long needed = engine.estimate(graph, program, settings);
    long free = needed + 5000;
    DeviceSettings enough = SETTINGS.withGrouping(1).withReserve(5000);
    Device limited = DeviceProxies.limited(device, free);
    try (DeviceEngine other = new DeviceEngine("limited", limited, enough)) {
      other.open(graph, program, graph.split(attributes), settings).close();
    }
    DeviceSettings more = enough.withReserve(5001);
    try (DeviceEngine other = new DeviceEngine("limited", limited, more)) {
      assertThatThrownBy(() -> other.open(graph, program, graph.split(attributes), settings))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining((needed - 1) + " bytes free")
          .hasMessageContaining("a run on 1 partition needs " + needed)
          .hasMessageContaining("spark.gpugraph.grouping = auto")
          .hasMessageContaining(
              "less than 5001 bytes to others (spark.gpugraph.gpu.memoryReserve)");
    }
  }

  @Test
  void aSmallFrontierIsGatheredSparsely() {
    SimpleGraph plain = path(2000, 1234);
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), 1999);
    Arrays.fill(weights.doubles(0), 2);
    SimpleGraph graph =
        new SimpleGraph(plain.ids, null, plain.sources, plain.destinations, weights, 1234);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 2000);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[1200] = 0;
    ProgramInstance program = IrPrograms.shortestPaths();
    // Either has no edge filter here: the edges that count are those of the candidate rows.
    RunSettings either =
        settings(Double.POSITIVE_INFINITY, ActiveDirection.EITHER, KernelChoice.SPARSE, false);
    compare("either", engine, graph, program, attributes, either, SETTINGS.withGrouping(1));
    RunSettings settings =
        settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, KernelChoice.AUTO, false);
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      SuperstepStats stats = run.step(new double[0]);
      assertThat(stats.kernel()).isEqualTo(KernelChoice.DENSE);
      assertThat(stats.edgesEvaluated()).isEqualTo(1999);
      for (int step = 2; step < 60; step++) {
        stats = run.step(new double[0]);
        assertThat(stats.kernel()).isEqualTo(KernelChoice.SPARSE);
        assertThat(stats.edgesEvaluated()).isEqualTo(1);
        assertThat(stats.boundaryUpdates())
            .as("superstep %s", step)
            .isEqualTo(step == 33 || step == 34 ? 1 : 0);
      }
      assertThat(run.values(1).doubles(0)[0]).isEqualTo(2.0 * 34);
      assertThat(run.timings().kernelNanos()).isPositive();
      assertThat(run.timings().transferNanos()).isPositive();
    }
  }

  /**
   * Work efficiency (Khorasani 2016, section 3.2), counted by hand: a superstep evaluates as many
   * edges as the vertices that an active one has an edge to have in-edges.
   */
  @Test
  void aSparseSuperstepEvaluatesTheInEdgesOfWhatActiveVerticesReach() {
    int supersteps = 0;
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      int n = 100 + random.nextInt(200);
      SimpleGraph plain = RandomSimpleGraphs.of(random, n, 3, true, false, 1 + seed % 3);
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      Arrays.setAll(weights.doubles(0), e -> 1 + random.nextInt(20));
      SimpleGraph graph =
          new SimpleGraph(
              plain.ids,
              null,
              plain.sources,
              plain.destinations,
              weights,
              plain.partitions().stream().skip(1).mapToInt(p -> p.from).toArray());
      int[] inDegrees = new int[n];
      for (int destination : graph.destinations) {
        inDegrees[destination]++;
      }
      Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
      Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
      attributes.doubles(0)[graph.sources[0]] = 0;
      // The update predicate selects rows, and a row that is selected evaluates all its edges.
      RunSettings settings =
          new RunSettings(
              new Object[] {Double.POSITIVE_INFINITY},
              null,
              ActiveDirection.OUT,
              Gather.ALL,
              Integer.MAX_VALUE,
              false,
              KernelChoice.SPARSE,
              1,
              null);
      try (DeviceRun run =
          engine
              .with(SETTINGS.withGrouping(1).withHubs(20, 30))
              .open(graph, IrPrograms.shortestPaths(), graph.split(attributes), settings)) {
        run.initialise();
        double[] before = distances(graph, run);
        SuperstepStats stats = run.step(new double[0]);
        while (stats.activeVertices() > 0) {
          double[] after = distances(graph, run);
          boolean[] reached = new boolean[n];
          for (int e = 0; e < graph.sources.length; e++) {
            // Active is who got a message, and every message improves its receiver.
            reached[graph.destinations[e]] |= after[graph.sources[e]] != before[graph.sources[e]];
          }
          long expected =
              IntStream.range(0, n).filter(v -> reached[v]).mapToLong(v -> inDegrees[v]).sum();
          before = after;
          stats = run.step(new double[0]);
          assertThat(stats.kernel()).isEqualTo(KernelChoice.SPARSE);
          assertThat(stats.edgesEvaluated())
              .as("seed %s, superstep %s", seed, stats.superstep())
              .isEqualTo(expected);
          supersteps++;
        }
      }
    }
    assertThat(supersteps).isGreaterThan(30);
  }

  private static double[] distances(SimpleGraph graph, DeviceRun run) {
    return graph.partitions().stream()
        .map(p -> run.values(p.index()).doubles(0))
        .flatMapToDouble(Arrays::stream)
        .toArray();
  }

  private static IntPredicate reached(int step) {
    return vertex -> vertex >= step;
  }

  /** A vertex that is active but unchanged is said to other partitions by its position alone. */
  @Test
  void activityTravelsWithoutValues() {
    SimpleGraph graph = path(100, 10, 40);
    // Every message leads to the value 1: all that changes is who is active.
    ProgramInstance program = IrPrograms.pageRank(false, 0.0);
    Columns attributes = Columns.allocate(program.program().state().columns(), 100);
    for (KernelChoice kernel : KernelChoice.values()) {
      RunSettings settings = settings(1.0, ActiveDirection.OUT, kernel, false);
      compare(kernel.toString(), engine, graph, program, attributes, settings, SETTINGS);
      // Either reads no activity in dense supersteps: nothing changes, so nothing is said.
      RunSettings either = settings(1.0, ActiveDirection.EITHER, kernel, false);
      compare("either, " + kernel, engine, graph, program, attributes, either, SETTINGS);
      try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        for (int step = 1; step < 60; step++) {
          SuperstepStats stats = run.step(new double[0]);
          IntPredicate boundary = reached(step);
          assertThat(stats.verticesRun())
              .as("%s, superstep %s", kernel, step)
              .isEqualTo(100 - step);
          assertThat(stats.boundaryUpdates())
              .as("%s, superstep %s", kernel, step)
              .isEqualTo(IntStream.of(9, 10, 39, 40).filter(boundary).count());
          assertThat(stats.boundaryBytes()).isEqualTo(20 * stats.boundaryUpdates());
        }
      }
    }
  }

  /** A growing frontier: sparse is left later than it is entered, as on the processor. */
  @Test
  void aFrontierThatGrowsIsLeftToDenseSuperstepsAsOnTheProcessor() {
    int n = 1023;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, e -> e / 2);
    Arrays.setAll(destinations, e -> e + 1);
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), n - 1);
    Arrays.fill(weights.doubles(0), 1);
    SimpleGraph tree = new SimpleGraph(ids, null, sources, destinations, weights, 100);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    RunSettings settings =
        settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, KernelChoice.AUTO, false);
    ProgramInstance program = IrPrograms.shortestPaths();
    compare("tree", engine, tree, program, attributes, settings, SETTINGS);
    try (DeviceRun run = engine.open(tree, program, tree.split(attributes), settings)) {
      run.initialise();
      // Work before superstep s is 3 · 2^(s-1) of 2045: over 1/24, under 1/16 before superstep 6.
      for (int step = 1; step <= 7; step++) {
        assertThat(run.step(new double[0]).kernel())
            .as("superstep %s", step)
            .isEqualTo(step == 1 || step == 7 ? KernelChoice.DENSE : KernelChoice.SPARSE);
      }
    }
  }

  @Test
  void describesItself() {
    ProgramInstance program = IrPrograms.shortestPaths();
    RunSettings settings =
        settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, KernelChoice.AUTO, true);
    assertThat(engine.name()).isEqualTo("emulated");
    assertThat(engine.describe(program.program(), settings))
        .isEqualTo(
            "streamed rows, pulls over in-edges, dense or sparse by active edges, values"
                + " updated in place, pushes from few active vertices into values by atomic"
                + " operations, up to 512 supersteps a launch, asynchronously in order of priority"
                + " behind 128 supersteps that did not end it, where there are no hubs, from many"
                + " active vertices on a graph that is run again walks rows sorted by an edge value"
                + " as far as they can improve, supersteps that walk rows are launched one by one (few come beside those that push), on "
                + device.properties().name());
    RunSettings steps =
        settings(Double.POSITIVE_INFINITY, ActiveDirection.OUT, KernelChoice.PUSH, false);
    assertThat(engine.describe(program.program(), steps))
        .contains(", a graph of one partition pushes into slots by atomic operations, one super");
    ProgramInstance ordered = IrPrograms.ordered(IrPrograms.OrderedMerge.COMPOSE);
    assertThat(engine.describe(ordered.program(), steps)).contains(", this program never pushes, ");
    DeviceEngine baseline = new DeviceEngine("cuda", device, SETTINGS.withVirtualWarp(8));
    assertThat(baseline.describe(program.program(), settings))
        .startsWith("virtual warps of 8 lanes, ");
    baseline.close();
    baseline.close();
    assertThat(engine.describePartitions(path(100, 50), program.program()))
        .containsExactlyElementsOf(cpu.describePartitions(path(100, 50), program.program()));
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> SETTINGS.withVirtualWarp(3)).hasMessageContaining("3");
    assertThatThrownBy(() -> SETTINGS.withVirtualWarp(64)).hasMessageContaining("64");
    assertThatThrownBy(() -> SETTINGS.withVirtualWarp(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> SETTINGS.withGrouping(8)).hasMessageContaining("got 8");
    assertThatThrownBy(() -> SETTINGS.withHubs(-1, 1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> SETTINGS.withHubs(1, -2)).hasMessageContaining("got -2");
    assertThatThrownBy(() -> SETTINGS.withReserve(-5)).hasMessageContaining("-5");
  }

  /** Whatever call of the device fails, nothing stays allocated and the next run works. */
  @Test
  void aFailureAnywhereLeavesNothingBehind() {
    SimpleGraph graph = path(200, 120);
    ProgramInstance program = IrPrograms.faulty(99);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 200);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.SPARSE, false);
    int failures = 0;
    for (int call = 1; ; call += failuresApart()) {
      DeviceProxies.Fuse fuse = new DeviceProxies.Fuse(call);
      try (DeviceEngine fragile =
          new DeviceEngine("fragile", DeviceProxies.failing(device, fuse), SETTINGS)) {
        try (DeviceRun run = fragile.open(graph, program, graph.split(attributes), settings)) {
          try {
            run.initialise();
            run.step(new double[0]);
            run.step(new double[0]);
            run.values(1);
          } catch (DeviceException e) {
            assertThatThrownBy(() -> run.step(new double[0]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("failed");
            throw e;
          }
        } catch (DeviceException e) {
          assertThat(e).hasMessageContaining("PLANTED");
          failures++;
        }
        assertThat(device.allocatedBytes()).as("call %s", call).isEqualTo(fragile.residentBytes());
        try (DeviceRun run = fragile.open(graph, program, graph.split(attributes), settings)) {
          run.initialise();
          assertThat(run.step(new double[0]).edgesEvaluated()).isEqualTo(199);
        } catch (DeviceException e) {
          // The failing call came only now.
          assertThat(fuse.blown()).isTrue();
        }
        if (!fuse.blown()) {
          break;
        }
      }
      assertThat(device.allocatedBytes()).as("call %s", call).isZero();
    }
    assertThat(failures).isGreaterThan(80 / failuresApart());
  }

  @Test
  void programsShareTheirKernels() {
    SimpleGraph graph = path(10);
    ProgramInstance program = IrPrograms.faulty(99);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 10);
    int[] loads = new int[1];
    Device counting =
        DeviceProxies.observed(device, name -> loads[0] += name.equals("load") ? 1 : 0);
    OutlineSettings outline = SETTINGS.outline();
    DeviceSettings one = SETTINGS.withOutline(outline.with(Choice.OFF));
    try (DeviceEngine shared = new DeviceEngine("shared", counting, one)) {
      for (KernelChoice kernel : KernelChoice.values()) {
        checkBesideAnother(shared, graph, program, attributes, kernel);
      }
      // What servers merge is merged by the program's own function, whatever atomic operations do.
      assertThat(loads[0]).isEqualTo(2);
      DeviceEngine outlines = shared.with(SETTINGS.withOutline(outline.with(Choice.ON)));
      for (KernelChoice kernel : List.of(KernelChoice.DENSE, KernelChoice.SPARSE)) {
        checkBesideAnother(outlines, graph, program, attributes, kernel);
      }
      assertThat(loads[0]).as("one that outlines, for all of them").isEqualTo(3);
    }
  }

  private static void checkBesideAnother(
      DeviceEngine engine,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      KernelChoice kernel) {
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    RunSettings other = settings(3, ActiveDirection.OUT, kernel, false);
    try (DeviceRun one = engine.open(graph, program, graph.split(attributes), settings);
        DeviceRun two = engine.open(graph, program, graph.split(attributes), other)) {
      assertThat(one.initialise().verticesRun()).isEqualTo(10);
      assertThat(two.initialise().verticesRun()).isEqualTo(10);
      assertThat(one.values(0).ints(0)[0]).isZero();
      assertThat(two.values(0).ints(0)[0]).isEqualTo(3);
    }
  }

  /** Runs of several threads on one device do not disturb each other. */
  @Test
  void runsSideBySide() throws Exception {
    SimpleGraph graph = path(300, 100);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 300);
    RunSettings settings = settings(0, ActiveDirection.OUT, KernelChoice.AUTO, false);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<int[]>> all = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int steps = 5 + t;
        all.add(
            threads.submit(
                () -> {
                  int[] last = null;
                  for (int again = 0; again < 5; again++) {
                    try (DeviceRun run =
                        engine.open(
                            graph, IrPrograms.faulty(99), graph.split(attributes), settings)) {
                      run.initialise();
                      for (int step = 0; step < steps; step++) {
                        run.step(new double[0]);
                      }
                      last = run.values(1).ints(0);
                    }
                  }
                  return last;
                }));
      }
      for (int t = 0; t < 3; t++) {
        int steps = 5 + t;
        assertThat(all.get(t).get(5, TimeUnit.MINUTES)).containsOnly(steps).hasSize(200);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(device.allocatedBytes()).isEqualTo(engine.residentBytes());
  }
}
