package org.sparkgpugraph.examples;

/** What {@code spark-submit --class org.sparkgpugraph.examples.GraphJob} starts below Java 17. */
public final class GraphJob {
  private GraphJob() {}

  /** Says which Java this is and which is needed; ends with status 1. */
  public static void main(String[] arguments) {
    System.err.println(
        "GraphJob: this is Java "
            + System.getProperty("java.version")
            + " ("
            + System.getProperty("java.home")
            + "), but 17 or newer is needed, by the driver and by the executors: set JAVA_HOME, and on a"
            + " cluster spark.executorEnv.JAVA_HOME (on YARN spark.yarn.appMasterEnv.JAVA_HOME, too)");
    System.exit(1);
  }
}
