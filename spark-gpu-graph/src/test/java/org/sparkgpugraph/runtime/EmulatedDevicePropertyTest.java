package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.testing.RandomPrograms;

/**
 * The device engine on emulated devices, with the lanes of every batch in an order of their own:
 * {@code -DdeviceCases=N} tries more, {@code -DpropertySeed=S} one again.
 */
@Tag("any-spark")
class EmulatedDevicePropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("deviceCases", 60);
  private static final int SHARDED_CASES = Integer.getInteger("shardedDeviceCases", 15);

  @Test
  void theDeviceEngineGivesWhatTheReferenceGives() throws Exception {
    inBatches(EmulatedDevicePropertyTest::check);
  }

  @Test
  void shardsOnDevicesGiveWhatTheReferenceGives() throws Exception {
    inBatches(EmulatedDevicePropertyTest::checkShards);
  }

  /** Most of the time goes into compiling kernels, so batches run side by side. */
  private static void inBatches(IntConsumer check) throws Exception {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<?>> batches = new ArrayList<>();
      for (int b = 0; b < BATCHES; b++) {
        int batch = b;
        batches.add(threads.submit(() -> check.accept(batch)));
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
    // One device, two or four, each with an order of its own.
    List<EmulatedDevice> devices = devices(1 << batch % 3, 4L * batch);
    try (DeviceEngine engine = engine(devices)) {
      if (only != null) {
        DeviceTrial.check(engine, only);
      } else {
        for (long seed = batch; seed < CASES; seed += BATCHES) {
          DeviceTrial.check(engine, seed);
        }
      }
    }
    close(devices, batch);
  }

  private static List<EmulatedDevice> devices(int count, long seed) {
    return IntStream.range(0, count)
        .mapToObj(d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed + d), d))
        .toList();
  }

  private static DeviceEngine engine(List<EmulatedDevice> devices) {
    return DeviceEngine.over(
        devices.stream()
            .map(
                device ->
                    new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0)))
            .toList());
  }

  private static void close(List<EmulatedDevice> devices, int batch) {
    for (EmulatedDevice device : devices) {
      assertThat(device.allocations()).as("batch %s, %s", batch, device).isEmpty();
      device.close();
    }
  }

  /** Executor graphs that tell each other what changed, two devices in each. */
  private static void checkShards(int batch) {
    List<EmulatedDevice> devices = devices(2, 7L * batch);
    try (DeviceEngine engine = engine(devices)) {
      for (long seed = batch; seed < SHARDED_CASES; seed += BATCHES) {
        ShardedTrial.check(RandomPrograms.any(seed), seed, engine);
      }
    }
    close(devices, batch);
  }
}
