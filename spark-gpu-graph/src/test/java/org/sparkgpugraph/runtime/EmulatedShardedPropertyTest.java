package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.testing.RandomPrograms;

/**
 * {@link ShardedPropertyTest} with emulated devices, and with devices and CPUs in turn, which must
 * understand each other. {@code -DshardedDeviceCases=N} tries more, {@code -DpropertySeed=S} one
 * again.
 */
@Tag("any-spark")
class EmulatedShardedPropertyTest {
  private static final int BATCHES = 8;
  private static final int CASES = Integer.getInteger("shardedDeviceCases", 50);

  /** Most of the time goes into compiling kernels, so batches run side by side. */
  @Test
  void shardsOnDevicesGiveWhatTheReferenceGives() throws Exception {
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
    DeviceSettings settings = DeviceSettings.DEFAULT.withReserve(0);
    try (DeviceEngine engine = new DeviceEngine("emulated", device, settings)) {
      if (only != null) {
        check(engine, only);
      } else {
        for (long seed = batch; seed < CASES; seed += BATCHES) {
          check(engine, seed);
        }
      }
    }
    assertThat(device.allocations()).as("batch %s", batch).isEmpty();
    device.close();
  }

  private static void check(DeviceEngine engine, long seed) {
    if (seed / BATCHES % 2 == 0) {
      ShardedTrial.check(RandomPrograms.any(seed), seed, engine);
    } else {
      ShardedTrial.check(RandomPrograms.any(seed), seed, new CpuEngine(), engine);
    }
  }
}
