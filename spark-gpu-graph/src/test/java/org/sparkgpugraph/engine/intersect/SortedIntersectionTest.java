package org.sparkgpugraph.engine.intersect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.EmulatedEngines;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.testing.ShardGraphs;

/** Neighbourhoods are intersected right on the CPU, in one piece and in shards. */
@Tag("any-spark")
class SortedIntersectionTest {
  private final CpuEngine cpu = new CpuEngine();

  @Test
  void shapesThatAreKnownByHeart() {
    IntersectionCases.shapes().forEach(this::check);
    Map<Long, Neighborhood> wheel =
        IntersectionCases.run(List.of(IntersectionCases.shapes().get("wheel 33")), cpu, 2);
    assertThat(wheel.get(-50L)).isEqualTo(new Neighborhood(33, 33, 33));
    assertThat(wheel.get(-47L)).isEqualTo(new Neighborhood(3, 2, 2));
  }

  @Test
  void randomGraphs() {
    for (long seed = 0; seed < 60; seed++) {
      check("seed " + seed, IntersectionCases.random(seed));
    }
  }

  /**
   * Rows of many hubs, some of which have bitmaps, and of other vertices: see {@link HubBitmaps}.
   */
  @Test
  void rowsOfManyHubs() {
    for (boolean bothWays : new boolean[] {false, true}) {
      SimpleGraph graph = IntersectionCases.near(5000, 35, 120, bothWays);
      assertThat(IntersectionCases.run(List.of(graph), cpu, 3))
          .as("both ways: " + bothWays)
          .isEqualTo(IntersectionCases.expected(graph));
    }
  }

  @Test
  void hubsAreCountedOverManyBitmaps() {
    for (int bitmaps : new int[] {0, 1, 6, 7, 8, 5000}) {
      Random random = new Random(bitmaps);
      HubCounts counts = new HubCounts();
      int[] expected = new int[HubBitmaps.HUBS];
      for (int b = 0; b < bitmaps; b++) {
        long[] words = counts.next();
        for (int k = 0; k < words.length; k++) {
          words[k] = k % 2 == 0 ? random.nextLong() : -1;
        }
        for (int w = 0; w < expected.length; w++) {
          expected[w] += (int) (words[w >>> 6] >>> w & 1);
        }
        counts.count();
      }
      assertThat(counts.sums()).as(bitmaps + " bitmaps").isEqualTo(expected);
    }
  }

  /** Every order of lanes and blocks, with every access to memory checked. */
  @Test
  void emulatedDevices() {
    Map<String, SimpleGraph> graphs = new TreeMap<>(IntersectionCases.shapes());
    for (long seed = 0; seed < 12; seed++) {
      graphs.put("seed " + seed, IntersectionCases.random(seed));
    }
    EmulatedEngines.forEach(
        graphs,
        graph -> graph,
        (name, graph, engine, number) -> {
          Map<Long, Neighborhood> expected = IntersectionCases.expected(graph);
          assertThat(IntersectionCases.run(List.of(graph), engine, 1)).as(name).isEqualTo(expected);
          if (graph.partitions().size() > 1 && number % 3 == 0) {
            assertThat(IntersectionCases.run(ShardGraphs.split(graph, 1), engine, 1))
                .as("shards of " + name)
                .isEqualTo(expected);
          }
        });
  }

