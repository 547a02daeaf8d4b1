package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The device engine on the emulated device, with the lanes of every batch in an order of their own:
 * {@code -DdeviceCases=N} tries more, {@code -DpropertySeed=S} one again.
 */
class EmulatedDevicePropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("deviceCases", 300);

  static IntStream batches() {
    return IntStream.range(0, BATCHES);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void theDeviceEngineGivesWhatTheReferenceGives(int batch) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    Long only = Long.getLong("propertySeed");
    EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(batch));
    try (DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
      if (only != null) {
        DeviceTrials.check(engine, only);
      } else {
        for (long seed = batch; seed < CASES; seed += BATCHES) {
          DeviceTrials.check(engine, seed);
        }
      }
    }
    assertThat(device.allocations()).isEmpty();
    device.close();
  }
}
