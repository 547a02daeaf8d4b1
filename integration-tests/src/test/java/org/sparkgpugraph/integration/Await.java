package org.sparkgpugraph.integration;

import java.util.concurrent.Callable;

/** Waits for what comes soon. */
final class Await {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS = 50;

  private Await() {}

  /**
   * Waits until something holds.
   *
   * @throws AssertionError when it does not within a minute
   */
  static void until(String what, Callable<Boolean> holds) {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    try {
      while (!holds.call()) {
        if (System.currentTimeMillis() > end) {
          throw new AssertionError("waited a minute in vain for " + what);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + what, e);
    } catch (Exception e) {
      throw new AssertionError("while waiting for " + what, e);
    }
  }
}
