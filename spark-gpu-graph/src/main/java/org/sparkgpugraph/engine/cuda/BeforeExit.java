package org.sparkgpugraph.engine.cuda;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Work that has to be done before the process exits. A library's own memory is freed while the
 * process exits, whoever uses it then: a job that is stopped while NVRTC compiles would end with a
 * report of a crash in its place.
 */
final class BeforeExit {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** For the process that this is a part of, which waits for work so long. */
  static BeforeExit ofThisProcess(Duration most) {
    BeforeExit exit = new BeforeExit();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> exit.begin(most), "waits for compilers of kernels"));
    return exit;
  }

  /**
   * Does work, which an exit waits for.
   *
   * @throws IllegalStateException when the process exits already
   */
  <T> T run(String what, Supplier<T> work) {
    Lock running = lock.readLock();
    if (!running.tryLock()) {
      throw new IllegalStateException(what + " is not begun: the process exits");
    }
    try {
      return work.get();
    } finally {
      running.unlock();
    }
  }

  /** Waits for what runs, and lets nothing else begin. The process exits. */
  void begin(Duration most) {
    try {
      if (!lock.writeLock().tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
        return; // It takes its chance: nobody waits for an exit forever.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
