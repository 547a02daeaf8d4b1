package org.sparkgpugraph.integration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Does things to a cluster in the middle of a run, each once, and remembers the supersteps that the
 * run reports.
 */
final class Faults implements RunObserver, AutoCloseable {
  /**
   * Supersteps of graphs as small as those of tests would all be done before what happens some time
   * after one of them. Tasks stay meanwhile.
   */
  private static final int PACE_MILLIS = 20;

  private final Map<Integer, Fault> behind = new LinkedHashMap<>();
  private final List<Integer> supersteps = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private int from = -1;
  private Throwable failed;

  /** Something that breaks. */
  @FunctionalInterface
  interface Fault {
    void happen() throws Exception;
  }

  /** Behind a superstep, before the next one begins. */
  Faults behind(int superstep, Fault fault) {
    behind.put(superstep, fault);
    return this;
  }

  /** Behind the first superstep that ends with this number or a larger one. */
  Faults behindOneFrom(int superstep, Fault fault) {
    from = superstep;
    return behind(superstep, fault);
  }

  /** Some time after the end of a superstep, while the run goes on. */
  Faults after(int superstep, int millis, Fault fault) {
    return behind(
        superstep,
        () -> {
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      Thread.sleep(millis);
                      fault.happen();
                    } catch (Exception | Error e) {
                      failed(e);
                    }
                  },
                  "fault after superstep " + superstep);
          thread.start();
          threads.add(thread);
        });
  }

  private synchronized void failed(Throwable e) {
    failed = e;
  }

  @Override
  public void superstepEnded(SuperstepStats stats) {
    supersteps.add(stats.superstep());
    pause();
    boolean passed = from >= 0 && stats.superstep() >= from;
    Fault fault = behind.remove(passed ? from : stats.superstep());
    if (fault != null) {
      try {
        fault.happen();
      } catch (Exception e) {
        throw new IllegalStateException("the fault could not be made", e);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PACE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Numbers of the supersteps, in the order in which they ended; repeated where they were. */
  List<Integer> supersteps() {
    return supersteps;
  }

  /** To which superstep the run went back; -1: it never did. */
  int wentBackTo() {
    int back = -1;
    for (int i = 1; i < supersteps.size(); i++) {
      if (supersteps.get(i) <= supersteps.get(i - 1)) {
        back = back < 0 ? supersteps.get(i) : Math.min(back, supersteps.get(i));
      }
    }
    return back;
  }

  /** Waits for the faults and checks that all of them have happened. */
  @Override
  public void close() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    synchronized (this) {
      if (failed != null) {
        throw new AssertionError("a fault could not be made", failed);
      }
    }
    if (!behind.isEmpty()) {
      throw new AssertionError(
          "nothing happened behind supersteps " + behind.keySet() + " of " + supersteps);
    }
  }
}
