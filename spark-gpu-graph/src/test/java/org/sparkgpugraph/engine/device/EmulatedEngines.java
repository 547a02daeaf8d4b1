package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.function.Function;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/** Engines of emulated devices that run blocks and lanes in different orders. */
public final class EmulatedEngines {
  private EmulatedEngines() {}

  /** What is done with a case on a device of its own. */
  @FunctionalInterface
  public interface Check<C> {
    /**
     * Checks a case.
     *
     * @param number of the case, from 1 on
     */
    void check(String name, C each, DeviceEngine engine, int number);
  }

  /**
   * Checks each case on another device, of one to three multiprocessors, every second one with
   * every access to memory checked; none may keep anything. Skips the test where nothing can be
   * emulated.
   *
   * @param graph what an engine is to release behind a case
   */
  public static <C> void forEach(
      Map<String, C> cases, Function<C, ? extends ExecutorGraph> graph, Check<C> check) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    int seed = 0;
    for (Map.Entry<String, C> each : cases.entrySet()) {
      EmulatorSettings emulator =
          EmulatorSettings.defaults()
              .withSeed(seed)
              .withMultiprocessors(1 + seed % 3)
              .withChecks(seed % 2 == 0);
      seed++;
      try (Device device = new EmulatedDevice(emulator);
          DeviceEngine engine =
              new DeviceEngine("emulated", device, DeviceSettings.DEFAULT.withReserve(0))) {
        check.check(each.getKey(), each.getValue(), engine, seed);
        engine.release(graph.apply(each.getValue()));
        assertThat(device.allocatedBytes()).as("bytes that are left").isZero();
      }
    }
  }
}
