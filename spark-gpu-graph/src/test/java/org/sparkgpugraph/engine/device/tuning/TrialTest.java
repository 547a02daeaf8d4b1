package org.sparkgpugraph.engine.device.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trials on times that are made up. */
@Tag("any-spark")
class TrialTest {
  private static final List<String> WAYS = List.of("default", "slow", "quick", "slower");

  /** Launches of many sizes, an edge of which takes so long, in small launches ten times that. */
  private static Trial decided(Random random, double... nanosPerEdge) {
    Trial trial = new Trial(WAYS);
    for (int launch = 0; launch < 1000 && trial.winner().isEmpty(); launch++) {
      long work = 1L << (4 + random.nextInt(8));
      int way = trial.next(work);
      double each = nanosPerEdge[way] * (work < 64 ? 10 : 1);
      trial.measured(way, work, work, Math.round(1000 * each * work) / 1000);
    }
    return trial;
  }

  @Test
  void theQuickestWayWinsWhateverTheSizesOfItsLaunches() {
    for (int seed = 0; seed < 50; seed++) {
      Trial trial = decided(new Random(seed), 100, 110, 80, 115);
      assertThat(trial.winner()).as("seed %s: %s", seed, trial).isEqualTo(OptionalInt.of(2));
      assertThat(trial.choice().title()).isEqualTo("quick");
      assertThat(trial.choice().ways()).isEqualTo(4);
      assertThat(trial.choice().nanosPerEdge() / trial.choice().defaultNanosPerEdge())
          .isBetween(0.79, 0.81);
      assertThat(trial.rows())
          .allSatisfy(row -> assertThat(row.launches()).isGreaterThanOrEqualTo(Trial.LAUNCHES));
    }
  }

  /** Were all launches counted alike, who has the large ones would win. */
  @Test
  void launchesOfOtherSizesAreNotCompared() {
    Trial trial = new Trial(List.of("default", "other"));
    for (int i = 0; i < Trial.LAUNCHES; i++) {
      trial.measured(0, 16, 16, 1600);
      trial.measured(1, 1 << 20, 1 << 20, 1 << 20);
    }
    assertThat(trial.winner()).isEmpty();
    assertThat(trial.next(1 << 20)).isZero();
    trial.measured(0, 1 << 20, 1 << 20, 1 << 19);
    assertThat(trial.winner()).hasValue(0);
  }

  @Test
  void theDefaultStaysUnlessAnotherWayIsClearlyQuicker() {
    assertThat(decided(new Random(1), 100, 99, 98, 100).winner()).hasValue(0);
    assertThat(decided(new Random(1), 100, 99, 96, 100).winner()).hasValue(2);
  }

  @Test
  void clearLosersAreDroppedBehindTwoLaunches() {
    Trial trial = new Trial(WAYS);
    long[] nanos = {1000, 4000, 900, 10_000};
    while (trial.winner().isEmpty()) {
      int way = trial.next(64);
      trial.measured(way, 64, 100, nanos[way]);
    }
    assertThat(trial.winner()).hasValue(2);
    assertThat(trial.rows().get(1).launches()).isEqualTo(2);
    assertThat(trial.rows().get(3).launches()).isEqualTo(2);
    assertThat(trial.rows().get(3).why()).isEqualTo("slower");
    // A default that loses is tried to the end: it is what others are compared with.
    assertThat(decided(new Random(3), 1000, 90, 100, 95).rows().get(0).launches())
        .isGreaterThanOrEqualTo(Trial.LAUNCHES);
  }

  @Test
  void theQuickestOfSeveralLaunchesCounts() {
    Trial trial = new Trial(List.of("default", "other"));
    for (long nanos : new long[] {100, 90, 110}) {
      trial.measured(0, 8, 10, nanos);
    }
    for (long nanos : new long[] {5000, 60, 70}) {
      trial.measured(1, 8, 10, nanos);
    }
    assertThat(trial.choice()).isEqualTo(new Choice("other", 6, 9, 2));
  }

  @Test
  void waysThatFailAreLeftOut() {
    Trial trial = new Trial(WAYS);
    trial.failed(2, "it does not compile");
    trial.failed(0, "the default is what runs in any case");
    for (int launch = 0; launch < 100 && trial.winner().isEmpty(); launch++) {
      int way = trial.next(7);
      assertThat(way).isNotEqualTo(2);
      trial.measured(way, 7, 100, way == 3 ? 50 : 100);
    }
    assertThat(trial.winner()).hasValue(3);
    assertThat(trial.anyFailed()).isTrue();
    assertThat(trial.isLeft(0)).isTrue();
    assertThat(trial.rows().get(2).why()).isEqualTo("it does not compile");
  }

  @Test
  void aLaunchWithoutEdgesTellsNothing() {
    Trial trial = new Trial(List.of("default"));
    trial.measured(0, 5, 0, 100);
    assertThat(trial.rows().get(0).launches()).isZero();
    assertThatThrownBy(trial::choice)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("default");
  }

  @Test
  void binsAreLogarithms() {
    assertThat(new int[] {Trial.bin(0), Trial.bin(1), Trial.bin(2), Trial.bin(3), Trial.bin(1024)})
        .containsExactly(0, 0, 1, 1, 10);
    assertThat(Trial.bin(Long.MAX_VALUE)).isEqualTo(62);
  }
}
