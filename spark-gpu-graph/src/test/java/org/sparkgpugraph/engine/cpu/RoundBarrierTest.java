package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.WorkerTeam;

@Tag("any-spark")
@Timeout(60)
class RoundBarrierTest {
  @Test
  void allSeeWhatTheLastOneDid() {
    for (int size : new int[] {1, 2, 4}) {
      try (WorkerTeam team = new WorkerTeam("test", size)) {
        RoundBarrier barrier = new RoundBarrier(team, size);
        AtomicInteger behind = new AtomicInteger();
        int[] rounds = {0};
        team.run(
            member -> {
              for (int i = 1; i <= 1000; i++) {
                assertThat(barrier.await(() -> rounds[0]++)).isTrue();
                behind.addAndGet(rounds[0] == i ? 0 : 1);
                assertThat(barrier.await(() -> {})).isTrue();
              }
            });
        assertThat(rounds[0]).isEqualTo(1000);
        assertThat(behind.get()).isZero();
      }
    }
  }

  @Test
  void whoThrowsLeavesNobodyWaiting() {
    for (int thrower = 0; thrower < 3; thrower++) {
      int which = thrower;
      try (WorkerTeam team = new WorkerTeam("test", 3)) {
        RoundBarrier barrier = new RoundBarrier(team, 3);
        assertThatThrownBy(
                () ->
                    team.run(
                        member -> {
                          if (member == which) {
                            throw new IllegalStateException("on purpose");
                          }
                          assertThat(barrier.await(() -> {})).isFalse();
                        }))
            .hasMessage("on purpose");
      }
    }
  }

  @Test
  void whatTheLastOneThrowsEndsThePhase() {
    try (WorkerTeam team = new WorkerTeam("test", 3)) {
      RoundBarrier barrier = new RoundBarrier(team, 3);
      Runnable last =
          () -> {
            throw new IllegalStateException("on purpose");
          };
      assertThatThrownBy(() -> team.run(member -> barrier.await(last))).hasMessage("on purpose");
    }
  }
}
