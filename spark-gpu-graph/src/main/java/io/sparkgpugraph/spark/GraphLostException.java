package io.sparkgpugraph.spark;

import org.apache.spark.SparkEnv;

/** An executor was asked for a graph or result that it does not hold. */
public final class GraphLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GraphLostException(String key, String what) {
    super(
        what
            + " "
            + key
            + " is not held by executor "
            + (SparkEnv.get() == null ? "?" : SparkEnv.get().executorId())
            + ": it was closed, or the executor that held it was lost; load the graph again");
  }
}
