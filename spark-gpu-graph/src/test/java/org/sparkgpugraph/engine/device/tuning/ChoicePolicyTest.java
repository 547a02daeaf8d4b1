package org.sparkgpugraph.engine.device.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.device.kernels.ContextPrograms;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;

/** Rules, and the figures that decide. */
@Tag("any-spark")
class ChoicePolicyTest {
  @Test
  void longSearchesGoOnWithoutSuperstepsWhereThereAreNoHubs() {
    AsyncSettings on = AsyncSettings.DEFAULT;
    assertThat(on.after()).isEqualTo(128);
    assertThat(ChoicePolicy.relaxes(on, 1, 257)).isTrue();
    assertThat(ChoicePolicy.relaxes(on, 1, 128)).as("no way is so long").isFalse();
    assertThat(ChoicePolicy.relaxes(on, 7.9, 1000)).isTrue();
    assertThat(ChoicePolicy.relaxes(on, 8, 1000)).isFalse();
    assertThat(ChoicePolicy.relaxes(on.withAfter(0), 1, 1000)).as("switched off").isFalse();
    assertThat(ChoicePolicy.relaxesNote(on, 2.1, 1000))
        .isEqualTo(
            "goes on without supersteps when 128 have not ended it: an edge begins in a row of 2.1"
                + " times the mean length, less than 8");
    assertThat(ChoicePolicy.relaxesNote(on, 40, 1000))
        .isEqualTo(
            "never goes on without supersteps: an edge begins in a row of 40.0 times the mean"
                + " length, and from 8 on there are hubs");
    assertThat(ChoicePolicy.relaxesNote(on, 1, 100))
        .isEqualTo(
            "never goes on without supersteps: 100 vertices are reached in no more than 128");
  }

  @Test
  void serversMergeWhereRowsAreLongAndMessagesAreWhole() {
    DelegateSettings on = DelegateSettings.DEFAULT.withReach(64);
    LiftedProgram whole = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT).program();
    LiftedProgram real = IrPrograms.shortestPaths().program();
    assertThat(ChoicePolicy.merging(whole, on, false, rows(64, 999)))
        .isEqualTo(MergeMode.DELEGATED);
    assertThat(ChoicePolicy.merging(whole, on.withLocks(), false, rows(64, 999)))
        .isEqualTo(MergeMode.LOCKED);
    assertThat(ChoicePolicy.merging(whole, on, false, rows(63, 999))).isNull();
    assertThat(ChoicePolicy.merging(whole, on, true, rows(64, 999)))
        .as("pushes by itself")
        .isNull();
    assertThat(ChoicePolicy.merging(real, on, false, rows(64, 999))).as("floating point").isNull();
    assertThat(ChoicePolicy.merging(whole, on, false, rows(64, 20_001)))
        .as("one row gets too many")
        .isNull();
    assertThat(ChoicePolicy.merging(whole, on.withReach(0), false, rows(100, 999)))
        .as("switched off")
        .isNull();
    assertThat(ChoicePolicy.mergingNote(whole, on, rows(100, 999)))
        .isEqualTo(
            "pushes to blocks that merge: an active edge ends in a row of 100 edges, servers from 64"
                + " on; the longest row has 999 of at most 20000; a message has 8 bytes of at most"
                + " 64");
    assertThat(ChoicePolicy.mergingNote(whole, on.withLocks(), rows(100, 999)))
        .startsWith("merges under locks");
  }

  private static GraphClass.Degrees rows(int mean, int longest) {
    return new GraphClass.Degrees(1000, 1000L * mean, longest, 1);
  }

  @Test
  void rowsAreGatheredAsTheyAreToBeWhereNothingIsCostlyOrAWayIsForced() {
    LiftedProgram cheap = IrPrograms.shortestPaths().program();
    DeviceSettings on = DeviceSettings.DEFAULT.withTuning(DenseTuning.DEFAULT.withContextsFrom(0));
    assertThat(ChoicePolicy.gathering(cheap, on)).as("no costly branch").isEqualTo(on);
    LiftedProgram saving = ContextPrograms.sums(8).program();
    assertThat(ChoicePolicy.gathering(saving, on)).as("saves less than it costs").isEqualTo(on);
    LiftedProgram costly = ContextPrograms.bothWays(8).program();
    assertThat(ChoicePolicy.gathering(costly, on).tuning().contexts()).isEqualTo(32);
    assertThat(ChoicePolicy.gathering(costly, DeviceSettings.DEFAULT))
        .as("saves too little by default")
        .isEqualTo(DeviceSettings.DEFAULT);
    for (DeviceSettings forced :
        List.of(
            on.withVirtualWarp(8),
            on.withTuning(DenseTuning.SEGMENTATION.withContextsFrom(0)),
            on.withTuning(DenseTuning.WAVES.withContextsFrom(0)))) {
      assertThat(ChoicePolicy.gathering(costly, forced)).isEqualTo(forced);
    }
  }
}
