package org.sparkgpugraph.runtime.held;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has memory and files of edges off the heap given back soon behind a load, and when a graph is
 * closed. They are given back when the garbage collector finds that nobody reaches them, and of the
 * heap they take nothing: an executor that has little else to do would collect much later, and keep
 * until then the disk, or the memory, that others run short of.
 */
final class EdgeSweep {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeSweep.class);

  /** Bytes below which a collection is never worth its time. */
  private static final long LEAST = 8L << 20;

  /** The same as a part of the heap in use, which a collection walks through. */
  private static final int PART_OF_HEAP = 128;

  /** Tasks that end may reach them for a while; each pause is followed by a collection. */
  private static final int[] PAUSES_MILLIS = {50, 300, 2000, 10_000};

  // Guarded by the class.
  private static boolean sweeping;
  private static boolean wanted;

  private EdgeSweep() {}

  /** Collects in the background where there is something that no graph has. */
  static synchronized void soon() {
    wanted = true;
    if (sweeping || EdgeHomes.bytes() < LEAST) {
      return;
    }
    Thread thread = new Thread(EdgeSweep::sweep, "gpugraph-edge-sweep");
    thread.setDaemon(true);
    // It outlives whoever starts it.
    thread.setContextClassLoader(null);
    try {
      thread.start();
      sweeping = true;
    } catch (OutOfMemoryError e) {
      // The system has no thread for it; the collector finds them some day.
      LOG.warn("memory off the heap that no graph has stays until the collector comes", e);
    }
  }

  private static void sweep() {
    try {
      while (again()) {
        for (int pause : PAUSES_MILLIS) {
          if (!collected(pause)) {
            break;
          }
        }
      }
    } catch (RuntimeException | Error e) {
      // Spark would end the executor by what a thread does not catch.
      ended();
      LOG.warn("memory off the heap that no graph has stays until the collector comes", e);
    }
  }

  private static synchronized void ended() {
    sweeping = false;
  }

  private static synchronized boolean again() {
    sweeping = wanted;
    wanted = false;
    return sweeping;
  }

  /** Collects where it is worth it; says whether there may be something left to find. */
  private static boolean collected(int pause) {
    try {
      TimeUnit.MILLISECONDS.sleep(pause);
    } catch (InterruptedException e) {
      // Nobody else has this thread.
      throw new IllegalStateException(e);
    }
    // What a load is at work with nobody can tell from what is left; its end comes here again.
    if (ExecutorRegistry.isLoading()) {
      return false;
    }
    long unreached = EdgeHomes.bytes() - ExecutorRegistry.edgeBytesAway();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    if (unreached < Math.max(LEAST, used / PART_OF_HEAP)) {
      return false;
    }
    long start = System.nanoTime();
    System.gc();
    LOG.debug(
        "a collection of {} ms, since {} MB off the heap belong to no graph",
        (System.nanoTime() - start) / 1_000_000,
        unreached >> 20);
    return true;
  }
}
