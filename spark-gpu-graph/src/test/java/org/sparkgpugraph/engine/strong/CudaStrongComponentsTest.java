package org.sparkgpugraph.engine.strong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/** Strongly connected components are found right on a real GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaStrongComponentsTest {
  @Test
  void findsWhatSequentialCodeDoes() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    Map<String, SimpleGraph> graphs = new TreeMap<>(StrongCases.shapes());
    for (long seed = 0; seed < 40; seed++) {
      graphs.put("seed " + seed, StrongCases.random(seed));
    }
    try (Device device = CudaDevices.open(search.gpus().get(0), settings);
        DeviceEngine engine = new DeviceEngine("cuda", device, DeviceSettings.DEFAULT)) {
      graphs.forEach(
          (name, graph) -> {
            StrongCases.check(name, graph, engine, 1);
            engine.release(graph);
          });
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
