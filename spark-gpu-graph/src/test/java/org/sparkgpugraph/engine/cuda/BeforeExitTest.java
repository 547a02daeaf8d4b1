package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BeforeExitTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void anExitWaitsForWorkAndLetsNoneBegin() throws Exception {
    BeforeExit exit = new BeforeExit();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    CompletableFuture<String> work =
        CompletableFuture.supplyAsync(
            () ->
                exit.run(
                    "work",
                    () -> {
                      running.countDown();
                      await(ends);
                      return "done";
                    }));
    running.await();
    CompletableFuture<Void> exiting = CompletableFuture.runAsync(() -> exit.begin(LONG));
    assertThat(exiting.completeOnTimeout(null, 1, TimeUnit.MINUTES).isDone()).isFalse();
    ends.countDown();
    assertThat(work.get()).isEqualTo("done");
    exiting.get();
    assertThatThrownBy(() -> exit.run("compilation of kernels", () -> "never"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("compilation of kernels is not begun: the process exits");
  }

  @Test
  void anExitDoesNotWaitForever() {
    BeforeExit exit = new BeforeExit();
    assertThat(
            exit.run(
                "work",
                () -> {
                  CompletableFuture.runAsync(() -> exit.begin(Duration.ofMillis(1))).join();
                  return exit.run("more of it", () -> "begun");
                }))
        .isEqualTo("begun");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
