package org.sparkgpugraph.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long code of a {@linkplain WorkerTeam team} has run in this JVM. Before the JVM compiles code
 * to the end it counts what the code does, in memory that all threads share: many threads that
 * begin together take turns at those counts, and are slower than one of them is alone
 * (docs/performance.md, "The CPU engine alone"). So one begins, and the others follow when the code
 * is likely to be compiled. Thread-safe.
 */
public final class ColdCode {
  /** With 20 ms first runs were shortest on 16 cores; with 5 and 150 about as long as with none. */
  private static final long ALONE_NANOS = 20_000_000;

  private static final ClassValue<Map<Enum<?>, ColdCode>> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected Map<Enum<?>, ColdCode> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private final long alone;
  private final AtomicLong nanos = new AtomicLong();

  /** Code that has not run yet. */
  public ColdCode() {
    this(ALONE_NANOS);
  }

  /**
   * @param alone nanoseconds for which one thread runs it; 0: none
   */
  ColdCode(long alone) {
    this.alone = alone;
  }

  /**
   * Code of a class, such as a generated one.
   *
   * @param part which
   */
  public static ColdCode of(Class<?> type, Enum<?> part) {
    return OF_CLASSES.get(type).computeIfAbsent(part, key -> new ColdCode());
  }

  /** Whether one thread had better run it alone. */
  boolean isCold() {
    return nanos.get() < alone;
  }

  /** Says that a thread has run it for so long. */
  void ran(long more) {
    nanos.addAndGet(more);
  }
}
