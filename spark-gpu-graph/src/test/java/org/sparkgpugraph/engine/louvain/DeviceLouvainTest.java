package org.sparkgpugraph.engine.louvain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.EmulatedEngines;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.engine.louvain.DeviceLouvainCases.Case;

/**
 * A device finds what the CPU's cores find, to the bit, whatever its size and in whatever order its
 * blocks and lanes run. ({@link LouvainOperatorTest} tells whether that is right.)
 */
@Tag("any-spark")
class DeviceLouvainTest {
  private static void check(Map<String, Case> cases) {
    EmulatedEngines.forEach(
        cases,
        Case::graph,
        (name, each, engine, number) -> {
          String what = name + ", seed " + number;
          assertThat(each.check(what, engine)).as(what + " has room").isTrue();
        });
  }

  @Test
  void shapes() {
    check(DeviceLouvainCases.shapes(DeviceLouvainCases.SMALL));
  }

  @Test
  void rowsOfAllLengths() {
    check(DeviceLouvainCases.larger(DeviceLouvainCases.SMALL));
  }

  /** Wherever memory ends: before the first level, in it, or between two. */
  @Test
  void withoutRoomTheCpuDoesIt() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    Case each =
        DeviceLouvainCases.larger(DeviceLouvainCases.SMALL).get("refined, in order at the end");
    int onDevice = 0;
    int onCpu = 0;
    for (long bytes = 1 << 14; bytes <= 1 << 19; bytes *= 2) {
      try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withMemoryBytes(bytes));
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        if (each.check(bytes + " bytes", engine)) {
          onDevice++;
        } else {
          onCpu++;
        }
        engine.release(each.graph());
        assertThat(device.allocatedBytes()).as("bytes that are left").isZero();
      }
    }
    assertThat(onDevice).isPositive();
    assertThat(onCpu).isPositive();
  }
}
