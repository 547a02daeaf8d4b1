package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** Graphs whose edges lie in the host's memory, as a whole or in part, against resident ones. */
abstract class HostEdgesSuite {
  private static final DeviceSettings RESIDENT = DeviceSettings.DEFAULT.withReserve(0);

  /** Calls that take of the host's memory. */
  private static final Set<String> OF_THE_HOST = Set.of("allocateSplit", "allocatePinned");

  private Device device;
  private DeviceEngine engine;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  /** Edges of large graphs: on a device some of their arrays should be of several pages. */
  abstract int edges();

  @BeforeEach
  void open() {
    device = openDevice();
    engine = new DeviceEngine("device", device, RESIDENT);
  }

  @AfterEach
  void nothingIsLeft() {
    engine.close();
    assertThat(device.allocatedBytes()).isZero();
    device.close();
  }

  /** Rounds in which all run. */
  private static RunSettings rounds() {
    return new RunSettings(
        null,
        new Object[] {0.0},
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        5,
        false,
        KernelChoice.AUTO,
        1,
        null);
  }

  /**
   * What a run came to.
   *
   * @param values arrays by partition and column
   */
  private record Ended(Object[][] values, List<SuperstepStats> steps) {
    void isThatOf(Ended other, String what) {
      assertThat(Arrays.deepEquals(values, other.values)).as(what).isTrue();
    }
  }

  private static Ended run(
      DeviceEngine on,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      RunSettings settings) {
    try (DeviceRun run = on.open(graph, program, graph.split(attributes), settings)) {
      List<SuperstepStats> steps = new ArrayList<>();
      SuperstepLoop.run("device", run, settings, graph.ids.length, List.of(), steps::add);
      Object[][] values = new Object[graph.partitions().size()][];
      for (int p = 0; p < values.length; p++) {
        Columns columns = run.values(p);
        values[p] = new Object[columns.width()];
        Arrays.setAll(values[p], columns::array);
      }
      return new Ended(values, steps);
    }
  }

  /** Compares a run of resident edges with those of others, to the bit, and tells what it did. */
  private List<SuperstepStats> check(
      String what,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      RunSettings settings) {
    Ended expected = run(engine, graph, program, attributes, settings);
    long resident = engine.residentBytes();
    engine.release(graph);
    // Nothing, and half of one side's neighbours.
    for (long room : new long[] {0, 2L * graph.sources.length}) {
      DeviceEngine host = engine.with(RESIDENT.withEdgeBytes(room));
      Ended got = run(host, graph, program, attributes, settings);
      got.isThatOf(expected, what + ", room " + room);
      if (room == 0) {
        assertThat(engine.residentBytes())
            .as("%s: nothing per edge is on the device", what)
            .isLessThan(resident)
            .isLessThan(40L * (graph.ids.length + 32));
      }
      engine.release(graph);
    }
    return expected.steps();
  }

