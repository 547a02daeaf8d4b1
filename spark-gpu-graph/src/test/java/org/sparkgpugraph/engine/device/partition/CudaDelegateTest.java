package org.sparkgpugraph.engine.device.partition;

import static org.sparkgpugraph.run.KernelChoice.DELEGATED;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KeptGpus;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;

/** Messages merged by servers on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaDelegateTest extends DelegateSuite {
  private static final int RUNS = 100;

  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }

  /** Pauses before all that is published and looked at, with few servers and many. */
  @Test
  void pausesAtEveryPublicationChangeNothing() {
    try (Device device = openDevice(0)) {
      Device slow = DeviceProxies.editing(device, CudaAsyncTest::jittering);
      for (int seed = 0; seed < RUNS; seed++) {
        Random random = new Random(seed);
        SimpleGraph graph = contended(random, 20_000, 1 + random.nextInt(500));
        DelegateSettings how =
            seed % 2 == 0
                ? SMALL.withBlocks(2 + seed % 7)
                : DelegateSettings.DEFAULT.withServers(1 + seed % 64);
        try (DeviceEngine engine = new DeviceEngine("jittering", slow, device(how))) {
          check(
              seed,
              engine,
              RecordPrograms.sums(5),
              graph,
              numbers(random, graph.ids.length),
              settings(RecordPrograms.nothing(5), 4, DELEGATED));
        }
      }
    }
  }
}
