package org.sparkgpugraph.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.sparkgpugraph.graphs.memory.ColdCode;

/**
 * The threads of one run: the caller and {@code threads − 1} daemon helpers. A phase starts all of
 * them and ends when the last one is done; waiting spins for some microseconds, since phases follow
 * each other closely, and parks after that. A team of at most a quarter of the processors (one that
 * waits for GPUs) spins longer: to wake a thread takes about as long as a short superstep.
 *
 * <p>When a member throws, the others are asked to stop ({@link #stopped}), and {@link #run} throws
 * what was thrown first. When the caller is interrupted (a task is killed), {@link #run} throws
 * {@link CancellationException} and leaves the interrupt status set.
 */
public final class WorkerTeam implements AutoCloseable {
  /** A phase; member 0 is the caller. */
  @FunctionalInterface
  public interface Phase {
    void run(int member);
  }

  private static final int SPINS = 2_000;

  /** For teams that leave most processors to others: about a millisecond. */
  private static final int PATIENT_SPINS = 50_000;

  private static final AtomicInteger TEAMS = new AtomicInteger();

  private final int spins;
  private final Thread[] helpers;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile int epoch;
  private volatile Phase phase;
  private volatile Thread caller;
  private volatile boolean closed;

  /**
   * @param name what the members are for, in the names of their threads
   * @param threads members, the caller included; at least 1
   */
  public WorkerTeam(String name, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, not " + threads);
    }
    spins = threads <= Runtime.getRuntime().availableProcessors() / 4 ? PATIENT_SPINS : SPINS;
    helpers = new Thread[threads - 1];
    int team = TEAMS.incrementAndGet();
    for (int i = 0; i < helpers.length; i++) {
      int member = i + 1;
      helpers[i] = new Thread(() -> help(member), "gpugraph-" + name + "-" + team + "-" + member);
      helpers[i].setDaemon(true);
      helpers[i].start();
    }
  }

  /** Number of members. */
  public int size() {
    return helpers.length + 1;
  }

  /** Whether members should leave the phase early: somebody threw, or the caller is interrupted. */
  public boolean stopped() {
    if (failure.get() != null) {
      return true;
    }
    if (Thread.currentThread() == caller && caller.isInterrupted()) {
      failure.compareAndSet(null, new CancellationException("the run was interrupted"));
      return true;
    }
    return false;
  }

  /** Runs a phase on every member and waits for all. */
  public void run(Phase work) {
    start();
    if (helpers.length > 0) {
      phase = work;
      running.set(helpers.length);
      epoch++;
      for (Thread helper : helpers) {
        LockSupport.unpark(helper);
      }
    }
    member(work, 0);
    for (int spun = 0; running.get() > 0; spun++) {
      if (spun < spins) {
        Thread.onSpinWait();
      } else if (Thread.interrupted()) {
        // park returns at once while interrupted: remember it and go on waiting.
        failure.compareAndSet(null, new CancellationException("the run was interrupted"));
      } else {
        LockSupport.parkNanos(this, 100_000);
      }
    }
    phase = null;
    finish();
  }

  /** What is done with one of several items. */
  @FunctionalInterface
  public interface Item {
    void run(int member, int item);
  }

  /**
   * Does something with the items {@code [0, count)}: members take one after the other, until all
   * are taken or the team is {@linkplain #stopped}.
   *
   * @param together on all members, else on the caller alone
   */
  public void each(boolean together, int count, Item work) {
    each(together, new AtomicInteger(), count, work);
  }

  /**
   * The same by code that the JVM may not have compiled yet: as long as that is likely the caller
   * takes items alone.
   *
   * @param code what an item runs; items take some milliseconds at most
   */
  public void each(ColdCode code, boolean together, int count, Item work) {
    AtomicInteger taken = new AtomicInteger();
    if (code.isCold()) {
      runAlone(member -> code.begin(taken, count, item -> runUnlessStopped(work, member, item)));
    }
    if (taken.get() < count) {
      each(together, taken, count, work);
    }
  }

  private void runUnlessStopped(Item work, int member, int item) {
    if (!stopped()) {
      work.run(member, item);
    }
  }

  private void each(boolean together, AtomicInteger taken, int count, Item work) {
    run(
        together,
        member -> {
          for (int item; (item = taken.getAndIncrement()) < count && !stopped(); ) {
            work.run(member, item);
          }
        });
  }

  /** Runs a phase on all members, or on the caller alone when that is not worth it. */
  public void run(boolean together, Phase work) {
    if (together && size() > 1) {
      run(work);
    } else {
      runAlone(work);
    }
  }

  /** Runs a phase on the caller alone: for what is too short to wake anybody for. */
  public void runAlone(Phase work) {
    start();
    member(work, 0);
    finish();
  }

  private void start() {
    if (closed) {
      throw new IllegalStateException("the run is closed");
    }
    failure.set(null);
    caller = Thread.currentThread();
    stopped();
  }

  private void finish() {
    Throwable thrown = failure.get();
    if (thrown == null) {
      return;
    }
    if (thrown instanceof CancellationException) {
      caller.interrupt();
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(thrown);
  }

  private void member(Phase work, int member) {
    try {
      work.run(member);
    } catch (Throwable e) {
      if (!failure.compareAndSet(null, e) && failure.get() != e) {
        failure.get().addSuppressed(e);
      }
    }
  }

  private void help(int member) {
    int seen = 0;
    while (true) {
      for (int spun = 0; epoch == seen && !closed; spun++) {
        if (spun < spins) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
        }
      }
      if (closed) {
        return;
      }
      seen = epoch;
      member(phase, member);
      if (running.decrementAndGet() == 0) {
        LockSupport.unpark(caller);
      }
    }
  }

  /** Ends the helpers; waits until they are gone. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
      while (helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
