package org.sparkgpugraph.engine.device.partition;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KeptGpus;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;

/** Residuals without supersteps on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaResidualTest extends ResidualSuite {
  private static final int RUNS = 100;

  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }

  /** Pauses before all that is published and looked at, with few workers and with all. */
  @Test
  void pausesAtEveryPublicationChangeNoBound() {
    try (Device device = openDevice(0)) {
      Device slow =
          DeviceProxies.editing(
              device, text -> text.contains("async_loop") ? CudaAsyncTest.jittering(text) : text);
      for (int seed = 0; seed < RUNS; seed++) {
        SimpleGraph graph = RandomSimpleGraphs.of(new Random(seed), 2000, 5, true, false, 1);
        AsyncSettings how =
            seed % 2 == 0
                ? AsyncSuite.SMALL.withBlocks(2 + seed % 7).withPatience(1 << 22)
                : AsyncSettings.DEFAULT;
        try (DeviceEngine engine = new DeviceEngine("jittering", slow, AsyncSuite.device(how))) {
          check(engine, ResidualPrograms.PAGE_RANK, false, 1e-3, graph, "seed " + seed);
        }
      }
    }
  }
}
