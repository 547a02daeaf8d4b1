package io.sparkgpugraph.spark;

import org.apache.spark.SparkException;

/** Finds what a task threw inside what Spark throws. */
final class SparkFailures {
  private SparkFailures() {}

  /**
   * The library's or the data's own exception, so that a user sees "division by zero … vertex 7"
   * first and Spark's "Job aborted" as suppressed. What has none inside is thrown as it is: Spark's
   * exceptions are checked, but its methods do not say so.
   */
  static RuntimeException unwrap(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (!(t instanceof SparkException) && t instanceof RuntimeException runtime) {
        if (t != thrown) {
          runtime.addSuppressed(thrown);
        }
        return runtime;
      }
    }
    throw SparkFailures.<RuntimeException>undeclared(thrown);
  }

  @SuppressWarnings("unchecked") // erased: nothing is cast
  private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
