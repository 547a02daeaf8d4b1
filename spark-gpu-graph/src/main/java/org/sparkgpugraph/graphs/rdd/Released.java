package org.sparkgpugraph.graphs.rdd;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Results that were unpersisted and are still there. Spark's cleaner learns that nobody refers to
 * one when the driver's JVM collects its garbage, which one that does little may not do for hours:
 * when some have come together this asks for it, as that cleaner does every half hour.
 */
final class Released {
  private static final int MOST = 8;
  private static final long PAUSE_NANOS = 10_000_000_000L;

  /** The collections that are asked for take at most a twentieth of the time. */
  private static final long PAUSE_FACTOR = 19;

  private static final List<WeakReference<KeptRdd<?>>> ALL = new ArrayList<>();
  private static long next = System.nanoTime();

  private Released() {}

  /** Another one is unpersisted, perhaps again. */
  static void add(KeptRdd<?> rdd) {
    synchronized (ALL) {
      ALL.removeIf(other -> other.refersTo(null) || other.refersTo(rdd));
      ALL.add(new WeakReference<>(rdd));
      if (ALL.size() < MOST || System.nanoTime() - next < 0) {
        return;
      }
      // Those that survive are in use: it takes as many again to ask once more.
      ALL.clear();
      long start = System.nanoTime();
      System.gc();
      long end = System.nanoTime();
      next = end + Math.max(PAUSE_NANOS, PAUSE_FACTOR * (end - start));
    }
  }
}
