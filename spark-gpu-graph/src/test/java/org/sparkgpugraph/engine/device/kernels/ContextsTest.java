package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.KernelChoice;

/** Contexts that warps collect on the emulated device, and mistakes planted there. */
@Tag("any-spark")
class ContextsTest extends ContextsSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  @Test
  void contextsAreCollectedBySegmentationAlone() {
    assertThatThrownBy(() -> DenseTuning.DEFAULT.withContexts(32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not by STREAM");
    assertThatThrownBy(() -> COLLECTED.withTasks(true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("with shared loops");
    assertThatThrownBy(() -> DenseTuning.SEGMENTATION.withContexts(33))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 32 contexts together");
  }

  /** What is left at the end is lost. */
  @Test
  void aMissingFlushIsFound() {
    isFound("(last ? 1 : SGG_CONTEXTS)", "SGG_CONTEXTS");
  }

  /** Contexts are put where others still wait: there is room for a warp's alone. */
  @Test
  void anOverflowIsFound() {
    isFound("#define SGG_CONTEXT_PLACES 64", "#define SGG_CONTEXT_PLACES 32");
  }

  /** A result goes to the row of the lane that computed it. */
  @Test
  void theWrongRowIsFound() {
    isFound("owner = queue.owner[place];", "owner = lane;");
  }

  /** A lane runs the costly side with its own row's values. */
  @Test
  void theWrongRowsValuesAreFound() {
    isFound("OneRow ? own : Side::shfl(own, owner & 31)", "own");
  }

  /** The newest contexts are run first: those of a row no longer come in order. */
  @Test
  void aStackIsFound() {
    isFound("(waiting.first + lane) &", "(waiting.first + count - 1 - lane) &");
  }

  /** Lanes read what others have not written yet. */
  @Test
  void aMissingBarrierIsFound() {
    isFound("int owner = SGG_WARP;\n  __syncwarp();", "int owner = SGG_WARP;");
  }

  private void isFound(String what, String by) {
    for (int seed = 0; seed < 10; seed++) {
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("emulated", DeviceProxies.planting(device, what, by), SETTINGS)) {
        check("planted", engine, ContextPrograms.composed(2), seed, KernelChoice.DENSE);
      } catch (KernelCompilationException e) {
        throw new AssertionError("no mistake of the kind that is meant: " + by, e);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed: " + by);
  }
}
