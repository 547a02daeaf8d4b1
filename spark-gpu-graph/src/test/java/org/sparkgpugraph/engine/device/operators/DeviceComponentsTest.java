package org.sparkgpugraph.engine.device.operators;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.ComponentCases;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceComponentsSuite;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Union-find on emulated devices, in many orders of lanes. */
@Tag("any-spark")
class DeviceComponentsTest extends DeviceComponentsSuite {
  @Override
  public Device openDevice(int index) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(index), index);
  }

  @Override
  public int available() {
    return 3;
  }

  @Override
  public int many() {
    return 8_000;
  }

  /** Lanes change at every atomic operation, and every access to memory is checked. */
  @Test
  void anyOrderOfLanesGivesTheSame() {
    for (int seed = 0; seed < 8; seed++) {
      EmulatorSettings emulator =
          EmulatorSettings.defaults()
              .withSeed(seed)
              .withMultiprocessors(1 + seed % 3)
              .withChecks(true);
      try (Device device = new EmulatedDevice(emulator);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        check(engine, ComponentCases.of(seed, 150, 1 + 2 * (seed % 2)));
      }
    }
  }
}
