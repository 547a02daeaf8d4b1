package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.testing.ArrayPrograms;

/** Random programs of arrays on random graphs against the sequential reference. */
class ArrayProgramsPropertyTest {
  private static final int CASES = Integer.getInteger("propertyCases", 1000) / 5;
  private static final int DEVICE_CASES = Integer.getInteger("deviceCases", 400) / 8;

  @Test
  void theCpuEngineGivesWhatTheReferenceGives() {
    for (long seed = 0; seed < CASES; seed++) {
      EnginePropertyTest.check(ArrayPrograms.any(seed), seed);
      if (seed % 4 == 0) {
        ShardedTrial.check(ArrayPrograms.any(seed), seed, new CpuEngine());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theEmulatedDeviceGivesWhatTheReferenceGives(int count) {
    List<EmulatedDevice> devices =
        IntStream.range(0, count)
            .mapToObj(d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(d), d))
            .toList();
    try (DeviceEngine engine = engine("emulated", devices)) {
      check(engine, 1000L * count);
    }
    for (EmulatedDevice device : devices) {
      assertThat(device.allocations()).isEmpty();
      device.close();
    }
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatTheReferenceGives() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    try (Device device = CudaDevices.open(search.gpus().get(0), settings);
        DeviceEngine engine = engine("cuda", List.of(device))) {
      check(engine, 0);
    }
  }

  private static DeviceEngine engine(String name, List<? extends Device> devices) {
    return DeviceEngine.over(
        devices.stream()
            .map(device -> new DeviceEngine(name, device, DeviceSettings.DEFAULT.withReserve(0)))
            .toList());
  }

  private static void check(DeviceEngine engine, long first) {
    for (long seed = first; seed < first + DEVICE_CASES; seed++) {
      DeviceTrial.check(engine, ArrayPrograms.any(seed), seed);
      if (seed % 3 == 0) {
        ShardedTrial.check(ArrayPrograms.any(seed), seed, engine);
      }
    }
  }
}
