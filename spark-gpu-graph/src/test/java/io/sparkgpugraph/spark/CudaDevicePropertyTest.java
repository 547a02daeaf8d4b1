package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSearch;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import io.sparkgpugraph.engine.device.Device;
import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cases of {@link EmulatedDevicePropertyTest} on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaDevicePropertyTest {
  /** Fewer under a sanitizer, which takes ten times as long and more. */
  private static final int CASES =
      Integer.getInteger("deviceCases", System.getProperty("sgg.sanitizer") == null ? 300 : 24);

  @Test
  void theDeviceEngineGivesWhatTheReferenceGives() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    Device device = CudaDevices.open(search.gpus().get(0), settings);
    try (DeviceEngine engine = new DeviceEngine("cuda", device, DeviceSettings.DEFAULT)) {
      Long only = Long.getLong("propertySeed");
      if (only != null) {
        DeviceTrials.check(engine, only);
      } else {
        for (long seed = 0; seed < CASES; seed++) {
          DeviceTrials.check(engine, seed);
        }
      }
    }
    assertThat(device.allocatedBytes()).isZero();
    device.close();
  }
}
