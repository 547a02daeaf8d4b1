package io.sparkgpugraph.spark;

import org.apache.spark.SparkException;

/** Finds what a task threw inside what Spark throws. */
final class SparkFailures {
  private SparkFailures() {}

  /**
   * The deepest of the library's or the data's own exceptions, so that a user sees "division by
   * zero … vertex 7" first and Spark's "Job aborted" as its wrapping.
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
    return thrown instanceof RuntimeException runtime ? runtime : new IllegalStateException(thrown);
  }
}
