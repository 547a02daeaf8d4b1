package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.SuperstepStats;

/** Rows in waves on the emulated device, and mistakes planted in them. */
@Tag("any-spark")
class WavesTest extends WavesSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** A step is left out in which only some of the groups have a row. */
  @Test
  void aStepThatIsLeftOutIsFound() {
    isFound(
        "steps |= (rows >> g) & sgg_lanes(0, width);",
        "steps = (rows >> g) & sgg_lanes(0, width);");
  }

  /** The next edge's other end is not loaded: the row's first edge counts again. */
  @Test
  void anEdgeThatIsNotLoadedIsFound() {
    isFound("if (i < here.left - width) {", "if (false) {");
  }

  /** A row's message ends in another row of the group. */
  @Test
  void aMessageInTheWrongInboxIsFound() {
    isFound(
        "if (lane == owner && (sent & members) != 0u) {",
        "if (lane == group && (sent & members) != 0u) {");
  }

  /** What one group heard is taken by the rows of all. */
  @Test
  void aGroupThatTakesWhatAnotherHeardIsFound() {
    isFound(
        "Message merged = sgg_message_shfl(part.message, group);",
        "Message merged = sgg_message_shfl(part.message, 0);");
  }

  /** Of a row that a block gathers, what one of its warps has found is left out. */
  @Test
  void aPieceThatIsLeftOutIsFound() {
    isFound(
        "for (int w = 0; w < SGG_BLOCK_WARPS; w++) {\n        if (shared->found",
        "for (int w = 0; w < 1; w++) {\n        if (shared->found",
        DenseTuning.nested(WalkSchedule.of("block")));
  }

  /** A warp without rows that comes along with its block is counted. */
  @Test
  void aWarpThatCountsWhatItDoesNotHaveIsFound() {
    isFound(
        "  if (!comesAlong) {\n    sgg_tally_wave",
        "  if (true) {\n    sgg_tally_wave",
        DenseTuning.nested(WalkSchedule.of("block")));
  }

  private void isFound(String what, String by) {
    isFound(what, by, DenseTuning.WAVES.withGroups(8));
  }

  private void isFound(String what, String by, DenseTuning tuning) {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = rows(random, 70, 0, 1, 7, 0, 0, 30, 9, 2, 2, 0, 40);
      Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, 70);
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine(
                  "emulated",
                  DeviceProxies.planting(device, what, by),
                  SETTINGS.withTuning(tuning))) {
        SuperstepStats first = check("seed " + seed, engine, graph, attributes);
        // Three words of rows.
        assertThat(first.lanes().rowLanes()).isEqualTo(96);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed: " + by);
  }
}
