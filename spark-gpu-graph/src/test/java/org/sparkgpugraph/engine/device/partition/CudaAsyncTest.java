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
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;

/** Relaxation without supersteps on a GPU. */
@Tag("gpu")
@Tag("sanitizer")
@ExtendWith(KeptGpus.class)
class CudaAsyncTest extends AsyncSuite {
  private static final int RUNS = 200;

  /** Sleeps up to 4 microseconds before one in eight operations, by the clock. */
  private static final String JITTER =
      """
      SGG_DEVICE void sgg_jitter() {
        unsigned bits = (unsigned)clock64() * 2654435761u;
        if ((bits >> 29) == 0u) {
          __nanosleep((bits >> 17) & 4095u);
        }
      }
      """;

  @Override
  Device openDevice(int seed) {
    return OpenDevices.first();
  }

  /** Pauses before all that is published and looked at, with few workers and with all. */
  @Test
  void pausesAtEveryPublicationChangeNothing() {
    try (Device device = openDevice(0)) {
      Device slow =
          DeviceProxies.editing(
              device, text -> text.contains("async_loop") ? jittering(text) : text);
      for (int seed = 0; seed < RUNS; seed++) {
        Random random = new Random(seed);
        SimpleGraph graph =
            weighted(RandomSimpleGraphs.of(random, 2000, 5, true, false, 1), random);
        AsyncSettings how =
            seed % 2 == 0
                ? SMALL.withBlocks(2 + seed % 7).withPatience(1 << 22)
                : AsyncSettings.DEFAULT.withWidth(1 + seed % 9, seed % 4 == 1);
        RunSettings settings = settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
        try (DeviceEngine engine = new DeviceEngine("jittering", slow, device(how))) {
          check(engine, IrPrograms.shortestPaths(), graph, starts(2000), settings);
        }
      }
    }
  }

  /** The kernel with pauses in the functions of {@code sgg/order.cuh}. */
  static String jittering(String text) {
    String mark = "#line 1 \"sgg/order.cuh\"\n";
    int from = text.indexOf(mark);
    if (from < 0) {
      throw new IllegalStateException("the kernel does without sgg/order.cuh");
    }
    int to = text.indexOf("#line", from + mark.length());
    String order = text.substring(from + mark.length(), to);
    return text.substring(0, from)
        + JITTER
        + mark
        + order.replace("  asm volatile(", "  sgg_jitter(); asm volatile(")
        + text.substring(to);
  }
}
