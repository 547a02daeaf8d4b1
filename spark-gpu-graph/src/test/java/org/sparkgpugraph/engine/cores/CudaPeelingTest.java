package org.sparkgpugraph.engine.cores;

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

/** Graphs are peeled right on a real GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaPeelingTest {
  @Test
  void peelsAsSequentialCodeDoes() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    Map<String, SimpleGraph> graphs = new TreeMap<>(CoreCases.shapes());
    for (long seed = 0; seed < 40; seed++) {
      graphs.put("seed " + seed, CoreCases.random(seed));
    }
    try (Device device = CudaDevices.open(search.gpus().get(0), settings);
        DeviceEngine engine = new DeviceEngine("cuda", device, DeviceSettings.DEFAULT)) {
      graphs.forEach(
          (name, graph) -> {
            CoreCases.check(name, graph, engine, 1);
            engine.release(graph);
          });
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
