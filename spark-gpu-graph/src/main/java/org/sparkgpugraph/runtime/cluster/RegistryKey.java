package org.sparkgpugraph.runtime.cluster;

import java.util.UUID;
import org.apache.spark.SparkContext;

/**
 * Names of what executors keep: application, slash, what it is, a number that never comes again.
 * What several executors hold parts of has the number of the part behind another slash.
 */
public final class RegistryKey {
  private static final String RESULT = "result";

  private RegistryKey() {}

  /** A new name for a graph, or blocks of one. */
  public static String of(SparkContext sc, String what) {
    return sc.applicationId() + "/" + what + "-" + UUID.randomUUID();
  }

  /** A new name for a run, under which its result is kept. */
  public static String ofResult(SparkContext sc) {
    return of(sc, RESULT);
  }

  /** Whether a name, of all or of a part, is a run's. */
  public static boolean isResult(String key) {
    return key.contains("/" + RESULT + "-");
  }
}
