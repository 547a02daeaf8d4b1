package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Residuals without supersteps on the emulated device, and mistakes planted in that. */
@Tag("any-spark")
@Timeout(300)
class ResidualTest extends ResidualSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** A sum that is looked at and emptied in two steps loses what comes between. */
  @Test
  void aSumThatIsNotTakenAtOnceIsFound() {
    isFound(
        "Residual sum = sgg_sum_take(slot);",
        "Residual sum = *(volatile Residual*)slot; sgg_relax(); *slot = (Residual)0;");
  }

  /** Who looks at the sum behind his addition, not at what it returned, may cross with another. */
  @Test
  void aCrossingThatNobodySeesIsFound() {
    isFound(
        "Residual before = sgg_residual_of(f, grown[t].before);",
        "Residual before = edges[t].sends ? sgg_residual_of(f, *(volatile Residual*)"
            + "sgg_residual_slot(f, edges[t].row)) : (Residual)0;");
  }

  /** A delta that is written by who takes a sum may be read as what the launch begins with. */
  @Test
  void aDeltaThatIsWrittenTooEarlyIsFound() {
    isFound(
        "delta = sgg_residual_grow(f, v, delta);",
        "delta = sgg_residual_grow(f, v, delta); sgg_residual_unsaid(f, v, delta);");
  }

  /** Parts of a vertex of many edges that are forgotten. */
  @Test
  void aLostPartIsFound() {
    isFound("p + lane < parts, hub, p + lane", "p + lane + 1 < parts, hub, p + lane");
  }

  /** What finds no place in the pool and is not walked at once. */
  @Test
  void whatAFullPoolLosesIsFound() {
    isFound(
        "sgg_residual_spread(f, lane, walks, v, 0, delta, tally);",
        "sgg_residual_spread(f, lane, false, v, 0, delta, tally);");
    isFound(
        "sgg_residual_walk(f, lane, left, v, part,", "sgg_residual_walk(f, lane, false, v, part,");
    isFound(
        "tally.spilled += sgg_first(f.nextActive, v)",
        "tally.spilled += false && sgg_first(f.nextActive, v)");
  }

  /** Sums within the tolerance that are not added to their vertices at the end. */
  @Test
  void whatIsLeftAtTheEndIsAdded() {
    isFound("unsaid = sgg_residual_grow(f, (int)v, sgg_residual_of(f, sum));", "");
  }

  /** Sums that are added although some wait for another launch, which then loses them. */
  @Test
  void anEndThatComesTooEarlyIsFound() {
    isFound("if (sgg_load(&f.asyncState[SGG_ASYNC_LEFT]) != 0ull) {", "if (false) {");
  }

  /** Items that count as done before what they lead to is in buckets. */
  @Test
  void anItemThatIsDoneTooEarlyIsFound() {
    isFound(
        "sgg_async_chase(f, lane, lane < count, item, bits, local, tally);",
        "if (lane == 0) sgg_add_release(sgg_async_done(f, bucket), (unsigned long long)count);"
            + " sgg_async_chase(f, lane, lane < count, item, bits, local, tally);",
        "sgg_add_release(sgg_async_done(f, bucket), (unsigned long long)count);\n      sgg_or_release",
        "sgg_or_release");
  }

  /** What the mistakes are found by finds none where there is none. */
  @Test
  void withoutAMistakeNothingIsFound() {
    assertThatThrownBy(
            () -> isFound("int part = (int)(item >> 32);", "int part = (int)(item >> 32) ;"))
        .hasMessage("nobody noticed");
  }

  private void isFound(String... edits) {
    for (int seed = 0; seed < 3; seed++) {
      SimpleGraph graph = RandomSimpleGraphs.of(new Random(seed), 1500, 4, true, false, 1);
      AsyncSettings how = AsyncSuite.SMALL.withBlocks(2).withPatience(5000);
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine(
                  "emulated",
                  DeviceProxies.plantingInSome(device, edits),
                  AsyncSuite.device(how))) {
        checkEdge(engine);
        check(engine, ResidualPrograms.PAGE_RANK, false, 1e-2, graph, "seed " + seed);
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }
}
