package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.testing.RandomPrograms;

/** Programs that give a vertex the most frequent of its messages, on emulated devices. */
@Tag("any-spark")
class ModeMergeTest {
  private static final int CASES = Integer.getInteger("modeCases", 8);

  @Test
  void devicesGiveWhatTheReferenceGives() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    for (int seed = 0; seed < CASES; seed++) {
      try (EmulatedDevice device =
          new EmulatedDevice(
              EmulatorSettings.defaults().withSeed(seed).withChecks(seed % 2 == 0), 0)) {
        try (DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
          DeviceTrial.check(engine, RandomPrograms.mode(seed), seed);
        }
        assertThat(device.allocations()).isEmpty();
      }
    }
  }
}
