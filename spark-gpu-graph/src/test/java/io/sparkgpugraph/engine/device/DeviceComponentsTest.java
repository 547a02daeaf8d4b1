package io.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.ComponentCases;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Union-find on emulated devices, in many orders of lanes. */
@Tag("any-spark")
class DeviceComponentsTest extends DeviceComponentsSuite {
  @Override
  Device openDevice(int index) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(index), index);
  }

  @Override
  int available() {
    return 3;
  }

  @Override
  int many() {
    return 20_000;
  }

  /** Lanes change at every atomic operation, and every access to memory is checked. */
  @Test
  void anyOrderOfLanesGivesTheSame() {
    for (int seed = 0; seed < 12; seed++) {
      EmulatorSettings emulator =
          EmulatorSettings.defaults()
              .withSeed(seed)
              .withMultiprocessors(1 + seed % 3)
              .withChecks(true);
      try (Device device = new EmulatedDevice(emulator);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        check(engine, ComponentCases.all(seed, 300));
      }
    }
  }
}
