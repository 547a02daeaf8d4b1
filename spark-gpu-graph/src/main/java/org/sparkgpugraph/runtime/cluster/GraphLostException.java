package org.sparkgpugraph.runtime.cluster;

import org.apache.spark.SparkEnv;

/** An executor was asked for a graph or result that it does not hold, or its owner is gone. */
public final class GraphLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** On an executor: what is asked for is not here. */
  public GraphLostException(String key, String what) {
    super(
        ("%s %s is not held by executor %s: it was closed, the executor that held it was"
                + " lost, or what was made of it is used after unpersist; %s")
            .formatted(
                what,
                key,
                SparkEnv.get() == null ? "?" : SparkEnv.get().executorId(),
                remedy(key)));
  }

  /** On the driver: the owner does not live any more. */
  public GraphLostException(String key, String location, Throwable cause) {
    super(key + " is lost with " + location + ", the executor that held it; " + remedy(key), cause);
  }

  /** On the driver: something cannot be made again. */
  private GraphLostException(String message) {
    super(message);
  }

  private static String remedy(String key) {
    return RegistryKey.isResult(key)
        ? "run the program again, which loads again what was lost of the graph"
        : "load the graph again";
  }

  /**
   * On the driver: a graph cannot be restored.
   *
   * @param why reason and remedy
   */
  public static GraphLostException forGood(String key, String why) {
    return new GraphLostException(key + " cannot be restored: " + why);
  }
}
