package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.KeptGpus;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.run.KernelChoice;

/** GPUs that meet behind supersteps, as many as there are up to four. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaMeetingTest extends MeetingSuite {
  private static final int RUNS = 100;

  @Override
  List<Device> openDevices() {
    return OpenDevices.distinct(2);
  }

  /** Graphs that keep more than a few warps busy. */
  @Test
  void manyWarpsReachTheSameValues() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(seed, 2000 + random.nextInt(2000), devices().size(), random);
      check(
          "seed " + seed,
          devices(),
          seed % 2 == 0 ? push(seed) : PushSettings.DEFAULT,
          IrPrograms.shortestPaths(),
          graph,
          AsyncPartsSuite.start(graph.ids.length),
          AsyncPartsSuite.paths(KernelChoice.OUTLINED));
    }
  }
}