  /**
   * Lists of all that is named, in parts; rows in slices, by the words of a map and by its cells.
   */
  @Test
  void emulatedDevicesWithOtherConstants() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    List<String> shapes =
        List.of("complete 70", "cliques 48", "copies 300", "parallel behind a block");
    Map<String, SimpleGraph> graphs = new TreeMap<>(IntersectionCases.shapes());
    graphs.keySet().retainAll(shapes);
    assertThat(graphs).hasSize(shapes.size());
    for (long seed = 20; seed < 22; seed++) {
      graphs.put("seed " + seed, IntersectionCases.random(seed));
    }
    List<IntersectionTuning> tunings =
        List.of(
            new IntersectionTuning(1, 1, 5, 8, 1, 7, 257),
            new IntersectionTuning(3, 3, 1000, 1, 16, 100, 300),
            new IntersectionTuning(1 << 20, 100, 100, 4, 3, 100, 4096));
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withChecks(true));
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      for (IntersectionTuning tuning : tunings) {
        graphs.forEach(
            (name, graph) ->
                assertThat(IntersectionCases.run(List.of(graph), engine, 1, tuning))
                    .as(name + ", " + tuning)
                    .isEqualTo(IntersectionCases.expected(graph)));
      }
    }
  }

  /**
   * With less and less memory of the device rows are made there, then by the host, then refused;
   * nothing is left there, and nothing is counted wrong.
   */
  @Test
  void deviceWithoutRoomLetsTheHostMakeRows() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    SimpleGraph graph = IntersectionCases.shapes().get("complete 70");
    Map<Long, Neighborhood> expected = IntersectionCases.expected(graph);
    Set<String> ways = new LinkedHashSet<>();
    for (int bytes = 60_000; bytes >= 10_000; bytes -= 2_500) {
      try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withMemoryBytes(bytes));
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        PhaseTimes.start();
        String way;
        try {
          assertThat(IntersectionCases.run(List.of(graph), engine, 1))
              .as(bytes + " bytes")
              .isEqualTo(expected);
          way = "device";
        } catch (DeviceOutOfMemoryException e) {
          way = "refused";
        }
        boolean host =
            PhaseTimes.stop().stream()
                .anyMatch(phase -> phase.name().equals("intersect: oriented rows"));
        ways.add(host && way.equals("device") ? "host" : way);
        engine.release(graph);
        assertThat(device.allocatedBytes()).as(bytes + " bytes: what is left").isZero();
      }
    }
    assertThat(ways).containsExactly("device", "host", "refused");
  }

  /** Leaves of a star have one neighbour each, whose row none of them needs. */
  @Test
  void starOfManyLeaves() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    int leaves = 100_000;
    IntersectionCases.Edges star = new IntersectionCases.Edges();
    for (int v = 1; v <= leaves; v++) {
      star.add(0, v);
    }
    star.add(1, 2);
    SimpleGraph graph = star.graph(leaves + 1);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withChecks(false));
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      Map<Long, Neighborhood> found = IntersectionCases.run(List.of(graph), engine, 1);
      assertThat(found.get(-50L)).isEqualTo(new Neighborhood(leaves, 1, 1));
      assertThat(found.get(-47L)).isEqualTo(new Neighborhood(2, 1, 1));
      assertThat(found.get(-41L)).isEqualTo(new Neighborhood(1, 0, 0));
      engine.release(graph);
    }
  }

  /** A device counts without the maps of the threads; fewer threads have fewer of them. */
  @Test
  void heapIsForThoseWhoCount() {
    SimpleGraph graph = IntersectionCases.shapes().get("star");
    SortedIntersection operator = new SortedIntersection(Measure.TRIANGLES);
    long one = operator.heapBytes(new OperatorInput(graph, null, cpu, 1, 0, 1));
    assertThat(operator.heapBytes(new OperatorInput(graph, null, cpu, 9, 0, 1)) - one)
        .isEqualTo(8 * (4 * 1000 + 1000 / 4 + 2 * HubCounts.BYTES + 8 * HubBitmaps.HUBS));
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
      assertThat(operator.heapBytes(new OperatorInput(graph, null, engine, 9, 0, 1)))
          .isEqualTo(operator.heapBytes(new OperatorInput(graph, null, engine, 1, 0, 1)))
          .isLessThan(one);
    }
  }

  @Test
  void moreEntriesThanKernelsStepOverAreRefused() {
    OrientedRows.room(GraphPartition.MAX_EDGES, "the rows");
    assertThatThrownBy(() -> OrientedRows.room(GraphPartition.MAX_EDGES + 1L, "the rows"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the rows have 2147418112 entries")
        .hasMessageContaining("spark.gpugraph.executors");
    assertThatThrownBy(() -> new IntersectionTuning(64, 2560, 1024, 8, 17, 2048, 4096))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the depth at most 16");
  }

  /** In one piece, a shard for each partition, and two shards of what there is. */
  private void check(String name, SimpleGraph graph) {
    Map<Long, Neighborhood> expected = IntersectionCases.expected(graph);
    int partitions = graph.partitions().size();
    assertThat(IntersectionCases.run(List.of(graph), cpu, 2)).as(name).isEqualTo(expected);
    if (partitions > 1) {
      List<ExecutorGraph> each = ShardGraphs.split(graph, IntStream.range(1, partitions).toArray());
      assertThat(IntersectionCases.run(each, cpu, 2)).as("shards of " + name).isEqualTo(expected);
    }
    if (partitions > 2) {
      List<ExecutorGraph> two = ShardGraphs.split(graph, partitions - 1);
      assertThat(IntersectionCases.run(two, cpu, 1))
          .as("two shards of " + name)
          .isEqualTo(expected);
    }
  }

  @Test
  void triangleCountsThatAreNoIntegersAreRefused() {
    Columns one = Columns.allocate(List.of(Kind.INT), 1);
    Measure.TRIANGLES.put(one, 0, 100_000, Integer.MAX_VALUE, 0);
    assertThat(one.ints(0)[0]).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> Measure.TRIANGLES.put(one, 0, 100_000, 1L << 31, 0))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("2147483648 triangles")
        .hasMessageContaining("Neighborhoods");
  }
}
