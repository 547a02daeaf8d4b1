package org.sparkgpugraph.engine.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
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

/** Graphs are peeled as a sequential program does it. */
@Tag("any-spark")
class PeelingOperatorTest {
  private final CpuEngine cpu = new CpuEngine();

  @Test
  void shapesThatAreKnownByHeart() {
    Map<String, SimpleGraph> shapes = CoreCases.shapes();
    shapes.forEach((name, graph) -> CoreCases.check(name, graph, cpu, 2));
    int all = PeelingOperator.ALL;
    assertThat(CoreCases.run(shapes.get("complete 40"), all, cpu, 1)).containsOnly(39);
    assertThat(CoreCases.run(shapes.get("star 33"), all, cpu, 1)).containsOnly(1);
    assertThat(CoreCases.run(shapes.get("parallel edges"), all, cpu, 1))
        .containsExactly(2, 2, 1, 0);
    assertThat(CoreCases.run(shapes.get("bipartite 5 x 795"), all, cpu, 1)).containsOnly(5);
    assertThat(CoreCases.run(shapes.get("loops only"), 1, cpu, 1)).containsOnly(0);
  }

  @Test
  void randomGraphs() {
    for (long seed = 0; seed < 60; seed++) {
      CoreCases.check("seed " + seed, CoreCases.random(seed), cpu, 1 + (int) (seed % 4));
    }
  }

  /** So many that threads go together. */
  @Test
  void threadsThatRaceGiveTheSame() {
    SimpleGraph graph = large(3);
    int[] one = CoreCases.run(graph, PeelingOperator.ALL, cpu, 1);
    assertThat(Arrays.stream(one).max().orElseThrow()).isGreaterThan(5);
    for (int run = 0; run < 5; run++) {
      assertThat(CoreCases.run(graph, PeelingOperator.ALL, cpu, 4)).isEqualTo(one);
    }
  }

  private static SimpleGraph large(long seed) {
    SimpleGraph one = RandomSimpleGraphs.of(new Random(seed), 30_000, 5, true, false, 1);
    int m = one.sources.length;
    int[] sources = Arrays.copyOf(one.sources, 2 * m);
    int[] destinations = Arrays.copyOf(one.destinations, 2 * m);
    System.arraycopy(one.destinations, 0, sources, m, m);
    System.arraycopy(one.sources, 0, destinations, m, m);
    return new SimpleGraph(one.ids, null, sources, destinations, null);
  }

  /** Every order of lanes and blocks, with every access to memory checked. */
  @Test
  void emulatedDevices() {
    Map<String, SimpleGraph> graphs = new TreeMap<>(CoreCases.shapes());
    graphs.keySet().removeAll(List.of("star 31", "star 32", "star 511", "star 512"));
    for (long seed = 0; seed < 10; seed++) {
      graphs.put("seed " + seed, CoreCases.random(seed));
    }
    EmulatedEngines.forEach(
        graphs,
        graph -> graph,
        (name, graph, engine, number) -> {
          CoreCases.checkAll(name, graph, engine, 1);
          CoreCases.checkOne(name, graph, 1 + number % 5, engine, 1);
        });
  }

  /** Lists of who is left are made anew, and waves take warps of several blocks. */
  @Test
  void emulatedDeviceWithManyVertices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    SimpleGraph graph = large(4);
    int[] expected = CoreCases.run(graph, PeelingOperator.ALL, cpu, 1);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      assertThat(CoreCases.run(graph, PeelingOperator.ALL, engine, 1)).isEqualTo(expected);
      engine.release(graph);
    }
  }

  @Test
  void deviceWithoutRoomRefuses() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    SimpleGraph graph = CoreCases.shapes().get("path");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withMemoryBytes(1500));
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      assertThatThrownBy(() -> CoreCases.run(graph, PeelingOperator.ALL, engine, 1))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("cores of 100 vertices");
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  @Test
  void graphsInPiecesAreRefused() {
    SimpleGraph pieces = RandomSimpleGraphs.of(new Random(1), 20, 2, false, false, 2);
    assertThatThrownBy(() -> CoreCases.run(pieces, 1, cpu, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 partitions");
    SimpleGraph whole = CoreCases.shapes().get("path");
    assertThatThrownBy(
            () -> new PeelingOperator(1).open(new OperatorInput(whole, null, cpu, 1, 0, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 shards");
    assertThatThrownBy(() -> new PeelingOperator(-1)).hasMessageContaining("-1");
  }
}
