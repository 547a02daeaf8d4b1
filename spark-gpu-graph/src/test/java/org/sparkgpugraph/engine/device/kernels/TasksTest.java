package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.KernelChoice;

/** Loops that lanes share on the emulated device, and mistakes planted in them. */
@Tag("any-spark")
class TasksTest extends TasksSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  @Test
  void streamedRowsShareNoLoops() {
    assertThatThrownBy(() -> DenseTuning.DEFAULT.withTasks(true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not where rows are streamed");
  }

  /** Rounds of a task that goes on in the next 32 places are joined there, too. */
  @Test
  void aTaskThatIsCutOffIsFound() {
    isFound("tasks.start + tasks.count > base) {", "tasks.start >= base) {");
  }

  /** A lane reads what its own edge has, not what the round's owner has. */
  @Test
  void theWrongContextIsFound() {
    isFound("Task::shfl(context, owner)", "Task::shfl(context, lane)");
  }

  /** The segmented reduction goes past the end of a task. */
  @Test
  void aReductionOverTheEndIsFound() {
    isFound("if (lane + d < tail) {\n          part", "if (lane + d < SGG_WARP) {\n          part");
  }

  private void isFound(String what, String by) {
    for (int seed = 0; seed < 10; seed++) {
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("emulated", DeviceProxies.planting(device, what, by), SETTINGS)) {
        check("seed " + seed, engine, LoopPrograms.sums(), seed, KernelChoice.DENSE);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed: " + by);
  }
}
