package org.sparkgpugraph.runtime.cluster;

import org.apache.spark.SparkException;

/** Finds what a task threw inside what Spark throws. */
public final class SparkFailures {
  private SparkFailures() {}

  /**
   * The library's or the data's own exception, so that a user sees "division by zero … vertex 7"
   * first and Spark's "Job aborted" as suppressed. An interrupt while Spark waits becomes {@link
   * #interrupted}. What has none inside is thrown as it is: Spark's exceptions are checked, but its
   * methods do not say so.
   */
  public static RuntimeException unwrap(Throwable thrown) {
    if (thrown instanceof InterruptedException e) {
      return interrupted("in a job of Spark", e);
    }
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (!(t instanceof SparkException) && t instanceof RuntimeException runtime) {
        if (t != thrown) {
          runtime.addSuppressed(thrown);
        }
        return runtime;
      }
    }
    throw undeclared(thrown);
  }

  /**
   * What the thread's caller gets: Spark's methods throw {@link InterruptedException} without
   * declaring it, and the thread's interrupt status is cleared then. It is set again here.
   *
   * @param where it was interrupted
   */
  static IllegalStateException interrupted(String where, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted " + where, e);
  }

  /** Throws what Spark's methods throw without declaring it. */
  public static RuntimeException undeclared(Throwable thrown) {
    throw SparkFailures.<RuntimeException>cast(thrown);
  }

  @SuppressWarnings("unchecked") // erased: nothing is cast
  private static <E extends Throwable> E cast(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
