package org.sparkgpugraph.engine.device.partition;

import static org.sparkgpugraph.run.KernelChoice.ASYNC;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KeptGpus;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;

/** Relaxation by owners on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaTileTest extends TileSuite {
  private static final int RUNS = 200;

  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }

  /** Pauses before all that is published and looked at, with few owners and with all. */
  @Test
  void pausesAtEveryPublicationChangeNothing() {
    try (Device device = openDevice(0)) {
      Device slow =
          DeviceProxies.editing(
              device, text -> text.contains("tile_loop") ? CudaAsyncTest.jittering(text) : text);
      for (int seed = 0; seed < RUNS; seed++) {
        Random random = new Random(seed);
        SimpleGraph graph =
            AsyncSuite.weighted(RandomSimpleGraphs.of(random, 2000, 5, true, false, 1), random);
        TileSettings how =
            seed % 2 == 0
                ? SMALL.withBlocks(1 + seed % 7, 32 << seed % 5).withWidth(1 + seed % 9)
                : SMALL.withBlocks(0, TileSettings.DEFAULT.threads()).withWidth(seed % 3 + 0.5);
        RunSettings settings = AsyncSuite.settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
        try (DeviceEngine engine =
            new DeviceEngine(
                "jittering", slow, AsyncSuite.device(async(how).withPatience(1 << 22)))) {
          AsyncSuite.check(
              engine, IrPrograms.shortestPaths(), graph, AsyncSuite.starts(2000), settings);
        }
      }
    }
  }
}
