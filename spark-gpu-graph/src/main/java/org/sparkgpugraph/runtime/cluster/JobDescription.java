package org.sparkgpugraph.runtime.cluster;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;

/** Says in Spark's UI what a job does. */
public final class JobDescription {
  private static final String KEY = "spark.job.description";

  private JobDescription() {}

  /**
   * As {@link #with}, for what throws nothing that is checked.
   *
   * @param text what they do
   */
  public static <T> T of(SparkContext sc, String text, Supplier<T> jobs) {
    try {
      return with(sc, text, jobs::get);
    } catch (Exception e) {
      // Spark's own exceptions are checked though its methods do not declare them.
      throw SparkFailures.undeclared(e);
    }
  }

  /**
   * Runs something whose jobs are described; afterwards the description is what it was.
   *
   * @param text what they do, without the name of a graph or a result
   */
  public static <T> T with(SparkContext sc, String text, Callable<T> jobs) throws Exception {
    String before = sc.getLocalProperty(KEY);
    sc.setLocalProperty(KEY, text);
    try {
      return jobs.call();
    } finally {
      sc.setLocalProperty(KEY, before);
    }
  }
}
