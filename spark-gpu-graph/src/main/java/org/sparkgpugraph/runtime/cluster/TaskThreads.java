package org.sparkgpugraph.runtime.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.sparkgpugraph.graphs.memory.Workers;

/**
 * Several threads that read or write for one task, the task's own among them. What is thrown is
 * what was thrown first. The others are interrupted then, and when the task is, since they may wait
 * for another executor.
 */
public final class TaskThreads {
  private final TaskContext context = TaskContext.get();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  // Both guarded by this: who is not in it any more is not interrupted.
  private final Set<Thread> helpers = new HashSet<>();
  private boolean stopped;

  private TaskThreads() {}

  /**
   * Does all parts, one on each thread.
   *
   * @return what has come of each, which may be null
   * @throws Exception the parts' own
   */
  public static <T> List<T> call(List<Callable<T>> parts) throws Exception {
    return parts.size() == 1
        ? Collections.singletonList(parts.get(0).call())
        : new TaskThreads().all(parts);
  }

  private <T> List<T> all(List<Callable<T>> parts) {
    Thread task = Thread.currentThread();
    List<T> done = new ArrayList<>(Collections.nCopies(parts.size(), null));
    try (Workers workers = new Workers(parts.size())) {
      workers.run(
          parts.size(),
          i -> {
            Callable<T> part = parts.get(i);
            try {
              // Threads set different elements.
              done.set(i, Thread.currentThread() == task ? part.call() : helping(part));
            } catch (Exception | Error e) {
              failure.compareAndSet(null, e);
              throw SparkFailures.undeclared(e);
            }
          },
          this::stop);
    } catch (Exception | Error e) {
      // The workers' first is first by number.
      throw SparkFailures.undeclared(failure.get() == null ? e : failure.get());
    }
    return done;
  }

  /** As Spark does for threads that work for a task: what fails there is the task's failure. */
  private <T> T helping(Callable<T> part) throws Exception {
    begin();
    TaskContext$.MODULE$.setTaskContext(context);
    try {
      return part.call();
    } finally {
      TaskContext$.MODULE$.unset();
      end();
    }
  }

  private synchronized void begin() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("another thread of the task has stopped");
    }
    helpers.add(Thread.currentThread());
  }

  /** Whoever takes the thread next is not interrupted. */
  private synchronized void end() {
    helpers.remove(Thread.currentThread());
    Thread.interrupted();
  }

  private synchronized void stop() {
    stopped = true;
    helpers.forEach(Thread::interrupt);
  }
}
