package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.testing.RandomPrograms;

/** The cases of {@link EmulatedDevicePropertyTest} on GPUs: as many as there are, up to four. */
@Tag("gpu")
@Tag("sanitizer")
class CudaDevicePropertyTest {
  /** Fewer under a sanitizer, which takes ten times as long and more. */
  private static final int CASES =
      Integer.getInteger("deviceCases", System.getProperty("sgg.sanitizer") == null ? 80 : 24);

  @Test
  void theDeviceEngineGivesWhatTheReferenceGives() {
    // One GPU, two or four in turn, as far as they are there.
    List<Device> devices = OpenDevices.several(1);
    List<DeviceEngine> engines =
        devices.stream().map(d -> new DeviceEngine("cuda", d, DeviceSettings.DEFAULT)).toList();
    Long only = Long.getLong("propertySeed");
    for (long seed = only != null ? only : 0; seed < (only != null ? only + 1 : CASES); seed++) {
      int count = Math.min(engines.size(), 1 << seed % 3);
      DeviceTrial.check(DeviceEngine.over(engines.subList(0, count)), seed);
      if (seed % 5 == 0) {
        ShardedTrial.check(
            RandomPrograms.any(seed), seed, DeviceEngine.over(engines.subList(0, count)));
      }
    }
    engines.forEach(DeviceEngine::close);
    for (Device device : devices) {
      assertThat(device.allocatedBytes()).isZero();
      device.close();
    }
  }
}
