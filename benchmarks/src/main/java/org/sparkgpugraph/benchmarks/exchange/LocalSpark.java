package org.sparkgpugraph.benchmarks.exchange;

import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.benchmarks.ExecutorClassPath;

/** A Spark on this host, in one JVM or with executors that are processes of their own. */
final class LocalSpark {
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private LocalSpark() {}

  /**
   * What it is started with.
   *
   * @param memory of an executor, where it is a process
   */
  static SparkConf conf(String name, String master, String memory) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName(name)
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    if (master.startsWith("local-cluster")) {
      conf.set("spark.executor.memory", memory)
          .set("spark.executor.extraClassPath", ExecutorClassPath.absolute());
    }
    return conf;
  }

  /** Waits until all executors are there; in one JVM they are. */
  static void awaitExecutors(JavaSparkContext sc, int executors) {
    if (sc.isLocal()) {
      return;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    // The driver counts as one.
    while (sc.sc().getExecutorMemoryStatus().size() <= executors) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(executors + " executors did not start");
      }
      LockSupport.parkNanos(100_000_000);
    }
  }
}
