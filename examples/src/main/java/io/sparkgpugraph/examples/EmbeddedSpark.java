package io.sparkgpugraph.examples;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** The Spark of a job: the one that spark-submit set up, else one in this JVM on all its cores. */
final class EmbeddedSpark {
  private EmbeddedSpark() {}

  /** Gets or makes the session. */
  static SparkSession session(String applicationName) {
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
    return SparkSession.builder().config(conf).getOrCreate();
  }

  /**
   * Ends the JVM's Spark, and the JVM itself with a status other than 0. Success returns instead:
   * YARN takes an exit inside an application's main, whatever its status, for a failure.
   */
  static void end(int status) {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    if (status != JobRunner.DONE) {
      System.exit(status);
    }
  }
}
