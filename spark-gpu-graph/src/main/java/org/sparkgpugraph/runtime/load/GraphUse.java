package org.sparkgpugraph.runtime.load;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who does what with a graph that executors hold, and with the graphs that share its structure.
 * Programs, and what else reads the graph, run side by side. What changes its shards (loading more,
 * connecting them anew after a loss) runs one after the other, and where there are several shards
 * alone: it waits for the programs of other threads to end, or to want a change themselves, as each
 * does that notices the loss of an executor. Who begins meanwhile lets such a change go first, so
 * that programs which start all the time do not keep it waiting; only for a while, since a program
 * that the change waits for may wait for the one that begins. A thread does not wait for itself, so
 * that an observer of a program may run another one. Thread-safe.
 */
final class GraphUse {
  private static final Logger LOG = LoggerFactory.getLogger(GraphUse.class);

  /** How long a use lets changes go first that need exclusive use. */
  private static final long COURTESY_MILLIS = 60_000;

  private final long courtesyMillis;

  /** Thread → how many uses inside of one another. */
  private final Map<Thread, Integer> users = new HashMap<>();

  /** Threads that wait for their turn to change something: what they use rests meanwhile. */
  private final Set<Thread> waiting = new HashSet<>();

  /** How many of these wait for exclusive use. */
  private int waitingExclusive;

  private Thread changing;
  private boolean exclusivelyUsed;

  GraphUse() {
    this(COURTESY_MILLIS);
  }

  /**
   * @param courtesyMillis how long a use lets changes go first that wait for exclusive use;
   *     positive
   */
  GraphUse(long courtesyMillis) {
    this.courtesyMillis = courtesyMillis;
  }

  /**
   * A use begins; waits while something is changed alone, and a while for those who wait to do so.
   *
   * @throws IllegalStateException when the thread is interrupted
   */
  synchronized void begin() {
    Thread me = Thread.currentThread();
    long start = System.nanoTime();
    while (changing != me) {
      long left = courtesyMillis - (System.nanoTime() - start) / 1_000_000;
      if (exclusivelyUsed) {
        pause(0);
      } else if (waitingExclusive > 0 && left > 0 && !users.containsKey(me)) {
        pause(left);
      } else {
        break;
      }
    }
    users.merge(me, 1, Integer::sum);
  }

  /** A use of this thread ends. */
  synchronized void end() {
    users.computeIfPresent(Thread.currentThread(), (me, uses) -> uses == 1 ? null : uses - 1);
    notifyAll();
  }

  /**
   * Changes something, when it is this thread's turn and still needed.
   *
   * @param exclusive whether no other thread may use the graph meanwhile
   * @param needed asked again and again while this waits; must not wait itself
   * @throws IllegalStateException when the thread is interrupted while it waits
   */
  void change(boolean exclusive, BooleanSupplier needed, Runnable change) {
    if (!turn(exclusive, needed)) {
      return;
    }
    try {
      change.run();
    } finally {
      synchronized (this) {
        changing = null;
        exclusivelyUsed = false;
        notifyAll();
      }
    }
  }

  private synchronized boolean turn(boolean exclusive, BooleanSupplier needed) {
    Thread me = Thread.currentThread();
    if (changing == me) {
      throw new IllegalStateException("a change inside of a change");
    }
    waiting.add(me);
    waitingExclusive += exclusive ? 1 : 0;
    notifyAll();
    try {
      boolean told = false;
      while (true) {
        // An earlier exclusive change may have failed half way.
        if (!exclusivelyUsed) {
          if (!needed.getAsBoolean()) {
            return false;
          }
          if (changing == null && !(exclusive && othersUse(me))) {
            changing = me;
            exclusivelyUsed = exclusive;
            return true;
          }
        }
        if (!told) {
          LOG.info("waiting for other programs on the graph, since its shards are to be changed");
          told = true;
        }
        pause(0);
      }
    } finally {
      waiting.remove(me);
      waitingExclusive -= exclusive ? 1 : 0;
      notifyAll();
    }
  }

  private boolean othersUse(Thread me) {
    return users.keySet().stream().anyMatch(user -> user != me && !waiting.contains(user));
  }

  /** Waits until something has changed, at most so long; 0: without a limit. */
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for other programs", e);
    }
  }
}
