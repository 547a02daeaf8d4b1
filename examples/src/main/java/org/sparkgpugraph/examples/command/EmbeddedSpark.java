package org.sparkgpugraph.examples.command;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.files.input.BadInputException;

/** The Spark of a job: the one that spark-submit set up, else one in this JVM on all its cores. */
public final class EmbeddedSpark {
  /** One and a half of what Spark reserves for itself (its UnifiedMemoryManager). */
  private static final long SPARKS_LEAST_HEAP = 450L << 20;

  private EmbeddedSpark() {}

  /** Gets or makes the session. */
  public static SparkSession session(String applicationName) {
    SparkConf conf = new SparkConf();
    conf.setIfMissing("spark.app.name", applicationName);
    conf.setIfMissing("spark.master", "local[*]");
    // The jobs print their own progress; two progress lines would overwrite each other.
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    if (conf.get("spark.master").startsWith("local")) {
      // Else a task that runs out of memory ends the JVM with a stack trace and without cleaning
      // up.
      conf.setIfMissing("spark.executor.killOnFatalError.depth", "0");
      conf.setIfMissing("spark.ui.enabled", "false");
      // Without these a machine whose name does not resolve cannot start Spark.
      conf.setIfMissing("spark.driver.host", "127.0.0.1");
      conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    if (SparkSession.getDefaultSession().isEmpty()) {
      check(conf.get("spark.master"), Runtime.getRuntime().maxMemory());
    }
    return SparkSession.builder().config(conf).getOrCreate();
  }

  /**
   * Says what Spark says only with a stack trace, and with the names of its own options.
   *
   * @param heapBytes most that the JVM's heap may have
   */
  public static void check(String master, long heapBytes) {
    boolean known =
        master.matches("local(\\[(\\*|0*[1-9][0-9]{0,8})(\\s*,\\s*[0-9]{1,9})?\\])?")
            || master.matches("local-cluster\\[.*\\]|yarn|[a-z0-9]+://.*");
    if (!known) {
      throw new BadInputException(
          "spark.master is '"
              + master
              + "', which Spark does not know: use local[*], local[N] with N of 1 or more,"
              + " spark://HOST:PORT, yarn or k8s://URL");
    }
    if (heapBytes < SPARKS_LEAST_HEAP) {
      throw new BadInputException(
          "the heap has "
              + (heapBytes >> 20)
              + " MB, but Spark needs at least "
              + (SPARKS_LEAST_HEAP >> 20)
              + ": use --driver-memory 512m or more");
    }
  }

  /**
   * Ends the JVM's Spark, and the JVM itself with a status other than 0. Success returns instead:
   * YARN takes an exit inside an application's main, whatever its status, for a failure.
   */
  public static void end(int status) {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    if (status != JobRunner.DONE) {
      System.exit(status);
    }
  }
}
