package org.sparkgpugraph.engine.device.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.PermissiveTrial;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexRange;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Borders between emulated devices that move from superstep to superstep. */
@Tag("any-spark")
public class PermissiveTest {
  private final List<Device> devices = new ArrayList<>();

  @BeforeEach
  void open() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    for (int d = 0; d < 4; d++) {
      devices.add(new EmulatedDevice(EmulatorSettings.defaults().withSeed(d).withChecks(true), d));
    }
  }

  @AfterEach
  void nothingIsLeft() {
    for (Device device : devices) {
      assertThat(device.allocatedBytes()).as("%s", device).isZero();
      device.close();
    }
  }

  @Test
  void bordersAnywhereGiveWhatTheCpuEngineGives() {
    for (int seed = 0; seed < 6; seed++) {
      PermissiveTrial.randomBorders(devices.subList(0, seed % 2 == 0 ? 2 : 4), seed);
    }
  }

  @Test
  void bordersAnywhereGiveWhatSequentialPregelGives() {
    for (int seed = 0; seed < 5; seed++) {
      PermissiveTrial.reference(devices.subList(0, seed % 2 == 0 ? 2 : 4), seed);
    }
  }

  @Test
  void valuesInPlaceAreHandedOver() {
    for (int seed = 0; seed < 2; seed++) {
      PermissiveTrial.inPlace(devices.subList(0, seed % 2 == 0 ? 2 : 4), seed);
    }
  }

  @Test
  void columnsThatNoEdgeReadsAreHandedOverToo() {
    for (int seed = 0; seed < 4; seed++) {
      PermissiveTrial.unreadColumns(devices.subList(0, 2), seed);
    }
  }

  @Test
  void bordersMoveToTheWork() {
    PermissiveTrial.bordersMoveToTheWork(devices.subList(0, 2));
    PermissiveTrial.bordersMoveToTheWork(devices);
  }

  /** Four devices of ten sections, of which the last has 5 rows of its 32. */
  @Test
  void rangesOverlapByAShareOfTheNeighboursEdges() {
    SimpleGraph graph = path(293, 60, 60, 200);
    Sections sections = Sections.of(graph, 32, true, false);
    assertThat(sections.core()).containsExactly(0, 2, 2, 6, 10);
    assertThat(sections.edgesBefore()).startsWith(0, 31, 63).endsWith(287, 292);
    assertThat(sections.ranges(0))
        .containsExactly(
            new VertexRange(0, 64),
            new VertexRange(64, 64),
            new VertexRange(64, 192),
            new VertexRange(192, 293));
    assertThat(sections.ranges(0.6))
        .containsExactly(
            new VertexRange(0, 64),
            new VertexRange(32, 128),
            new VertexRange(64, 224),
            new VertexRange(128, 293));
    assertThat(sections.ranges(1))
        .containsExactly(
            new VertexRange(0, 64),
            new VertexRange(0, 192),
            new VertexRange(64, 293),
            new VertexRange(64, 293));
  }

  @Test
  void bordersShareOutWhatWasCountedAsFarAsBothSidesHoldIt() {
    SimpleGraph graph = path(1280, 320, 640, 960);
    Sections sections = Sections.of(graph, 32, true, false);
    MovingBorders borders = new MovingBorders(null, sections, sections.ranges(0.51), 100, null);
    long[] uneven = {100, 0, 0, 0};
    assertThat(borders.counts(uneven)).isTrue();
    assertThat(borders.counts(new long[] {99, 99, 99, 99})).isFalse();
    assertThat(borders.decide(2, true, uneven, null)).isFalse();
    // All of it in the first ten sections: the second device holds five of them.
    assertThat(borders.decide(2, true, uneven, (d, s) -> d == 0 ? 32 : 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(160L, 480L, 800L);
    assertThat(borders.firstRow(1)).isZero();
    assertThat(borders.endRow(1)).isEqualTo(320);
    assertThat(borders.firstRow(2)).isZero();
    // As many everywhere, though not as many as there are.
    assertThat(borders.decide(3, true, uneven, (d, s) -> 8)).isTrue();
    assertThat(borders.vertices()).containsExactly(320L, 640L, 960L);
    assertThat(borders.decide(4, true, new long[] {50, 51, 50, 49}, (d, s) -> 1 / 0)).isFalse();
    assertThat(borders.moves()).isEqualTo(2);
    // Nothing was counted: borders stay. All rows are walked: they go back.
    assertThat(borders.decide(5, true, uneven, (d, s) -> d == 3 ? 32 : 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(480L, 800L, 1120L);
    assertThat(borders.decide(6, true, uneven, (d, s) -> 0)).isFalse();
    assertThat(borders.decide(7, false, uneven, (d, s) -> 1 / 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(320L, 640L, 960L);
    assertThat(borders.moves()).isEqualTo(3);
  }

  /** The third and fourth device hold nothing of the first ones', so these have halves. */
  @Test
  void noDeviceIsGivenWhatOthersFurtherOnDoNotHold() {
    SimpleGraph graph = path(1280, 320, 640, 960);
    Sections sections = Sections.of(graph, 32, true, false);
    MovingBorders borders = new MovingBorders(null, sections, sections.ranges(1), 100, null);
    long[] uneven = {100, 0, 0, 0};
    assertThat(borders.decide(2, true, uneven, (d, s) -> d == 0 ? 32 : 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(160L, 320L, 640L);
    borders = new MovingBorders(null, sections, sections.ranges(1), 100, null);
    assertThat(borders.decide(2, true, uneven, (d, s) -> d == 3 ? 32 : 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(640L, 960L, 1120L);
    // Twenty sections that three devices can take: six, seven and seven.
    borders = new MovingBorders(null, sections, sections.ranges(1), 100, null);
    assertThat(borders.decide(2, true, uneven, (d, s) -> d < 2 ? 32 : 0)).isTrue();
    assertThat(borders.vertices()).containsExactly(192L, 416L, 640L);
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

  private static RunSettings settings(KernelChoice kernel, ExchangeMode exchange) {
    return new RunSettings(
        new Object[] {0},
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

  /** With less memory the overlap is smaller, and at last there is none. */
  @Test
  void theOverlapIsAsLargeAsMemoryAllows() {
    SimpleGraph graph = path(4096, 2048);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 4096);
    RunSettings settings = settings(KernelChoice.SPARSE, ExchangeMode.REFINED);
    ProgramInstance program = IrPrograms.faulty(99);
    DeviceSettings how = PermissiveTrial.SETTINGS.withExchange(DeviceExchange.HUB);
    List<Device> two = devices.subList(0, 2);
    long fixed;
    try (DeviceEngine engine = PermissiveTrial.engine(two.subList(0, 2), how)) {
      fixed = engine.estimate(graph, program, settings);
    }
    long wanted = Long.MAX_VALUE / 2;
    int held = Integer.MAX_VALUE;
    int overlaps = 0;
    while (true) {
      long limit = wanted - 1;
      List<Device> limited =
          two.stream().map(device -> DeviceProxies.limited(device, limit)).toList();
      try (DeviceEngine engine = PermissiveTrial.engine(limited, how)) {
        try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          run.initialise();
          for (int step = 0; step < 3; step++) {
            run.step(new double[0]);
          }
          long bytes = run.plans().stream().mapToLong(DevicePlan::totalBytes).max().getAsLong();
          assertThat(bytes).isLessThan(wanted);
          if (!run.borders().canMove()) {
            assertThat(run.plans().stream().mapToLong(DevicePlan::totalBytes).sum())
                .isEqualTo(fixed);
            break;
          }
          int rows = run.borders().graph().partitions().get(0).stored();
          assertThat(rows).isLessThan(held).isGreaterThan(2048);
          held = rows;
          wanted = bytes;
          overlaps++;
        }
        assertThat(engine.residentBytes()).isPositive();
        engine.release(graph);
        assertThat(engine.residentBytes()).isZero();
      }
    }
    assertThat(overlaps).isEqualTo(Permissive.SHARES.size());
  }

  /** Structure stays on the devices: a second run uploads none. */
  @Test
  void theNextRunFindsTheOverlapOnTheDevices() {
    SimpleGraph graph = path(1000, 500);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 1000);
    RunSettings settings = settings(KernelChoice.SPARSE, ExchangeMode.REFINED);
    try (DeviceEngine engine =
        PermissiveTrial.engine(devices.subList(0, 2), PermissiveTrial.SETTINGS)) {
      long resident = 0;
      for (int i = 0; i < 2; i++) {
        try (DeviceRun run =
            engine.open(graph, IrPrograms.faulty(99), graph.split(attributes), settings)) {
          run.initialise();
          assertThat(run.borders().canMove()).isTrue();
        }
        assertThat(i == 0 || engine.residentBytes() == resident).isTrue();
        resident = engine.residentBytes();
      }
      assertThat(resident).isPositive();
    }
  }

  @Test
  void bordersThatCannotMoveAreFixed() {
    SimpleGraph graph = path(900, 300, 600);
    ProgramInstance program = IrPrograms.faulty(99);
    RunSettings sparse = settings(KernelChoice.SPARSE, ExchangeMode.REFINED);
    RunSettings everyVertex =
        new RunSettings(
            null,
            new Object[] {0.0},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            5,
            false,
            KernelChoice.AUTO,
            1,
            null);
    RunSettings dense = settings(KernelChoice.DENSE, ExchangeMode.REFINED);
    assertThat(Permissive.refusal(graph, sparse, 3)).isEmpty();
    assertThat(Permissive.refusal(program.program(), sparse)).isEmpty();
    assertThat(Permissive.refusal(graph, sparse, 1)).hasValue("the run has one device");
    assertThat(Permissive.refusal(graph, sparse, 2)).hasValue("3 partitions are on 2 devices");
    assertThat(Permissive.refusal(graph, settings(KernelChoice.AUTO, ExchangeMode.ALL), 3))
        .hasValue("updates are not refined: the exchange is ALL");
    assertThat(Permissive.refusal(program.program(), dense).orElseThrow())
        .contains("the dense kernel is forced");
    assertThat(Permissive.refusal(IrPrograms.pageRank(false, 0.85).program(), everyVertex))
        .hasValue("the program runs every vertex in every superstep");
  }
}
