package org.sparkgpugraph.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskKilledException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.runtime.cluster.Misplaced.Patience;

class MisplacedTest {
  private static final Patience LONG = new Patience(Long.MAX_VALUE, 5);
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void aFirstAttemptEndsAtOnce() {
    Misplaced.await(0, LONG, () -> true, () -> false);
  }

  @Test
  void aCopyOfATaskOfALostExecutorEnds() {
    Misplaced.await(1, LONG, () -> asked.incrementAndGet() < 3, () -> false);
    assertThat(asked).hasValue(3);
  }

  /** Ended well, it would have Spark kill the task that is at work. */
  @Test
  void aCopyWaitsUntilItIsKilled() {
    assertThatThrownBy(
            () -> Misplaced.await(1, LONG, () -> true, () -> asked.incrementAndGet() == 3))
        .isInstanceOf(TaskKilledException.class);
    assertThat(asked).hasValue(3);
  }

  /** Spark interrupts it to kill it. */
  @Test
  void aCopyThatIsInterruptedEndsAsKilled() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Misplaced.await(1, LONG, () -> true, () -> false))
        .isInstanceOf(TaskKilledException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Not a failure, of which Spark bears a few only. */
  @Test
  void whatWaitsTooLongIsPlacedAnew() {
    assertThatThrownBy(() -> Misplaced.await(5, new Patience(1, 5), () -> true, () -> false))
        .isInstanceOf(TaskKilledException.class);
  }

  /** It may have the place of one that has its place. */
  @Test
  void whatWasPlacedAnewTooOftenEnds() {
    Misplaced.await(6, LONG, () -> true, () -> false);
  }
}
