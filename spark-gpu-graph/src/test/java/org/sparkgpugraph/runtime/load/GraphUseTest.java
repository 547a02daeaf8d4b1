package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order in which threads use and change a graph. */
@Tag("any-spark")
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphUseTest {
  private final GraphUse use = new GraphUse();
  private final AtomicInteger inside = new AtomicInteger();
  private final List<FutureTask<Void>> tasks = new ArrayList<>();

  /** Work of a thread. */
  private interface Work {
    void run() throws Exception;
  }

  private Thread start(Work work) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    tasks.add(task);
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  @AfterEach
  void nobodyFailed() throws Exception {
    for (FutureTask<Void> task : tasks) {
      task.get(20, TimeUnit.SECONDS);
    }
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
  }

  @Test
  void usersRunSideBySideAndAChangeWaitsForThem() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      start(
          () -> {
            use.begin();
            inside.incrementAndGet();
            both.countDown();
            go.await();
            inside.decrementAndGet();
            use.end();
          });
    }
    both.await();
    AtomicBoolean changed = new AtomicBoolean();
    Thread changer =
        start(
            () ->
                use.change(
                    true,
                    () -> true,
                    () -> {
                      assertThat(inside).hasValue(0);
                      changed.set(true);
                    }));
    awaitWaiting(changer);
    // One that needs no other to stop does not wait.
    use.change(false, () -> true, () -> assertThat(inside).hasValue(2));
    assertThat(changed).isFalse();
    go.countDown();
    changer.join();
    assertThat(changed).isTrue();
  }

  @Test
  void usersWaitForAChangeThatIsAloneAndForNoOther() throws Exception {
    for (boolean alone : new boolean[] {true, false}) {
      CountDownLatch changing = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      AtomicBoolean changed = new AtomicBoolean();
      start(
          () ->
              use.change(
                  alone,
                  () -> true,
                  () -> {
                    changing.countDown();
                    try {
                      go.await();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    changed.set(true);
                  }));
      changing.await();
      Thread user =
          start(
              () -> {
                use.begin();
                assertThat(changed.get()).isEqualTo(alone);
                use.end();
              });
      if (alone) {
        awaitWaiting(user);
      } else {
        user.join();
      }
      go.countDown();
      user.join();
    }
  }

  /** As when an executor is lost: every program notices, one repairs, all go on. */
  @Test
  void threadsThatWantTheSameChangeDoNotWaitForEachOther() throws Exception {
    int threads = 5;
    CountDownLatch begun = new CountDownLatch(threads);
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicInteger changes = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      start(
          () -> {
            use.begin();
            begun.countDown();
            begun.await();
            use.change(
                true,
                broken::get,
                () -> {
                  assertThat(inside).hasValue(0);
                  changes.incrementAndGet();
                  broken.set(false);
                });
            inside.incrementAndGet();
            // Nobody goes on before all can.
            all.countDown();
            all.await();
            use.end();
          });
    }
    nobodyFailed();
    assertThat(changes).hasValue(1);
  }

  /** What is not needed any more when another thread has come half way is waited for. */
  @Test
  void whoNeedsNoChangeWaitsForTheOneThatGoesOn() throws Exception {
    AtomicBoolean needed = new AtomicBoolean(true);
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch halfWay = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        () ->
            use.change(
                true,
                needed::get,
                () -> {
                  needed.set(false);
                  halfWay.countDown();
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  ended.set(true);
                }));
    halfWay.await();
    Thread other =
        start(
            () -> {
              use.change(true, needed::get, () -> inside.incrementAndGet());
              assertThat(ended).isTrue();
            });
    awaitWaiting(other);
    go.countDown();
    other.join();
    assertThat(inside).hasValue(0);
  }

  @Test
  void whoBeginsLaterLetsAChangeGoFirst() throws Exception {
    use.begin();
    AtomicBoolean changed = new AtomicBoolean();
    Thread changer = start(() -> use.change(true, () -> true, () -> changed.set(true)));
    awaitWaiting(changer);
    Thread later =
        start(
            () -> {
              use.begin();
              assertThat(changed).isTrue();
              use.end();
            });
    awaitWaiting(later);
    // Who is inside may use it again.
    use.begin();
    assertThat(changed).isFalse();
    use.end();
    use.end();
    changer.join();
    later.join();
  }

  /** A program that the change waits for may wait for another thread's program. */
  @Test
  void whoBeginsLaterDoesNotWaitForever() throws Exception {
    GraphUse hasty = new GraphUse(20);
    hasty.begin();
    AtomicBoolean changed = new AtomicBoolean();
    Thread changer = start(() -> hasty.change(true, () -> true, () -> changed.set(true)));
    awaitWaiting(changer);
    start(
            () -> {
              hasty.begin();
              assertThat(changed).isFalse();
              hasty.end();
            })
        .join();
    hasty.end();
    changer.join();
    assertThat(changed).isTrue();
  }

  @Test
  void aThreadDoesNotWaitForItself() {
    use.begin();
    use.begin();
    AtomicBoolean changed = new AtomicBoolean();
    use.change(
        true,
        () -> true,
        () -> {
          use.begin();
          changed.set(true);
          use.end();
        });
    use.end();
    use.end();
    assertThat(changed).isTrue();
  }

  @Test
  void aChangeThatFailsEnds() {
    assertThatThrownBy(
            () ->
                use.change(
                    true,
                    () -> true,
                    () -> {
                      throw new IllegalStateException("half way");
                    }))
        .hasMessage("half way");
    use.begin();
    use.end();
    assertThatThrownBy(
            () ->
                use.change(
                    true,
                    () -> true,
                    () -> use.change(true, () -> true, () -> inside.incrementAndGet())))
        .isInstanceOf(IllegalStateException.class);
    assertThat(inside).hasValue(0);
  }

  @Test
  void whoIsInterruptedWhileWaitingIsTold() throws Exception {
    use.begin();
    Thread changer =
        start(
            () ->
                assertThatThrownBy(
                        () -> use.change(true, () -> true, () -> inside.incrementAndGet()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("interrupted"));
    awaitWaiting(changer);
    changer.interrupt();
    changer.join();
    use.end();
    use.change(true, () -> true, () -> inside.incrementAndGet());
    assertThat(inside).hasValue(1);
  }
}
