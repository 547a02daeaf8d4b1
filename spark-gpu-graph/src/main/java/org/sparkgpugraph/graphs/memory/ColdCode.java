package org.sparkgpugraph.graphs.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * How long code that several threads run has run in this JVM. Before the JVM compiles code to the
 * end it counts what the code does, in memory that all threads share: many threads that begin
 * together take turns at those counts, and are slower than one of them is alone
 * (docs/performance.md, "The CPU engine alone"). So one begins, and the others follow when the code
 * is likely to be compiled. Thread-safe.
 */
public final class ColdCode {
  /** First runs on 16 cores were shortest with 20 to 35 ms (docs/performance.md). */
  private static final long ALONE_NANOS = 20_000_000;

  /** Code that is known to be compiled, or of which an item takes long. */
  static final ColdCode WARM = new ColdCode(0);

  private static final ClassValue<Map<Object, ColdCode>> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected Map<Object, ColdCode> computeValue(Class<?> type) {
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
   * For tests.
   *
   * @param alone nanoseconds for which one thread runs it; 0: none
   */
  public ColdCode(long alone) {
    this.alone = alone;
  }

  /**
   * A part of the code of a class, such as a generated one.
   *
   * @param part which
   */
  public static ColdCode of(Class<?> type, Object part) {
    return OF_CLASSES.get(type).computeIfAbsent(part, key -> new ColdCode());
  }

  /** All code of a class, such as a lambda's. */
  public static ColdCode of(Class<?> type) {
    return of(type, "");
  }

  /** Whether one thread had better run it alone. */
  public boolean isCold() {
    return nanos.get() < alone;
  }

  /** Says that a thread has run it for so long. */
  public void ran(long more) {
    nanos.addAndGet(more);
  }

  /**
   * Runs it as long as it is cold, for items that nobody else takes meanwhile.
   *
   * @param next the first that is left, before and after
   * @param end behind the last
   * @param item takes some milliseconds at most
   */
  public void begin(AtomicInteger next, int end, IntConsumer item) {
    long start = System.nanoTime();
    while (isCold() && next.get() < end) {
      item.accept(next.getAndIncrement());
      long now = System.nanoTime();
      ran(now - start);
      start = now;
    }
  }
}
