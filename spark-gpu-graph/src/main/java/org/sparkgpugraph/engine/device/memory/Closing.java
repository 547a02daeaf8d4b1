package org.sparkgpugraph.engine.device.memory;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceException;

/** Closes all of several resources, even when closing one throws. */
public final class Closing {
  private Closing() {}

  /**
   * Closes all, last one first.
   *
   * @throws DeviceException the first that one of them threw, with the others suppressed
   */
  public static void all(List<? extends AutoCloseable> resources) {
    RuntimeException first = null;
    for (int i = resources.size() - 1; i >= 0; i--) {
      try {
        resources.get(i).close();
      } catch (Exception e) {
        RuntimeException told =
            e instanceof RuntimeException r ? r : new IllegalStateException("cannot close", e);
        if (first == null) {
          first = told;
        } else {
          first.addSuppressed(told);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Closes all because of an error, which stays the one that is told. */
  public static void after(Throwable error, List<? extends AutoCloseable> resources) {
    try {
      all(resources);
    } catch (RuntimeException e) {
      error.addSuppressed(e);
    }
  }
}
