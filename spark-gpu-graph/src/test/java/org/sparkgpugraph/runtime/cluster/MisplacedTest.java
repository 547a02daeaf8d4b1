package org.sparkgpugraph.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskKilledException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MisplacedTest {
  private static final long LONG = Long.MAX_VALUE;
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void aFirstAttemptEndsAtOnce() {
    Misplaced.await(0, () -> true, () -> false, LONG);
  }

  @Test
  void aCopyOfATaskOfALostExecutorEnds() {
    Misplaced.await(1, () -> asked.incrementAndGet() < 3, () -> false, LONG);
    assertThat(asked).hasValue(3);
  }

  /** Ended well, it would have Spark kill the task that is at work. */
  @Test
  void aCopyWaitsUntilItIsKilled() {
    assertThatThrownBy(
            () -> Misplaced.await(1, () -> true, () -> asked.incrementAndGet() == 3, LONG))
        .isInstanceOf(TaskKilledException.class);
    assertThat(asked).hasValue(3);
  }

  /** Spark interrupts it to kill it. */
  @Test
  void aCopyThatIsInterruptedEndsAsKilled() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Misplaced.await(1, () -> true, () -> false, LONG))
        .isInstanceOf(TaskKilledException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Not a failure, of which Spark bears a few only. */
  @Test
  void whatWaitsTooLongIsPlacedAnew() {
    assertThatThrownBy(() -> Misplaced.await(2, () -> true, () -> false, 1))
        .isInstanceOf(TaskKilledException.class);
  }
}
