package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.run.KernelChoice.DELEGATED;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Messages merged by servers on the emulated device, and mistakes planted in that. */
@Tag("any-spark")
@Timeout(300)
class DelegateTest extends DelegateSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** A place that is told before its message is there. */
  @Test
  void aMessageThatIsNotReleasedIsFound() {
    isFound("sgg_or_release(sgg_delegate_bits", "atomicOr(sgg_delegate_bits");
  }

  /** A place that is reserved and never told holds its ring up for ever. */
  @Test
  void aLostMessageIsFound() {
    isFound(
        "sgg_lanes(first, first + count));\n    from",
        "sgg_lanes(first, first + count) & 0xffffdfffu);\n    from");
  }

  /** Places of messages that are not merged yet are given to others. */
  @Test
  void aPlaceThatIsFreedTooEarlyIsFound() {
    isFound(
        "sgg_store_release(sgg_delegate_read(f, server), (unsigned long long)to);",
        "sgg_store_release(sgg_delegate_read(f, server), (unsigned long long)ranges[turn]);");
  }

  /** A server that is done when its ring is empty, whatever clients have still to send. */
  @Test
  void anEarlyEndIsFound() {
    isFound("came >= finished && written == next;", "written == next;");
  }

  /** A warp that counts as finished before it has sent its last messages. */
  @Test
  void aClientThatFinishesTooEarlyIsFound() {
    isFound(
        "  sgg_delegate_flush(f, lane, round, tally);\n  __syncwarp();\n",
        "",
        "[SGG_DELEGATE_FINISHED], 1ull);\n  }\n",
        "[SGG_DELEGATE_FINISHED], 1ull);\n  }\n  for (int i = 0; i < 9; i++) sgg_relax();\n  sgg_delegate_flush(f, lane, round, tally);\n");
  }

  /** A warp that waits until there is room for all of its messages to a server. */
  @Test
  void aStuckRingIsFound() {
    isFound(
        "(unsigned)sgg_smaller(sgg_larger(room, 0), (int)left[g])",
        "(room >= (int)left[g] ? left[g] : 0u)");
  }

  /** Two warps of a server merge into one slot. */
  @Test
  void aMissingLockIsFound() {
    isFound(
        SMALL.withServers(1).withRing(2048),
        "if (atomicCAS(lock, 0u, 1u) == 0u) {",
        "if (atomicCAS(lock, 0u, 1u) < 2u) {",
        // Slow memory, so that warps come in between.
        "    sgg_slot_message(words, merged);\n    sgg_merge",
        "    sgg_slot_message(words, merged);\n    for (int i = 0; i < 50; i++) __threadfence();\n    sgg_merge");
  }

  /** Places are numbers of 32 bits, which begin anew: here 200 messages behind the begin. */
  @Test
  void numbersOfPlacesBeginAnew() {
    String base = "0xffffff38u";
    String[] edits = {
      "unsigned place = 0u;",
      "unsigned place = " + base + ";",
      "(unsigned)atomicAdd(sgg_delegate_written",
      base + " + (unsigned)atomicAdd(sgg_delegate_written",
      "(unsigned)sgg_load(sgg_delegate_written",
      base + " + (unsigned)sgg_load(sgg_delegate_written",
      "(unsigned)sgg_load_acquire(sgg_delegate_read",
      base + " + (unsigned)sgg_load_acquire(sgg_delegate_read",
      "sgg_store_release(sgg_delegate_read(f, server), (unsigned long long)to);",
      "sgg_store_release(sgg_delegate_read(f, server), (unsigned long long)(to - " + base + "));"
    };
    for (int seed = 0; seed < 3; seed++) {
      assertThat(run(seed, SMALL.withServers(1 + seed), edits)).isGreaterThan(1000);
    }
  }

  /**
   * Replaces texts of the kernel, and expects that one of some runs fails or gives other values.
   *
   * @param edits what, and by what, several times
   */
  private void isFound(String... edits) {
    isFound(SMALL.withServers(1), edits);
  }

  private void isFound(DelegateSettings how, String... edits) {
    for (int seed = 0; seed < 20; seed++) {
      try {
        run(seed, how, edits);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }

  /** Returns the edges that were pushed over. */
  private long run(int seed, DelegateSettings how, String... edits) {
    Random random = new Random(seed);
    SimpleGraph graph = contended(random, 3000, 5);
    try (Device device = openDevice(seed);
        DeviceEngine engine =
            new DeviceEngine(
                "emulated",
                DeviceProxies.planting(device, edits),
                device(how.withPatience(2000)))) {
      return check(
          seed,
          engine,
          RecordPrograms.sums(5),
          graph,
          numbers(random, graph.ids.length),
          settings(RecordPrograms.nothing(5), 3, DELEGATED));
    }
  }
}
