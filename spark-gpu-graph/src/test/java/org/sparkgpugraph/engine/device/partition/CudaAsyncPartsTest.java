package org.sparkgpugraph.engine.device.partition;

import static org.sparkgpugraph.run.KernelChoice.ASYNC;

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
import org.sparkgpugraph.engine.device.settings.AsyncSettings;

/** Partitions that relax without supersteps on one GPU, and on as many as there are up to four. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaAsyncPartsTest extends AsyncPartsSuite {
  private static final int RUNS = 40;

  @Override
  List<Device> openDevices() {
    return OpenDevices.distinct(1);
  }

  @Override
  AsyncSettings async(int seed) {
    return seed % 2 == 0
        ? AsyncSuite.SMALL.withBlocks(2 + seed % 7).withPatience(1 << 22)
        : AsyncSettings.DEFAULT.withWidth(1 + seed % 9, seed % 4 == 1);
  }

  /** Graphs that keep more than a few warps busy. */
  @Test
  void manyWarpsReachTheSameValues() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(seed, 2000 + random.nextInt(2000), random);
      check(
          "seed " + seed,
          devices(),
          device(async(seed), random),
          IrPrograms.shortestPaths(),
          graph,
          start(graph.ids.length),
          paths(ASYNC));
    }
  }
}