  private SimpleGraph graph(Random random, int vertices, int edges) {
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    for (int e = 0; e < edges; e++) {
      // Half of the edges begin at few vertices.
      sources[e] = random.nextInt(e % 2 == 0 ? vertices : 1 + vertices / 1000);
      destinations[e] = random.nextInt(vertices);
    }
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), edges);
    Arrays.setAll(weights.doubles(0), e -> 1 + random.nextInt(100));
    long[] ids = new long[vertices];
    Arrays.setAll(ids, v -> 3L * v - 1000);
    return new SimpleGraph(ids, null, sources, destinations, weights);
  }

  private static Columns starts(int n) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    return attributes;
  }

  /** Ranks at first, and what one over the out-degree might be. */
  private static Columns ranks(int n) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE, Kind.DOUBLE), n);
    for (int v = 0; v < n; v++) {
      attributes.doubles(0)[v] = 1;
      attributes.doubles(1)[v] = 1.0 / (1 + v % 17);
    }
    return attributes;
  }

  @Test
  void ranksAreTheSameToTheBit() {
    SimpleGraph graph = graph(new Random(1), edges() / 8, edges());
    Columns attributes = ranks(graph.ids.length);
    for (boolean contributions : new boolean[] {false, true}) {
      List<SuperstepStats> steps =
          check(
              "contributions " + contributions,
              graph,
              IrPrograms.pageRank(contributions, 0.85),
              attributes,
              rounds());
      assertThat(steps.get(1).edgesEvaluated()).isEqualTo(edges());
    }
  }

  /** By every kernel that walks rows or pushes, with values of edges. */
  @Test
  void pathsAreTheSameByEveryKernel() {
    for (KernelChoice kernel : KernelChoice.values()) {
      if (kernel == KernelChoice.DELEGATED) {
        continue; // Merges numbers by an atomic operation all the same.
      }
      Random random = new Random(kernel.ordinal());
      int m = kernel == KernelChoice.AUTO ? edges() : edges() / 4;
      SimpleGraph graph = graph(random, m / 6, m);
      List<SuperstepStats> steps =
          check(
              kernel.name(),
              graph,
              IrPrograms.shortestPaths(),
              starts(graph.ids.length),
              IrPrograms.settings(Double.POSITIVE_INFINITY, kernel));
      assertThat(steps).as("%s", kernel).isNotEmpty();
    }
  }

  /** Small graphs: holes, several partitions, no edges. */
  @Test
  void randomGraphsAreThoseOfPregel() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 40, 333}[seed % 3];
      SimpleGraph graph =
          RandomSimpleGraphs.of(random, n, seed == 3 ? 0 : 3, true, seed % 2 == 1, 1 + seed % 2);
      ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
      Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, n);
      RunSettings settings =
          IrPrograms.settings(MergeAlgebra.MIN.identity(Kind.INT), KernelChoice.AUTO);
      IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
      try (DeviceRun run =
          engine
              .with(RESIDENT.withEdgeBytes(0))
              .open(graph, program, graph.split(attributes), settings)) {
        SuperstepLoop.run("device", run, settings, n, List.of(), step -> {});
        oracle.check(run, "seed " + seed);
      }
      engine.release(graph);
    }
  }

  @Test
  void componentsAreFoundWhereTheEdgesLie() {
    SimpleGraph graph = graph(new Random(2), edges() / 2, edges());
    int[] roots = engine.components(graph, 1).roots();
    engine.release(graph);
    DeviceEngine host = engine.with(RESIDENT.withEdgeBytes(0));
    assertThat(host.components(graph, 1).roots()).isEqualTo(roots);
    assertThat(engine.residentBytes()).isLessThan(5L * graph.ids.length);
  }

  /** A graph that does not fit runs there, is explained, and leaves nothing. */
  @Test
  void aGraphLargerThanTheDeviceRunsThere() {
    SimpleGraph graph = graph(new Random(3), edges() / 16, edges());
    Columns attributes = ranks(graph.ids.length);
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    RunSettings settings = rounds();
    Ended expected = run(engine, graph, program, attributes, settings);
    engine.release(graph);
    long whole = engine.estimate(graph, program, settings);
    Csr rows = graph.partitions().get(0).inEdges();
    long most = whole - 2L * rows.edges();
    Device small = DeviceProxies.limited(device, most, Long.MAX_VALUE);
    try (DeviceEngine limited = new DeviceEngine("device", small, RESIDENT)) {
      assertThat(limited.estimate(graph, program, settings)).isLessThanOrEqualTo(most);
      assertThat(limited.describeMemory(graph, program, settings))
          .containsPattern(
              "; [0-9]+ of "
                  + 4L * rows.edges()
                  + " bytes of edges stay in the host's memory and are read there: [0-9.]+ s for all");
      Ended got = run(limited, graph, program, attributes, settings);
      got.isThatOf(expected, "larger than the device");
      assertThat(limited.residentBytes()).isLessThan(most);
    }
    Device poor = DeviceProxies.limited(device, most, rows.edges());
    try (DeviceEngine refusing = new DeviceEngine("device", poor, RESIDENT)) {
      assertThatThrownBy(() -> run(refusing, graph, program, attributes, settings))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("has " + rows.edges() + " bytes free")
          .hasMessageContaining("what of the edges of a run on 1 partition has no room on the GPU")
          .hasMessageContaining("let the host have more memory free beside the heap");
    }
  }

  /** Of edges, and of what is page-locked: nothing stays allocated, and the next run is right. */
  @Test
  void memoryOfTheHostThatIsRefusedLeavesNothingBehind() {
    SimpleGraph graph = graph(new Random(5), 60, 400);
    Columns attributes = ranks(graph.ids.length);
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    RunSettings settings = rounds();
    Ended expected = run(engine, graph, program, attributes, settings);
    engine.release(graph);
    DeviceSettings half = RESIDENT.withEdgeBytes(2L * graph.sources.length);
    Set<String> refused = new TreeSet<>();
    for (int call = 1; ; call++) {
      DeviceProxies.Fuse fuse = new DeviceProxies.Fuse(call);
      try (DeviceEngine fragile =
          new DeviceEngine("fragile", DeviceProxies.failing(device, fuse, OF_THE_HOST), half)) {
        try {
          run(fragile, graph, program, attributes, settings)
              .isThatOf(expected, "before call " + call);
        } catch (DeviceException e) {
          assertThat(e).hasMessageContaining("PLANTED");
          refused.add(e.getMessage().split(" ")[0]);
        }
        if (!fuse.blown()) {
          break;
        }
        assertThat(device.allocatedBytes()).as("call %s", call).isEqualTo(fragile.residentBytes());
        run(fragile, graph, program, attributes, settings)
            .isThatOf(expected, "behind call " + call);
      }
      assertThat(device.allocatedBytes()).as("call %s", call).isZero();
    }
    assertThat(refused).isEqualTo(OF_THE_HOST);
  }
}
