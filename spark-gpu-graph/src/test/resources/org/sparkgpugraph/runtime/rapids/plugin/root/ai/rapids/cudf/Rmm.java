package ai.rapids.cudf;

import java.util.ArrayDeque;
import java.util.Deque;

/** A pool of numbers instead of memory. */
public class Rmm {
  /** Asks for memory, as the event handler of the plugin does: bytes freed. */
  public interface Spill {
    long spill(long bytes);
  }

  public static volatile boolean initialized = true;
  public static volatile long pool = 10_000;
  public static long used;
  public static Spill spill = bytes -> 0;

  /** What the next allocations throw. */
  public static final Deque<RuntimeException> failures = new ArrayDeque<>();

  private static long next = 1 << 20;

  public static boolean isInitialized() {
    return initialized;
  }

  public static synchronized long getPoolSize() {
    return pool;
  }

  public static synchronized long getTotalBytesAllocated() {
    return used;
  }

  static long take(long bytes) {
    while (true) {
      synchronized (Rmm.class) {
        if (!failures.isEmpty()) {
          throw failures.remove();
        }
        if (used + bytes <= pool || pool < 0) {
          used += bytes;
          next += bytes;
          return next - bytes;
        }
      }
      if (spill.spill(bytes) == 0) {
        throw new OutOfMemoryError("Could not allocate native memory: std::bad_alloc");
      }
    }
  }

  static synchronized void give(long bytes) {
    used -= bytes;
  }
}
