package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

@Tag("any-spark")
class WorkersTest {
  /** Whichever thread has it. */
  @Test
  void firstOfSeveralFailuresIsThrown() {
    try (Workers workers = new Workers(3)) {
      for (int round = 0; round < 100; round++) {
        CyclicBarrier all = new CyclicBarrier(3);
        assertThatThrownBy(
                () ->
                    workers.run(
                        10_000,
                        i -> {
                          await(all, i < 3);
                          throw new IllegalStateException("task " + i);
                        }))
            .hasMessage("task 0");
      }
    }
  }

  private static void await(CyclicBarrier all, boolean wait) {
    try {
      if (wait) {
        all.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tasksBehindAFailureAreLeftOut() {
    AtomicInteger run = new AtomicInteger();
    try (Workers workers = new Workers(1)) {
      assertThatThrownBy(
              () ->
                  workers.run(
                      10,
                      i -> {
                        run.incrementAndGet();
                        if (i == 4) {
                          throw new OutOfMemoryError("as a test");
                        }
                      }))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(run).hasValue(5);
  }

  /** Not that of the block that is read first. */
  @Test
  void firstOfSeveralMissingValuesIsNamed() {
    ValueType type = new ValueType.Scalar(Kind.DOUBLE);
    int size = 2_000;
    EdgeBlock[] blocks = new EdgeBlock[30];
    for (int b = 0; b < blocks.length; b++) {
      int block = b;
      Object[] values = new Object[size];
      long[] ends = new long[size];
      for (int i = 0; i < size; i++) {
        ends[i] = i;
        // The first bad one is the last that its block's reader comes to.
        values[i] = b < 3 || i != (b == 3 ? size - 1 : 0) ? (Object) (double) block : null;
      }
      blocks[b] = new GlobalEdgeBlock(size, ends, ends, values);
    }
    for (int partitions : new int[] {1, 2}) {
      for (RowsMade rows : RowsMade.values()) {
        ExecutorGraphBuilder.Options options =
            new ExecutorGraphBuilder.Options(partitions, 4, type, rows);
        assertThatThrownBy(() -> ExecutorGraphBuilder.build(List.of(blocks), null, options))
            .isInstanceOf(NullValueException.class)
            .hasMessageContaining(partitions == 1 ? "edge 1999->1999" : "edge 0->0");
      }
    }
  }

  /** Helpers are lent from build to build, and each brings its own class loader. */
  @Test
  void helpersHaveTheCallersClassLoader() {
    Thread caller = Thread.currentThread();
    ClassLoader before = caller.getContextClassLoader();
    try {
      for (int round = 0; round < 10; round++) {
        ClassLoader loader = new ClassLoader(before) {};
        caller.setContextClassLoader(loader);
        CyclicBarrier all = new CyclicBarrier(3);
        try (Workers workers = new Workers(3)) {
          workers.run(
              3,
              i -> {
                await(all, true);
                assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(loader);
              });
        }
      }
    } finally {
      caller.setContextClassLoader(before);
    }
  }

  /** As many as to need some that are new. */
  @Test
  void helpersInheritNothingOfTheCaller() {
    InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
    local.set("the caller's");
    int threads = 12;
    CyclicBarrier all = new CyclicBarrier(threads);
    AtomicInteger with = new AtomicInteger();
    try (Workers workers = new Workers(threads)) {
      workers.run(
          threads,
          i -> {
            await(all, true);
            with.addAndGet(local.get() == null ? 0 : 1);
          });
    } finally {
      local.remove();
    }
    assertThat(with).hasValue(1);
  }

  /** As where the system has no further thread. */
  @Test
  void whereNoHelperCanBeHadTheOthersDoItAll() {
    for (int helpers = 0; helpers < 3; helpers++) {
      AtomicInteger left = new AtomicInteger(helpers);
      ThreadPoolExecutor few =
          new ThreadPoolExecutor(
              0,
              Integer.MAX_VALUE,
              1,
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              task -> {
                if (left.getAndDecrement() <= 0) {
                  throw new OutOfMemoryError("as a test: unable to create native thread");
                }
                return new Thread(task);
              });
      AtomicInteger run = new AtomicInteger();
      try (Workers workers = new Workers(5, BuildMemory.UNBOUNDED, few)) {
        workers.run(1000, i -> run.incrementAndGet());
        assertThat(run).hasValue(1000);
        few.shutdown();
        workers.run(1000, i -> run.incrementAndGet());
        assertThat(run).hasValue(2000);
      }
    }
  }

  @Test
  void nothingRunsOnClosedWorkers() {
    Workers workers = new Workers(2);
    workers.close();
    assertThatThrownBy(() -> workers.run(1, i -> {})).isInstanceOf(IllegalStateException.class);
  }

  /** They hold locks in the name of the caller's task, which are freed when it ends. */
  @Test
  void helpersHaveEndedWhenAnInterruptedCallerGoesOn() {
    Thread caller = Thread.currentThread();
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicBoolean begun = new AtomicBoolean();
    AtomicBoolean returned = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    Workers workers = new Workers(2);
    assertThatThrownBy(
            () ->
                workers.run(
                    2,
                    i -> {
                      await(both, true);
                      if (Thread.currentThread() == caller) {
                        caller.interrupt();
                        begun.set(true);
                        return;
                      }
                      while (!returned.get()
                          && !(begun.get() && caller.getState() == Thread.State.WAITING)) {
                        Thread.onSpinWait();
                      }
                      ended.set(true);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("interrupted");
    boolean endedBefore = ended.get();
    returned.set(true);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(endedBefore).isTrue();
  }
}
