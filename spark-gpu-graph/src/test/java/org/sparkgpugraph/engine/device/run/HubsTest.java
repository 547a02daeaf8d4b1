package org.sparkgpugraph.engine.device.run;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.HubPrograms;

/** Partial messages to hubs on emulated devices, and mistakes planted in them. */
@Tag("any-spark")
class HubsTest extends HubsSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** A hub forgets its own edges' messages where it was told something. */
  @Test
  void aHubThatForgetsItsOwnEdgesIsFound() {
    isFound("sgg_inbox_take(f, v, all, inbox.message);", "");
  }

  /** Rows that come to nothing say what rows before them said. */
  @Test
  void aRowThatSaysWhatNobodySaidIsFound() {
    isFound("f.mergedHas[row] = inbox.has ? 1 : 0;", "f.mergedHas[row] = 1;");
  }

  /** The last piece of a row of several is forgotten. */
  @Test
  void aForgottenPieceIsFound() {
    isFound("piece < end; piece++", "piece < (end - first > 1 ? end - 1 : end); piece++");
  }

  /** Values that are still read come to other ghosts than they are of. */
  @Test
  void valuesOfOtherGhostsAreFound() {
    isFound(
        "f.ghostOf != nullptr ? f.ghostOf[position] : (int)f.firstGhost + position",
        "f.ghostOf != nullptr ? f.ghostOf[0] + position : (int)f.firstGhost + position");
  }

  /** A sparse superstep does not look at hubs that only others have told something. */
  @Test
  void aHubThatIsNotLookedAtIsFound() {
    isFound(HubPrograms.Kind.ACTIVE_SUM, "f.toldCame[slot] != 0", "f.toldCame[slot] > 1");
  }

  /** … or looks at others, where a candidate is a group of vertices. */
  @Test
  void aHubOfAnotherGroupIsFound() {
    isFound(
        HubPrograms.Kind.ACTIVE_SUM,
        "f.toldRows[slot] >> (int)f.groupShift",
        "f.toldRows[slot] >> ((int)f.groupShift + 1)");
  }

  /** Sources that are not active any more speak. */
  @Test
  void aSourceThatIsNotAskedIsFound() {
    isFound(
        HubPrograms.Kind.ACTIVE_SUM,
        "sgg_gather_pieces<SGG_FILTER_NEIGHBOUR>",
        "sgg_gather_pieces<SGG_FILTER_NONE>");
  }

  private void isFound(String what, String by) {
    isFound(HubPrograms.Kind.EVERY_VERTEX_EDGES, what, by);
  }

  private void isFound(HubPrograms.Kind kind, String what, String by) {
    Seen seen = new Seen();
    try (Device device = openDevice(0)) {
      Device planted = DeviceProxies.plantingInSome(device, what, by);
      try (DeviceEngine engine = engine(planted)) {
        for (int seed = 0; seed < 60; seed++) {
          check(
              HubPrograms.of(kind, new Random(seed)),
              seed,
              inPieces(engine, seed),
              seen,
              KernelChoice.SPARSE,
              OptionalInt.empty());
        }
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    fail("nobody noticed");
  }
}
