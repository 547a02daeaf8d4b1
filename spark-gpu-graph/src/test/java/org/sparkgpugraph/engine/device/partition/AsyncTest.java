package org.sparkgpugraph.engine.device.partition;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;

/** Relaxation without supersteps on the emulated device, and mistakes planted in it. */
@Tag("any-spark")
@Timeout(300)
class AsyncTest extends AsyncSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** An item that is not released may be handed out before it is there. */
  @Test
  void anItemThatIsNotReleasedIsFound() {
    isFound("sgg_add_release(&f.asyncWritten", "atomicAdd(&f.asyncWritten");
  }

  /** A block whose counters are emptied behind the one who uses it next. */
  @Test
  void aBlockThatIsGivenBackTooEarlyIsFound() {
    isFound("sgg_or_release(sgg_async_map", "atomicOr(sgg_async_map");
  }

  /** An item that is reserved and never written holds its bucket up for ever. */
  @Test
  void aLostItemIsFound() {
    isFound(
        "sgg_add_release(&f.asyncWritten[at",
        "if (v % 64 != 7) sgg_add_release(&f.asyncWritten[at");
  }

  /** Items that count as done before what they lead to is in buckets. */
  @Test
  void anEarlyEndIsFound() {
    isFound(
        "sgg_async_chase(f, lane, lane < count, item, bits, local, tally);",
        "if (lane == 0) sgg_add_release(sgg_async_done(f, bucket), (unsigned long long)count);"
            + " sgg_async_chase(f, lane, lane < count, item, bits, local, tally);",
        "sgg_add_release(sgg_async_done(f, bucket), (unsigned long long)count);\n      sgg_or_release",
        "sgg_or_release");
  }

  /** A writer that waits for a block of a pool that has none: all items are in one bucket. */
  @Test
  void aStuckPoolIsFound() {
    isFound(
        "(sgg_load(&f.asyncState[SGG_ASYNC_EXHAUSTED]) >> bucket) & 1ull",
        "0ull",
        "int off = !(steps > 0.0) ? 0 :",
        "int off = key > -1e300 ? 31 : !(steps > 0.0) ? 0 :");
  }

  /**
   * Replaces texts of the kernel, and expects that one of some runs fails or gives other values.
   *
   * @param edits what, and by what, several times
   */
  private void isFound(String... edits) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = weighted(RandomSimpleGraphs.of(random, 5000, 8, true, false, 1), random);
      AsyncSettings how = SMALL.withTaken(1).withWidth(1, false).withPatience(500);
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine(
                  "emulated", DeviceProxies.plantingInSome(device, edits), device(how))) {
        RunSettings settings = settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
        check(engine, IrPrograms.shortestPaths(), graph, starts(5000), settings);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }
}
