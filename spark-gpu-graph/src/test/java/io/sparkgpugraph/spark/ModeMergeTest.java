package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import io.sparkgpugraph.testing.RandomPrograms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that give a vertex the most frequent of its messages, on emulated devices. */
@Tag("any-spark")
class ModeMergeTest {
  private static final int CASES = Integer.getInteger("modeCases", 12);

  @Test
  void devicesGiveWhatTheReferenceGives() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    for (int seed = 0; seed < CASES; seed++) {
      try (EmulatedDevice device =
          new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed), 0)) {
        try (DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
          DeviceTrials.check(engine, RandomPrograms.mode(seed), seed);
        }
        assertThat(device.allocations()).isEmpty();
      }
    }
  }
}
