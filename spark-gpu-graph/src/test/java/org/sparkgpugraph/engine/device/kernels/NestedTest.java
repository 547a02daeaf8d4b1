package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.KernelChoice;

/** Who walks edges on the emulated device, and mistakes planted in it. */
@Tag("any-spark")
class NestedTest extends NestedSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  @Test
  void schedulesHaveTitles() {
    assertThat(WalkSchedule.all()).hasSize(8).doesNotHaveDuplicates();
    for (WalkSchedule schedule : WalkSchedule.all()) {
      assertThat(WalkSchedule.of(schedule.title())).isEqualTo(schedule);
      assertThat(WalkSchedule.of(schedule.title() + "/shelf")).isEqualTo(schedule.withShelf(true));
    }
    assertThatThrownBy(() -> WalkSchedule.of("grid"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'grid'")
        .hasMessageContaining("serial, block, warp, fine");
  }

  /** Places that a shelf does not have are counted as its. */
  @Test
  void aShelfThatTellsOfMoreThanItHasIsFound() {
    isFound("fine/shelf", "sgg_smaller(shelf.items, shelf.end)", "shelf.items");
  }

  /** What is on the shelf in the end is not put into the queue. */
  @Test
  void aShelfThatIsForgottenIsFound() {
    isFound("fine/shelf", "i < items; i += SGG_BLOCK", "i < items / 2; i += SGG_BLOCK");
  }

  /** Threads of a block read the next item before all have read the last one. */
  @Test
  void anItemThatIsOverwrittenIsFound() {
    isFound(
        "block+fine",
        "if (taker == (int)threadIdx.x + 1) {\n      *items = own;",
        "if (taker != 0) {\n      *items = own;");
  }

  /** A row that is a warp's is walked by the list, too. */
  @Test
  void anItemThatIsWalkedTwiceIsFound() {
    isFound(
        "warp+fine",
        "if (own.count >= Least) {\n    own.count = 0;",
        "if (false) {\n    own.count = 0;");
  }

  private void isFound(String title, String what, String by) {
    int leaves = 3000;
    SimpleGraph star = star(leaves);
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine(
                "emulated",
                DeviceProxies.planting(device, what, by),
                settings(WalkSchedule.of(title)))) {
      long edges =
          least(title, engine, star, onlyOneIsLeast(leaves + 4), KernelChoice.PUSH).stream()
              .mapToLong(step -> step.edgesEvaluated())
              .sum();
      // All at first, then those of vertices 2 and 1.
      assertThat(edges).isEqualTo(2 * leaves + 3);
    } catch (AssertionError | DeviceException | IllegalStateException found) {
      if (found.getMessage() != null && found.getMessage().startsWith("the kernel does not have")) {
        throw found;
      }
      return;
    }
    throw new AssertionError("nobody noticed: " + by);
  }
}
