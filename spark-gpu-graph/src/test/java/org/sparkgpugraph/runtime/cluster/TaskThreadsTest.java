package org.sparkgpugraph.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that read for a task end with it. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskThreadsTest {
  @Test
  void partsAreReadSideBySideInTheirOrder() throws Exception {
    CyclicBarrier all = new CyclicBarrier(4);
    Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
    List<Callable<Integer>> parts =
        IntStream.range(0, 4)
            .<Callable<Integer>>mapToObj(
                i ->
                    () -> {
                      all.await();
                      threads.add(Thread.currentThread());
                      return i;
                    })
            .toList();
    assertThat(TaskThreads.call(parts)).containsExactly(0, 1, 2, 3);
    assertThat(threads).hasSize(4).contains(Thread.currentThread());
  }

  @Test
  void whatIsThrownFirstIsThrownAndNobodyWaitsOn() {
    CountDownLatch never = new CountDownLatch(1);
    CyclicBarrier both = new CyclicBarrier(3);
    AtomicInteger interrupted = new AtomicInteger();
    Thread task = Thread.currentThread();
    Callable<Integer> part =
        () -> {
          int number = both.await();
          if (Thread.currentThread() == task) {
            throw new IOException("damaged");
          }
          try {
            never.await();
            return number;
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
          }
        };
    assertThatThrownBy(() -> TaskThreads.call(List.of(part, part, part)))
        .isInstanceOf(IOException.class)
        .hasMessage("damaged");
    assertThat(interrupted).hasValue(2);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void anInterruptedTaskDoesNotWaitForWhoReadsForIt() {
    CountDownLatch never = new CountDownLatch(1);
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicInteger interrupted = new AtomicInteger();
    Thread task = Thread.currentThread();
    Callable<Integer> part =
        () -> {
          both.await();
          if (Thread.currentThread() == task) {
            task.interrupt();
            return 1;
          }
          try {
            never.await();
            return 2;
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
          }
        };
    assertThatThrownBy(() -> TaskThreads.call(List.of(part, part)))
        .isInstanceOf(InterruptedException.class);
    assertThat(interrupted).hasValue(1);
    assertThat(Thread.interrupted()).isTrue();
  }
}
