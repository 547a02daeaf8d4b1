package org.sparkgpugraph.engine.intersect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
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
import org.sparkgpugraph.testing.ShardGraphs;

/** Neighbourhoods are intersected right on a real GPU. */
@Tag("gpu")
@Tag("sanitizer")
class CudaIntersectionTest {
  @Test
  void countsAsSequentialCodeDoes() {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    Map<String, SimpleGraph> graphs = new TreeMap<>(IntersectionCases.shapes());
    for (long seed = 0; seed < 40; seed++) {
      graphs.put("seed " + seed, IntersectionCases.random(seed));
    }
    try (Device device = CudaDevices.open(search.gpus().get(0), settings);
        DeviceEngine engine = new DeviceEngine("cuda", device, DeviceSettings.DEFAULT)) {
      graphs.forEach(
          (name, graph) -> {
            assertThat(IntersectionCases.run(List.of(graph), engine, 2))
                .as(name)
                .isEqualTo(IntersectionCases.expected(graph));
            if (graph.partitions().size() > 1) {
              assertThat(IntersectionCases.run(ShardGraphs.split(graph, 1), engine, 2))
                  .as("shards of " + name)
                  .isEqualTo(IntersectionCases.expected(graph));
            }
            engine.release(graph);
          });
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
