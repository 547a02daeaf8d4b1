package org.sparkgpugraph.engine.strong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
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

/** Strongly connected components are those that walks from every vertex find. */
@Tag("any-spark")
class StrongComponentsOperatorTest {
  private final CpuEngine cpu = new CpuEngine();

  @Test
  void shapesThatAreKnownByHeart() {
    Map<String, SimpleGraph> shapes = StrongCases.shapes();
    shapes.forEach((name, graph) -> StrongCases.check(name, graph, cpu, 2));
    assertThat(StrongCases.run(shapes.get("cycle within a cycle"), cpu, 1)).containsOnly(-50);
    assertThat(StrongCases.run(shapes.get("path"), cpu, 1)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(StrongCases.run(shapes.get("chain of pairs"), cpu, 1)).distinct())
        .hasSize(31);
  }

  @Test
  void randomGraphs() {
    for (long seed = 0; seed < 60; seed++) {
      StrongCases.check("seed " + seed, StrongCases.random(seed), cpu, 1 + (int) (seed % 4));
    }
  }

  /** So many that threads go together; one component has most, and there are others. */
  private static SimpleGraph large(long seed) {
    SimpleGraph one = RandomSimpleGraphs.of(new Random(seed), 20_000, 2, true, true, 1);
    return new SimpleGraph(one.ids, one.present, one.sources, one.destinations, null);
  }

  @Test
  void threadsThatRaceGiveTheSame() {
    SimpleGraph graph = large(3);
    long[] one = StrongCases.run(graph, cpu, 1);
    assertThat(Arrays.stream(one).distinct().count()).isBetween(5_000L, 19_000L);
    for (int run = 0; run < 5; run++) {
      assertThat(StrongCases.run(graph, cpu, 4)).isEqualTo(one);
    }
  }

  /** Every order of lanes and blocks, with every access to memory checked. */
  @Test
  void emulatedDevices() {
    Map<String, SimpleGraph> graphs = new TreeMap<>(StrongCases.shapes());
    for (long seed = 0; seed < 10; seed++) {
      graphs.put("seed " + seed, StrongCases.random(seed));
    }
    EmulatedEngines.forEach(
        graphs,
        graph -> graph,
        (name, graph, engine, number) -> StrongCases.check(name, graph, engine, 1));
  }

  @Test
  void emulatedDeviceWithManyVertices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    SimpleGraph graph = large(4);
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      assertThat(StrongCases.run(graph, engine, 1)).isEqualTo(StrongCases.run(graph, cpu, 1));
      engine.release(graph);
    }
  }

  @Test
  void deviceWithoutRoomRefuses() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    SimpleGraph graph = StrongCases.shapes().get("path");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withMemoryBytes(3000));
        DeviceEngine engine =
            new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
      assertThatThrownBy(() -> StrongCases.run(graph, engine, 1))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("strongly connected components of 90 vertices");
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  @Test
  void graphsInPiecesAreRefused() {
    SimpleGraph pieces = RandomSimpleGraphs.of(new Random(1), 20, 2, false, false, 2);
    assertThatThrownBy(() -> StrongCases.run(pieces, cpu, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 partitions");
    SimpleGraph whole = StrongCases.shapes().get("path");
    OperatorInput shard = new OperatorInput(whole, null, cpu, 1, 0, 3);
    assertThatThrownBy(() -> new StrongComponentsOperator().open(shard))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 shards");
  }
}
