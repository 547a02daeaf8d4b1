package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.CountedRun.same;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.CountedRun;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Gathers that read hot vertices first on the emulated device, where they do by themselves, and
 * mistakes planted in them.
 */
@Tag("any-spark")
class HotVerticesTest extends HotVerticesSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** A vertex behind those whose values are near is taken for one of them. */
  @Test
  void aVertexThatIsNotNearIsFound() {
    isFound("return u < (int)f.hotNear", "return u <= (int)f.hotNear");
  }

  /** What is near is read before it is there. */
  @Test
  void aMissingBarrierIsFound() {
    isFound("  __syncthreads();\n  sgg_gather_rows", "  sgg_gather_rows");
  }

  /** Vertices of the last rank keep the values of the superstep before. */
  @Test
  void aValueThatIsNotTakenIsFound() {
    isFound("i < count; i += threads", "i + 1 < count; i += threads");
  }

  /** A hub's next value is not left where it is read. */
  @Test
  void aHubThatLeavesNothingIsFound() {
    isFound("own, nullptr, sgg_rank(f, v));", "own, nullptr, -1);");
  }

  /** The other ends of a warp's next edges are those of the ones before. */
  @Test
  void endsThatAreNotLoadedAheadAreFound() {
    isFound("first + count, left - count, neighbour);", "first, left - count, neighbour);");
  }

  private void isFound(String what, String by) {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(random, 1);
      try (Device device = openDevice(seed)) {
        Device planted = DeviceProxies.plantingInSome(device, what, by);
        check("seed " + seed, planted, FEW, RANKS, graph, ranks(graph, random), 0.0);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed: " + by);
  }

  // ---- where
  // -------------------------------------------------------------------------------------

  /** What a run launches, the first one on its device, or the second one. */
  private static boolean readsHotFirst(
      Device device, HotVertices hot, ProgramInstance program, int iterations, boolean second) {
    Random random = new Random(5);
    SimpleGraph graph = graph(random, 0);
    Columns attributes = numbers(List.of(Kind.DOUBLE, Kind.DOUBLE), graph.ids.length, random);
    RunSettings settings = everyVertex(iterations, 0.0);
    List<String> launches = new ArrayList<>();
    Device counted = DeviceProxies.launching(device, (kernel, blocks) -> launches.add(kernel));
    try (DeviceEngine engine = new DeviceEngine("counted", counted, settings(hot))) {
      for (int i = 0; i < (second ? 2 : 1); i++) {
        engine.awaitKernels();
        try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          SuperstepLoop.run(
              "counted", run, settings, graph.ids.length, program.program().aggregates(), s -> {});
          assertThat(run.notes())
              .anyMatch(note -> note.matches("gathers .*(hot vertices first|order of ids).*"));
        }
        if (i == 0 && second) {
          assertThat(launches).doesNotContain("hot_gather");
        }
      }
    }
    return launches.contains("hot_gather");
  }

  /** By the supersteps of a run, the edges of a graph, and how many end near; not at once. */
  @Test
  void autoTakesLongRunsOverManyEdgesThatEndNear() {
    HotVertices auto = FEW.with(HotVertices.Choice.AUTO);
    try (Device device = openDevice(1)) {
      HotVertices pays = auto.withFrom(new HotVertices.From(4, 100, 0.02, 0));
      assertThat(readsHotFirst(device, pays, RANKS, 4, true)).isTrue();
      assertThat(readsHotFirst(device, pays, RANKS, 4, false)).isFalse();
      assertThat(readsHotFirst(device, pays, RANKS, 3, true)).isFalse();
      HotVertices larger = auto.withFrom(new HotVertices.From(4, 100_000, 0.02, 0));
      assertThat(readsHotFirst(device, larger, RANKS, 4, true)).isFalse();
      HotVertices hotter = auto.withFrom(new HotVertices.From(4, 100, 0.9, 0));
      assertThat(readsHotFirst(device, hotter, RANKS, 4, true)).isFalse();
    }
  }

  /** Of several partitions those that have edges enough, and a fault of each is told as without. */
  @Test
  void autoTakesThePartitionsThatHaveEnough() {
    Random random = new Random(11);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 500, 4, true, false, 3);
    long most = graph.partitions().stream().mapToLong(p -> p.inEdges().edges()).max().orElseThrow();
    assertThat(graph.partitions()).filteredOn(p -> p.inEdges().edges() == most).hasSize(1);
    HotVertices auto =
        FEW.with(HotVertices.Choice.AUTO).withFrom(new HotVertices.From(1, most, 0.02, 0));
    Columns attributes = ranks(graph, random);
    int iterations = 3;
    RunSettings settings = everyVertex(iterations, 0.0);
    try (Device device = openDevice(7)) {
      CountedRun wanted =
          run(
              device,
              settings(FEW.with(HotVertices.Choice.OFF)),
              RANKS,
              graph,
              attributes,
              settings);
      List<String> launches = new ArrayList<>();
      Device counted = DeviceProxies.launching(device, (kernel, blocks) -> launches.add(kernel));
      try (DeviceEngine engine = new DeviceEngine("counted", counted, settings(auto))) {
        for (int i = 0; i < 2; i++) {
          launches.clear();
          CountedRun found = CountedRun.of(engine, launches, RANKS, graph, attributes, settings);
          same(wanted, found, "run " + i);
          engine.awaitKernels();
        }
      }
      assertThat(launches.stream().filter("hot_gather"::equals)).hasSize(iterations);
    }
  }

  /** Some partitions have other kernels then, whose faults are numbered alike. */
  @Test
  void aFaultOfEachPartitionIsToldAsWithout() {
    Random random = new Random(12);
    SimpleGraph graph = RandomSimpleGraphs.of(random, 300, 4, true, false, 3);
    long most = graph.partitions().stream().mapToLong(p -> p.inEdges().edges()).max().orElseThrow();
    HotVertices auto =
        FEW.with(HotVertices.Choice.AUTO).withFrom(new HotVertices.From(1, most, 0.02, 0));
    RunSettings settings = everyVertex(1, 0);
    try (Device device = openDevice(8);
        DeviceEngine engine = new DeviceEngine("emulated", device, settings(auto));
        DeviceEngine plain =
            new DeviceEngine("plain", device, settings(FEW.with(HotVertices.Choice.OFF)))) {
      List<String> launches = List.of();
      Columns zero = Columns.allocate(List.of(Kind.INT), graph.ids.length);
      CountedRun.of(engine, launches, IrPrograms.faulty(9), graph, zero, settings);
      engine.awaitKernels();
      for (SimpleGraph.Partition p : graph.partitions()) {
        int edge = 0;
        while (graph.destinations[edge] < p.from || graph.destinations[edge] >= p.to) {
          edge++;
        }
        Columns far = Columns.allocate(List.of(Kind.INT), graph.ids.length);
        far.ints(0)[graph.sources[edge]] = 8;
        List<String> told = new ArrayList<>();
        for (DeviceEngine each : List.of(engine, plain)) {
          assertThatThrownBy(
                  () -> CountedRun.of(each, launches, IrPrograms.faulty(9), graph, far, settings))
              .isInstanceOf(ProgramFault.class)
              .satisfies(fault -> told.add(fault.getMessage()));
        }
        assertThat(told.get(0)).contains("too far").isEqualTo(told.get(1));
      }
    }
  }

  /** Ranks are made by the first run over a graph, and stay. */
  @Test
  void ranksAreMadeOnceForAGraph() {
    Random random = new Random(6);
    SimpleGraph graph = graph(random, 0);
    Columns attributes = ranks(graph, random);
    try (Device device = openDevice(2)) {
      List<String> launches = new ArrayList<>();
      Device counted = DeviceProxies.launching(device, (kernel, blocks) -> launches.add(kernel));
      try (DeviceEngine engine = new DeviceEngine("counted", counted, settings(FEW))) {
        for (int i = 0; i < 3; i++) {
          engine.open(graph, RANKS, graph.split(attributes), everyVertex(2, 0.0)).close();
        }
        long structure = engine.residentBytes();
        assertThat(launches.stream().filter("ranks_finish"::equals)).hasSize(1);
        engine.release(graph);
        // Offsets, the vertices by rank with their number, and the ranks; neighbours of both kinds.
        int n = graph.ids.length;
        assertThat(structure).isEqualTo(4L * (2 * (n + 1) + n + 2 * graph.sources.length));
        assertThat(engine.residentBytes()).isZero();
      }
    }
  }

  /** A program that stops itself says where and why, as it does without. */
  @Test
  void aFaultIsToldAsWithout() {
    Random random = new Random(9);
    SimpleGraph graph = graph(random, 0);
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    List<String> told = new ArrayList<>();
    try (Device device = openDevice(5)) {
      for (HotVertices hot : List.of(FEW, FEW.with(HotVertices.Choice.OFF))) {
        assertThatThrownBy(
                () ->
                    run(
                        device,
                        settings(hot),
                        IrPrograms.faulty(3),
                        graph,
                        attributes,
                        everyVertex(5, 0)))
            .isInstanceOf(ProgramFault.class)
            .satisfies(fault -> told.add(fault.getMessage()));
      }
    }
    assertThat(told).hasSize(2);
    assertThat(told.get(0)).isEqualTo(told.get(1)).contains("too far");
  }

  /** Values that come from a checkpoint are put in the order of ranks before they are read. */
  @Test
  void restoredValuesAreRead() {
    Random random = new Random(10);
    SimpleGraph graph = graph(random, 1);
    Columns attributes = ranks(graph, random);
    Columns others = ranks(graph, random);
    List<Columns> found = new ArrayList<>();
    try (Device device = openDevice(6)) {
      for (HotVertices hot : List.of(FEW, FEW.with(HotVertices.Choice.OFF))) {
        try (DeviceEngine engine = new DeviceEngine("emulated", device, settings(hot));
            DeviceRun run =
                engine.open(graph, RANKS, graph.split(attributes), everyVertex(9, 0.0))) {
          run.initialise();
          run.step(new double[0]);
          run.step(new double[0]);
          run.restore(1, graph.split(others), Collections.singletonList(run.activity(0)));
          run.step(new double[0]);
          run.step(new double[0]);
          found.add(run.values(0));
        }
      }
    }
    for (int v = 0; v < graph.ids.length; v++) {
      assertThat(found.get(0).get(0, v)).isEqualTo(found.get(1).get(0, v));
    }
  }

  /** Where there is no room for ranks, gathers read other ends as they would without. */
  @Test
  void withoutRoomForRanksNothingChanges() {
    Random random = new Random(7);
    SimpleGraph graph = graph(random, 0);
    Columns attributes = ranks(graph, random);
    RunSettings run = everyVertex(2, 0.0);
    try (Device device = openDevice(3)) {
      DeviceSettings off = settings(FEW.with(HotVertices.Choice.OFF));
      long needed;
      try (DeviceEngine engine = new DeviceEngine("emulated", device, off)) {
        needed = engine.estimate(graph, RANKS, run);
      }
      Device tight = DeviceProxies.limited(device, needed + 100);
      CountedRun found = run(tight, settings(FEW), RANKS, graph, attributes, run);
      assertThat(found.launches()).doesNotContain("hot_gather");
      same(run(device, off, RANKS, graph, attributes, run), found, "tight");
    }
  }

  /** Programs that read more of the other end than numbers, or do not gather all rows always. */
  @Test
  void programsThatCannotAreLeftAlone() {
    try (Device device = openDevice(4)) {
      ProgramInstance reads = IrPrograms.components();
      RunSettings active = IrPrograms.settings(Long.MAX_VALUE, KernelChoice.DENSE);
      Random random = new Random(8);
      SimpleGraph graph = graph(random, 1);
      Columns attributes = numbers(List.of(Kind.LONG), graph.ids.length, random);
      assertThat(run(device, settings(FEW), reads, graph, attributes, active).launches())
          .doesNotContain("hot_gather");
    }
  }
}
