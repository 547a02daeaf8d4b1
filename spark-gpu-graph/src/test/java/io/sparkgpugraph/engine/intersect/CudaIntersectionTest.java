package io.sparkgpugraph.engine.intersect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.SimpleGraph;
import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSearch;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import io.sparkgpugraph.engine.device.Device;
import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.testing.ShardGraphs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
          });
      assertThat(device.allocatedBytes()).isZero();
    }
  }
}
