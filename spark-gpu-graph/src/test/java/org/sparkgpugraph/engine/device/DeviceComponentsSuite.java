package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.ComponentCases;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/** Union-find on devices against a sequential one. */
public abstract class DeviceComponentsSuite {
  /** Opens a device; skips the test when there is none. */
  protected abstract Device openDevice(int index);

  /** How many can be open at a time. */
  protected abstract int available();

  /** About how many vertices graphs have that blocks race on. */
  protected abstract int many();

  private static DeviceSettings settings(DeviceExchange exchange) {
    return DeviceSettings.DEFAULT.withReserve(0).withExchange(exchange);
  }

  @Test
  void rootsAreTheSmallestOfTheirComponents() {
    try (Device device = openDevice(0)) {
      try (DeviceEngine engine =
          new DeviceEngine("device", device, settings(DeviceExchange.AUTO))) {
        for (int n : new int[] {2, 70, 1000}) {
          check(engine, ComponentCases.all(n, n));
          for (ComponentCases.Case one : ComponentCases.of(n, n, 1)) {
            checkMirrored(engine, one);
          }
        }
      }
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  @Test
  void blocksThatRaceGiveTheSame() {
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("device", device, settings(DeviceExchange.AUTO))) {
      check(engine, ComponentCases.of(5, many(), 1));
    }
  }

  /** One joins what the others have found, copied directly and over the host. */
  @Test
  void severalDevicesFindTheSame() {
    List<Device> devices = new ArrayList<>();
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      for (int d = 0; d < Math.min(3, available()); d++) {
        devices.add(openDevice(d));
        opened.add(devices.get(d));
      }
      for (DeviceExchange exchange : List.of(DeviceExchange.HUB, DeviceExchange.AUTO)) {
        List<DeviceEngine> engines =
            devices.stream().map(d -> new DeviceEngine("device", d, settings(exchange))).toList();
        try (DeviceEngine all = DeviceEngine.over(engines)) {
          check(all, ComponentCases.all(17, 400));
        }
      }
      devices.forEach(device -> assertThat(device.allocatedBytes()).isZero());
    } finally {
      Closing.all(opened);
    }
  }

  @Test
  void refusesWhatDoesNotFit() {
    try (Device device = openDevice(0);
        DeviceEngine engine =
            new DeviceEngine(
                "device", device, settings(DeviceExchange.AUTO).withReserve(Long.MAX_VALUE / 2))) {
      SimpleGraph graph = RandomSimpleGraphs.of(new Random(1), 100, 2, false, false, 1);
      assertThatThrownBy(() -> engine.components(graph, 1))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("connected components of 100 vertices")
          .hasMessageContaining("spark.gpugraph.engine = cpu");
      assertThat(device.allocatedBytes()).isZero();
    }
  }

  /**
   * Graphs that are their own reverse are found out, and have the same roots when that is known.
   */
  private static void checkMirrored(DeviceEngine engine, ComponentCases.Case one) {
    Map<List<Integer>, Integer> edges = new HashMap<>();
    SimpleGraph graph = one.graph();
    for (int e = 0; e < graph.sources.length; e++) {
      edges.merge(List.of(graph.sources[e], graph.destinations[e]), 1, Integer::sum);
      edges.merge(List.of(graph.destinations[e], graph.sources[e]), -1, Integer::sum);
    }
    boolean mirrored = edges.values().stream().allMatch(left -> left == 0);
    for (int run = 0; run < 2; run++) {
      assertThat(engine.components(graph, 1).roots()).as(one.name()).isEqualTo(one.roots());
      if (graph.ids.length > 0) {
        assertThat(graph.partitions().get(0).inEdges().isMirrored())
            .as(one.name())
            .contains(mirrored);
      }
    }
    engine.release(graph);
  }

  /** Twice: kernels find out of a graph in one piece whether it is its own reverse, or know it. */
  protected static void check(DeviceEngine engine, List<ComponentCases.Case> cases) {
    for (ComponentCases.Case one : cases) {
      int runs = one.graph().partitions().size() == 1 ? 2 : 1;
      for (int run = 0; run < runs; run++) {
        assertThat(engine.components(one.graph(), 1).roots()).as(one.name()).isEqualTo(one.roots());
      }
      engine.release(one.graph());
    }
  }
}
