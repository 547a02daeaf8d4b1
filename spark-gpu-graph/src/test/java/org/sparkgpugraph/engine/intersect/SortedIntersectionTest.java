package org.sparkgpugraph.engine.intersect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.graphs.memory.Columns;
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

  /** Every order of lanes and blocks, with every access to memory checked. */
  @Test
  void emulatedDevices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    Map<String, SimpleGraph> graphs = new TreeMap<>(IntersectionCases.shapes());
    for (long seed = 0; seed < 12; seed++) {
      graphs.put("seed " + seed, IntersectionCases.random(seed));
    }
    int seed = 0;
    for (Map.Entry<String, SimpleGraph> each : graphs.entrySet()) {
      EmulatorSettings emulator =
          EmulatorSettings.defaults()
              .withSeed(seed)
              .withMultiprocessors(1 + seed % 3)
              .withChecks(seed++ % 2 == 0);
      SimpleGraph graph = each.getValue();
      try (Device device = new EmulatedDevice(emulator);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        Map<Long, Neighborhood> expected = IntersectionCases.expected(graph);
        assertThat(IntersectionCases.run(List.of(graph), engine, 1))
            .as(each.getKey())
            .isEqualTo(expected);
        int partitions = graph.partitions().size();
        if (partitions > 1 && seed % 3 == 0) {
          assertThat(IntersectionCases.run(ShardGraphs.split(graph, 1), engine, 1))
              .as("shards of " + each.getKey())
              .isEqualTo(expected);
        }
        assertThat(device.allocatedBytes()).as("bytes that are left").isZero();
      }
    }
  }

  /** A device counts without the maps of the threads; fewer threads have fewer of them. */
  @Test
  void heapIsForThoseWhoCount() {
    SimpleGraph graph = IntersectionCases.shapes().get("star");
    SortedIntersection operator = new SortedIntersection(Measure.TRIANGLES);
    long one = operator.heapBytes(new OperatorInput(graph, null, cpu, 1, 0, 1));
    assertThat(operator.heapBytes(new OperatorInput(graph, null, cpu, 9, 0, 1)) - one)
        .isEqualTo(8 * (4 * 1000 + 1000 / 4));
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
    assertThatThrownBy(() -> new IntersectionTuning(32, 10240, 5, 1025))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1024");
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
