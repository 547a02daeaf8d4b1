package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * The device engine on emulated devices, with the lanes of every batch in an order of their own:
 * {@code -DdeviceCases=N} tries more, {@code -DpropertySeed=S} one again.
 */
class EmulatedDevicePropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("deviceCases", 300);

  /** Most of the time goes into compiling kernels, so batches run side by side. */
  @Test
  void theDeviceEngineGivesWhatTheReferenceGives() throws Exception {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<?>> batches = new ArrayList<>();
      for (int b = 0; b < BATCHES; b++) {
        int batch = b;
        batches.add(threads.submit(() -> check(batch)));
      }
      for (Future<?> batch : batches) {
        batch.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void check(int batch) {
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
    assertThat(device.allocations()).as("batch %s", batch).isEmpty();
    device.close();
  }
}
