package org.sparkgpugraph.engine.device.partition;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;

import java.util.Arrays;
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
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;

/** Relaxation by owners on the emulated device, and mistakes planted in it. */
@Tag("any-spark")
@Timeout(300)
class TileTest extends TileSuite {
  /** Long enough for a manager to look twice. */
  private static final String PAUSE = "  for (int i = 0; i < 3000; i++) { sgg_breathe(); }\n";

  /** Where an owner has taken what is in its summary. */
  private static final String TAKEN =
      "    unsigned groups = found != 0u ? atomicExch(sum, 0u) : 0u;\n";

  /** A round is planned. */
  private static final String DONE = "  taken = handled;\n";

  private static final String WITH_MAIL = "  if (plan.mailTo != plan.mailFrom)\n";

  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** An owner that takes what is posted before anybody can see that it does. */
  @Test
  void aLookThatIsNotPublishedIsFound() {
    isFound("    sgg_fence();\n", "", TAKEN, TAKEN + PAUSE);
  }

  /** A value that is read before its vertex may be queued again. */
  @Test
  void anImprovementBehindTheReadingIsFound() {
    // All that warps improve is one owner's.
    isFound(
        1,
        "    if (takes && sub == 0) {\n      sgg_clear_bit(block.queued, item.local);",
        "    if (takes && sub == 0) {",
        "    AsyncEnds ends = sgg_tile_ends(item);\n",
        "    AsyncEnds ends = sgg_tile_ends(item);\n"
            + "    for (int i = 0; i < 200; i++) { __threadfence_block(); }\n"
            + "    if (takes && sub == 0) { sgg_clear_bit(block.queued, item.local); }\n");
  }

  /** An owner that is done while what it posted is on its way. */
  @Test
  void anEarlyEndIsFound() {
    String delivers = "      // The values were changed by lanes that came";
    isFound("least == SGG_TILE_NONE && (busy0 || busy1)", "false", delivers, PAUSE + delivers);
  }

  /** Looks that count as done before what they found is walked. */
  @Test
  void aLookThatIsDoneTooEarlyIsFound() {
    isFound(TAKEN, TAKEN + "    if (lane == 0) { sgg_tell_block(&c.handled, looks); }\n" + PAUSE);
  }

  /** Looks that are published as done in the round that walks what they found. */
  @Test
  void aLookThatIsPublishedARoundTooEarlyIsFound() {
    String plans = "  TilePlan now = plan;\n";
    String done = "sgg_load(sgg_tile_looks(f, block.owner)) == sgg_hear_block(&c.handled)";
    String publishes = "(unsigned long long)taken << 32";
    isFound(
        plans,
        plans + PAUSE.replace("i < 3000", "i < 3000 && !(" + done + ")"),
        publishes,
        publishes.replace("taken", "handled"),
        DONE,
        DONE + WITH_MAIL + PAUSE);
  }

  /** What there is no room for is lost. */
  @Test
  void whatIsNotHeldBackIsFound() {
    isFound("atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));", ";");
  }

  /**
   * Replaces texts of the kernel, and expects that one of some runs fails or gives other values.
   *
   * @param edits what, and by what, several times
   */
  private void isFound(String... edits) {
    isFound(3, edits);
  }

  private void isFound(int owners, String... edits) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      // Half of them are paths: only one owner at a time has anything.
      SimpleGraph plain =
          seed % 2 == 0
              ? AsyncSuite.path(300)
              : RandomSimpleGraphs.of(random, 700, 4, true, false, 1);
      SimpleGraph graph = AsyncSuite.weighted(plain, random);
      Columns starts = AsyncSuite.starts(graph.ids.length);
      if (seed % 2 == 0) {
        Arrays.fill(starts.doubles(0), 1, 300, Double.POSITIVE_INFINITY);
      }
      RunSettings settings = AsyncSuite.settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              engine(
                  DeviceProxies.plantingInSome(device, edits),
                  SMALL.withWidth(4).withBlocks(owners, 128))) {
        AsyncSuite.check(engine, IrPrograms.shortestPaths(), graph, starts, settings);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }
}
