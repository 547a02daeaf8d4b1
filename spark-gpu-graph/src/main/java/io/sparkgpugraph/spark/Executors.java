package io.sparkgpugraph.spark;

import org.apache.spark.SparkContext;

/** What the driver knows of the executors. */
final class Executors {
  private Executors() {}

  /**
   * Cores of one executor: those of {@code local[n]}, else {@code spark.executor.cores}, else 1.
   */
  static int cores(SparkContext sc) {
    String master = sc.master();
    if (master.equals("local")) {
      return 1;
    }
    if (master.startsWith("local[")) {
      String count = master.substring("local[".length(), master.indexOf(']')).split(",")[0].trim();
      return count.equals("*")
          ? Runtime.getRuntime().availableProcessors()
          : Integer.parseInt(count);
    }
    return sc.getConf().getInt("spark.executor.cores", 1);
  }
}
