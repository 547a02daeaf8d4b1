package org.sparkgpugraph.graphs.memory;

import java.lang.ref.Cleaner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for memory off the heap that nobody reaches any more: it counts until the garbage collector
 * has found it.
 */
final class Collected {
  static final Cleaner CLEANER = Cleaner.create();

  /** How often it asks at most; the pauses between double from a millisecond on. */
  private static final int TRIES = 10;

  /** The pause, as a power of two, from which on nothing that changes means that all was found. */
  private static final int QUIET = 4;

  private Collected() {}

  /**
   * Collects once and waits, a second at most, until there is room or nothing more becomes free.
   * One caller at a time: what is found for one is there for the next.
   *
   * @param bytes that count
   * @param room takes what is wanted, or says whether it is there
   * @return whether it was
   */
  static synchronized boolean await(LongSupplier bytes, BooleanSupplier room) {
    if (room.getAsBoolean()) {
      return true;
    }
    if (bytes.getAsLong() == 0) {
      return false;
    }
    AtomicBoolean found = new AtomicBoolean();
    CLEANER.register(new Object(), () -> found.set(true));
    System.gc();
    for (int i = 0; i < TRIES; i++) {
      long before = bytes.getAsLong();
      try {
        TimeUnit.MILLISECONDS.sleep(1L << i);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return room.getAsBoolean();
      }
      if (room.getAsBoolean()) {
        return true;
      }
      if (i >= QUIET && found.get() && bytes.getAsLong() == before) {
        return false;
      }
    }
    return false;
  }
}
