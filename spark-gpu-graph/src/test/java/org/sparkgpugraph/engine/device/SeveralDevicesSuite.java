package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.exchange.Routes;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.run.SentUpdates;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** What several devices in one run tell each other, and what happens when one of them fails. */
abstract class SeveralDevicesSuite {
  private static final DeviceSettings SETTINGS = DeviceSettings.DEFAULT.withReserve(0);

  private final List<Device> devices = new ArrayList<>();

  /** Opens two devices or more, or skips the test with the reason. */
  abstract List<Device> openDevices();

  /** Those that are open. */
  List<Device> devices() {
    return devices;
  }

  @BeforeEach
  void open() {
    devices.addAll(openDevices());
  }

  @AfterEach
  void nothingIsLeft() {
    for (Device device : devices) {
      assertThat(device.allocatedBytes()).as("%s", device).isZero();
      device.close();
    }
    assertThat(teams()).isEmpty();
  }

  private static List<String> teams() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("gpugraph-device-"))
        .toList();
  }

  private static DeviceEngine engine(List<Device> devices) {
    return engine(devices, DeviceExchange.HUB);
  }

  private static DeviceEngine engine(List<Device> devices, DeviceExchange exchange) {
    DeviceSettings settings = SETTINGS.withExchange(exchange);
    return DeviceEngine.over(
        devices.stream().map(device -> new DeviceEngine("several", device, settings)).toList());
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

  private static RunSettings settings(Object initial, KernelChoice kernel, ExchangeMode exchange) {
    return settings(new Object[] {initial}, kernel, exchange);
  }

  /** Two columns, as random programs have them. */
  private static RunSettings twoColumns(KernelChoice kernel, ExchangeMode exchange) {
    return settings(new Object[] {5L, 7}, kernel, exchange);
  }

  private static RunSettings settings(
      Object[] initial, KernelChoice kernel, ExchangeMode exchange) {
    return new RunSettings(
        initial,
        null,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        false,
        kernel,
        1,
        null,
        exchange);
  }

  /**
   * What goes over the hub, counted where it is copied: of each list that leads to another device
   * position, flags and value of each update, once to the host and, in the next superstep, once
   * from it; beside it the status and the counts of all lists.
   */
  @ParameterizedTest
  @EnumSource(
      value = DeviceExchange.class,
      names = {"HUB", "PEER"})
  void onlyTheUpdatesOfOtherDevicesGoOverTheHub(DeviceExchange exchange) {
    int moved = 0;
    int movedInPlaces = 0;
    boolean hub = exchange == DeviceExchange.HUB || !reachEachOther();
    for (ExchangeMode mode : ExchangeMode.values()) {
      for (int count = 1; count <= devices.size(); count++) {
        AtomicLong bytes = new AtomicLong();
        List<Device> metered =
            devices.subList(0, count).stream()
                .map(device -> DeviceProxies.metered(device, bytes::addAndGet))
                .toList();
        SimpleGraph plain =
            RandomSimpleGraphs.of(new Random(count), 400, 3, true, false, 2 * devices.size() - 1);
        Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
        Arrays.setAll(weights.doubles(0), e -> 1 + e % 7);
        SimpleGraph graph =
            new SimpleGraph(
                plain.ids,
                null,
                plain.sources,
                plain.destinations,
                weights,
                plain.partitions().stream().skip(1).mapToInt(p -> p.from).toArray());
        Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 400);
        Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
        attributes.doubles(0)[graph.sources[0]] = 0;
        RunSettings settings = settings(Double.POSITIVE_INFINITY, KernelChoice.AUTO, mode);
        List<BoundaryList> lists =
            graph.boundaries().stream()
                .sorted(Comparator.comparingInt(BoundaryList::home))
                .toList();
        int devicesUsed = count;
        int words = graph.partitions().size() * StatusWord.COUNT + lists.size();
        int status = Long.BYTES * words;
        try (DeviceEngine engine = engine(metered, exchange);
            DeviceRun run =
                engine.open(graph, IrPrograms.shortestPaths(), graph.split(attributes), settings)) {
          run.initialise();
          long before = 0;
          long told = 0;
          long[] saidBefore = new long[graph.partitions().size()];
          for (int step = 1; step < 8; step++) {
            bytes.set(0);
            boolean dense = run.step(new double[0]).kernel() == KernelChoice.DENSE;
            long[] saidBy = new long[saidBefore.length];
            long[] places = new long[saidBefore.length];
            lists.forEach(list -> places[list.home()] += list.size());
            List<SentUpdates> updates = SentUpdates.of(run);
            long toHost = 0;
            long toDevices = 0;
            for (int i = 0; i < lists.size(); i++) {
              BoundaryList list = lists.get(i);
              int said = updates.get(i).positions().length;
              if (mode == ExchangeMode.BOUNDARY) {
                assertThat(said).isEqualTo(list.size());
              } else if (mode == ExchangeMode.ALL) {
                assertThat(said).isEqualTo(graph.partitions().get(list.home()).stored());
              }
              if (list.home() % devicesUsed != list.reader() % devicesUsed && said > 0) {
                boolean inPlaces =
                    !hub
                        && dense
                        && mode == ExchangeMode.REFINED
                        && places[list.home()] * 9 < saidBefore[list.home()] * 13;
                toHost += said * (4L + 1 + 8);
                toDevices += inPlaces ? list.size() + said * 8L : said * (4L + 1 + 8);
                movedInPlaces += inPlaces ? 1 : 0;
              }
              saidBy[list.home()] += said;
            }
            saidBefore = saidBy;
            String at = mode + ", " + count + " devices, superstep " + step;
            long overHub = toHost + before;
            assertThat(bytes.get()).as(at).isEqualTo(status + (hub ? overHub : 0));
            assertThat(run.timings().hubBytes() - told).as(at).isEqualTo(hub ? overHub : before);
            told = run.timings().hubBytes();
            moved += toHost > 0 ? 1 : 0;
            before = toDevices;
          }
        }
      }
    }
    assertThat(moved).isGreaterThan(15);
    if (hub) {
      assertThat(movedInPlaces).isZero();
    } else if (devices.size() > 2) {
      // Two devices tell each other too little of these graphs.
      assertThat(movedInPlaces).isPositive();
    }
  }

  private boolean reachEachOther() {
    return devices.stream().allMatch(a -> devices.stream().allMatch(b -> a == b || a.canAccess(b)));
  }

  /** All modes give what the CPU engine gives, the values of all partitions after each step. */
  @ParameterizedTest
  @EnumSource(DeviceExchange.class)
  void everyModeOfTheExchangeGivesTheSame(DeviceExchange exchange) {
    try (DeviceEngine engine = engine(devices, exchange)) {
      for (int seed = 0; seed < 6; seed++) {
        Random random = new Random(seed);
        ProgramInstance program =
            IrPrograms.random(
                random, new IrPrograms.Options(true, seed % 2 == 0, true, true, true, true, true));
        SimpleGraph graph =
            RandomSimpleGraphs.of(random, 150, 3, true, seed % 3 == 0, 2 + random.nextInt(4));
        Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), 150);
        Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
        for (ExchangeMode mode : ExchangeMode.values()) {
          RunSettings settings = twoColumns(KernelChoice.values()[seed % 3], mode);
          sameAsOnTheCpu(
              "seed " + seed + ", " + mode,
              engine.with(SETTINGS.withExchange(exchange).withHubs(seed % 2 == 0 ? 1024 : 3, 8)),
              program,
              graph,
              attributes,
              settings);
        }
      }
    }
  }

  /** A partition has more boundary lists than a warp has lanes, each of which asks for one. */
  @ParameterizedTest
  @EnumSource(
      value = DeviceExchange.class,
      names = {"HUB", "PEER"})
  void aPartitionTellsMoreThanThirtyTwoOthers(DeviceExchange exchange) {
    try (DeviceEngine engine = engine(devices.subList(0, 2), exchange)) {
      for (int seed = 0; seed < 2; seed++) {
        Random random = new Random(seed);
        ProgramInstance program =
            IrPrograms.random(
                random, new IrPrograms.Options(true, true, true, false, true, false, true));
        SimpleGraph graph = RandomSimpleGraphs.of(random, 800, 16, true, false, 36);
        assertThat(graph.boundaries().stream().filter(list -> list.home() == 0).count())
            .isGreaterThan(32);
        Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), 800);
        Arrays.setAll(attributes.longs(0), v -> random.nextInt(100));
        RunSettings settings =
            twoColumns(seed == 0 ? KernelChoice.DENSE : KernelChoice.AUTO, ExchangeMode.REFINED);
        sameAsOnTheCpu("seed " + seed, engine, program, graph, attributes, settings);
      }
    }
  }

  /** Compares some supersteps: what is told, aggregates, and the values of all partitions. */
  private static void sameAsOnTheCpu(
      String which,
      DeviceEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    try (EngineRun expected =
            new CpuEngine().open(graph, program, graph.split(attributes), settings);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      double[] aggregates = expected.initialise().aggregates();
      assertThat(run.initialise().aggregates()).isEqualTo(aggregates);
      for (int step = 1; step < 6; step++) {
        String at = which + ", superstep " + step;
        var wanted = expected.step(aggregates);
        var stats = run.step(aggregates);
        aggregates = wanted.aggregates();
        assertThat(stats.aggregates()).as(at).isEqualTo(aggregates);
        assertThat(stats.boundaryUpdates()).as(at).isEqualTo(wanted.boundaryUpdates());
        assertThat(stats.boundaryBytes()).as(at).isEqualTo(wanted.boundaryBytes());
        assertThat(stats.fullBytes()).as(at).isEqualTo(wanted.fullBytes());
        for (SimpleGraph.Partition p : graph.partitions()) {
          Columns values = run.values(p.index());
          for (int v = 0; v < p.stored(); v++) {
            if (graph.present == null || graph.present[p.from + v]) {
              for (int c = 0; c < values.width(); c++) {
                assertThat(values.get(c, v)).as(at).isEqualTo(expected.values(p.index()).get(c, v));
              }
            }
          }
        }
      }
    }
  }

  /** Partitions are dealt out in turn; the plans of the devices are what is allocated there. */
  @Test
  void partitionsAreDealtOutInTurn() {
    SimpleGraph graph = path(900, 200, 300, 600, 700);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 900);
    RunSettings settings = settings(0, KernelChoice.AUTO, ExchangeMode.REFINED);
    ProgramInstance program = IrPrograms.faulty(99);
    try (DeviceEngine engine = engine(devices.subList(0, 2))) {
      long estimate = engine.estimate(graph, program, settings);
      try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        List<DevicePlan> plans = run.plans();
        assertThat(plans).hasSize(2);
        assertThat(plans.get(0).items())
            .extracting(DevicePlan.Item::partition)
            .containsOnly(0, 2, 4);
        assertThat(plans.get(1).items()).extracting(DevicePlan.Item::partition).containsOnly(1, 3);
        for (int d = 0; d < 2; d++) {
          assertThat(devices.get(d).allocatedBytes()).isEqualTo(plans.get(d).totalBytes());
        }
        // Beside what one device needs, an inbox each: one position, flag and value, struct.
        long inbox = 4 + 4 + 4 + 8 * 6;
        try (DeviceEngine one = engine(devices.subList(0, 1))) {
          assertThat(estimate).isEqualTo(one.estimate(graph, program, settings) + 5 * inbox);
        }
        assertThat(estimate).isEqualTo(plans.get(0).totalBytes() + plans.get(1).totalBytes());
      }
      assertThat(engine.describeMemory(graph, program, settings))
          .startsWith("GPU " + devices.get(0).properties().ordinal() + " (")
          .contains(" | GPU " + devices.get(1).properties().ordinal() + " (");
      assertThat(engine.describe(program.program(), settings)).contains("on 2 × ");
    }
  }

  @Test
  void aFaultOnSeveralDevicesNamesTheLowestVertex() {
    // In superstep 7 every vertex from the seventh on stops the program, on both devices.
    SimpleGraph graph = path(700, 300, 500);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 700);
    for (KernelChoice kernel : KernelChoice.values()) {
      RunSettings settings = settings(0, kernel, ExchangeMode.REFINED);
      try (DeviceEngine engine = engine(devices);
          DeviceRun run =
              engine.open(graph, IrPrograms.faulty(7), graph.split(attributes), settings)) {
        run.initialise();
        for (int step = 1; step < 7; step++) {
          run.step(new double[0]);
        }
        assertThatThrownBy(() -> run.step(new double[0]))
            .isInstanceOf(ProgramFault.class)
            .hasMessageEndingWith("vertex 70");
        assertThatThrownBy(() -> run.values(0)).hasMessageContaining("failed in superstep 7");
      }
    }
  }

  @Test
  void tooLittleMemoryOnTheSecondDeviceIsToldWithItsPartitions() {
    SimpleGraph graph = path(900, 300, 600);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 900);
    RunSettings settings = settings(0, KernelChoice.DENSE, ExchangeMode.REFINED);
    Device small = DeviceProxies.limited(devices.get(1), 1000);
    int ordinal = devices.get(1).properties().ordinal();
    try (DeviceEngine engine = engine(List.of(devices.get(0), small))) {
      assertThatThrownBy(
              () -> engine.open(graph, IrPrograms.faulty(9), graph.split(attributes), settings))
          .isInstanceOfSatisfying(
              DeviceOutOfMemoryException.class,
              e -> {
                assertThat(e.ordinal()).isEqualTo(ordinal);
                assertThat(e.free()).isEqualTo(1000);
                assertThat(e.needed()).isGreaterThan(1000);
              })
          .hasMessageStartingWith("GPU " + ordinal + " (")
          .hasMessageContaining("1000 bytes free but a run on partition 1 of 3 needs ")
          .hasMessageContaining("use more executors");
      assertThat(devices.get(0).allocatedBytes()).isZero();
    }
  }

  /** Devices that do not reach each other, or wrongly, take the hub, whatever they should take. */
  @Test
  void withoutPeerAccessTheHubIsTaken() {
    // Such a device too: no other one knows whom these stand for.
    Device first = DeviceProxies.limited(devices.get(0), 1 << 28);
    for (Device second :
        List.of(DeviceProxies.refusing(devices.get(1)), DeviceProxies.garbling(devices.get(1)))) {
      for (DeviceExchange exchange : DeviceExchange.values()) {
        List<Device> both = List.of(first, second);
        List<DeviceHoldings> holdings = both.stream().map(DeviceHoldings::new).toList();
        assertThat(Routes.of(holdings, exchange).between(0, 1)).isEqualTo(Route.HUB);
        assertThat(Routes.of(holdings, exchange).between(1, 0)).isEqualTo(Route.HUB);
        assertThat(Routes.of(holdings, exchange).between(1, 1)).isEqualTo(Route.HERE);
      }
    }
  }

  /** Memory that is short once is no obstacle for later runs. */
  @Test
  void devicesWithoutRoomAreTriedAgain() {
    DeviceMemory block = devices.get(1).allocate(1 << 25, "what leaves no room");
    List<DeviceHoldings> holdings =
        List.of(
            new DeviceHoldings(DeviceProxies.limited(devices.get(0), 1 << 28)),
            new DeviceHoldings(DeviceProxies.limited(devices.get(1), 0)));
    for (DeviceExchange exchange : DeviceExchange.values()) {
      assertThat(Routes.of(holdings, exchange).between(0, 1)).isEqualTo(Route.HUB);
    }
    block.close();
    assertThat(Routes.of(holdings, DeviceExchange.PEER).between(0, 1)).isEqualTo(Route.PEER);
    assertThat(Routes.of(holdings, DeviceExchange.AUTO).between(0, 1)).isIn(Route.HUB, Route.PEER);
  }

  /** A choice that was measured is made once for a pair, whoever of the two asks. */
  @Test
  void theRouteOfAPairIsMeasuredOnce() {
    AtomicLong copies = new AtomicLong();
    List<DeviceHoldings> holdings =
        devices.stream()
            .limit(2)
            .map(d -> DeviceProxies.copying(d, copies::incrementAndGet))
            .map(DeviceHoldings::new)
            .toList();
    Route route = Routes.of(holdings, DeviceExchange.AUTO).between(0, 1);
    long measured = copies.get();
    assertThat(route).isIn(Route.HUB, Route.PEER);
    assertThat(measured).isPositive();
    assertThat(Routes.of(holdings, DeviceExchange.AUTO).between(0, 1)).isEqualTo(route);
    List<DeviceHoldings> turned = List.of(holdings.get(1), holdings.get(0));
    assertThat(Routes.of(turned, DeviceExchange.AUTO).between(0, 1)).isEqualTo(route);
    assertThat(copies.get()).isEqualTo(measured);
  }

  /** Whatever call of the second device fails, nothing stays allocated on any, no thread lives. */
  @ParameterizedTest
  @EnumSource(
      value = DeviceExchange.class,
      names = {"HUB", "PEER"})
  void aFailureOfTheSecondDeviceLeavesNothingBehind(DeviceExchange exchange) {
    SimpleGraph graph = path(200, 120);
    ProgramInstance program = IrPrograms.faulty(99);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 200);
    RunSettings settings = settings(0, KernelChoice.SPARSE, ExchangeMode.REFINED);
    int failures = 0;
    // Not every call: they are some hundreds.
    for (int call = 1; ; call += 3) {
      DeviceProxies.Fuse fuse = new DeviceProxies.Fuse(call);
      Device fragile = DeviceProxies.failing(devices.get(1), fuse);
      try (DeviceEngine engine = engine(List.of(devices.get(0), fragile), exchange)) {
        try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          run.initialise();
          for (int step = 0; step < 3; step++) {
            run.step(new double[0]);
          }
          run.values(1);
        } catch (DeviceException e) {
          assertThat(e).hasMessageContaining("PLANTED");
          assertThat(e.ordinal()).isEqualTo(devices.get(1).properties().ordinal());
          failures++;
        }
        assertThat(teams()).isEmpty();
        assertThat(devices.get(0).allocatedBytes() + devices.get(1).allocatedBytes())
            .as("call %s", call)
            .isEqualTo(engine.residentBytes());
      }
      if (!fuse.blown()) {
        break;
      }
    }
    assertThat(failures).isGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource(
      value = DeviceExchange.class,
      names = {"HUB", "PEER"})
  void aLostDeviceEndsTheRun(DeviceExchange exchange) {
    SimpleGraph graph = path(200, 120);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 200);
    RunSettings settings = settings(0, KernelChoice.DENSE, ExchangeMode.REFINED);
    Device lost = DeviceProxies.lost(devices.get(1), 3);
    try (DeviceEngine engine = engine(List.of(devices.get(0), lost), exchange)) {
      DeviceRun run = engine.open(graph, IrPrograms.faulty(99), graph.split(attributes), settings);
      run.initialise();
      assertThatThrownBy(
              () -> {
                for (int step = 0; step < 5; step++) {
                  run.step(new double[0]);
                }
              })
          .isInstanceOfSatisfying(
              DeviceLostException.class,
              e -> assertThat(e.ordinal()).isEqualTo(devices.get(1).properties().ordinal()));
      assertThatThrownBy(() -> run.step(new double[0])).hasMessageContaining("failed");
      run.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DeviceExchange.class,
      names = {"HUB", "PEER"})
  void anInterruptEndsTheThreadsOfAllDevices(DeviceExchange exchange) {
    SimpleGraph graph = path(100, 30, 60);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 100);
    RunSettings settings = settings(0, KernelChoice.AUTO, ExchangeMode.REFINED);
    try (DeviceEngine engine = engine(devices, exchange);
        DeviceRun run =
            engine.open(graph, IrPrograms.faulty(99), graph.split(attributes), settings)) {
      run.initialise();
      assertThat(teams()).isNotEmpty();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aDeviceIsNotTakenTwice() {
    try (DeviceEngine one = new DeviceEngine("one", devices.get(0), SETTINGS)) {
      assertThatThrownBy(() -> DeviceEngine.over(List.of(one, one)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a device twice");
    }
  }
}
