package org.sparkgpugraph.engine.louvain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.louvain.DeviceLouvainCases.Case;

/** A real GPU finds the communities that the CPU's cores find, to the bit. */
@Tag("gpu")
@Tag("sanitizer")
class CudaLouvainTest {
  @Test
  void findsWhatTheCpuFinds() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    try (Device device = CudaDevices.open(search.gpus().get(0), settings);
        DeviceEngine engine = new DeviceEngine("cuda", device, DeviceSettings.DEFAULT)) {
      for (LouvainTuning tuning : List.of(DeviceLouvainCases.SMALL, LouvainTuning.DEFAULT)) {
        Map<String, Case> cases = new TreeMap<>(DeviceLouvainCases.larger(tuning));
        if (Integer.getInteger("deviceCases") == null) {
          // A sanitizer takes its time.
          cases.putAll(DeviceLouvainCases.shapes(tuning));
        }
        cases.forEach(
            (name, each) -> {
              assertThat(each.check(name + ", " + tuning, engine)).as(name).isTrue();
              engine.release(each.graph());
            });
      }
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
