package io.sparkgpugraph.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.apache.spark.storage.BlockManagerId;
import scala.collection.Iterator;

/** What the driver knows of the executors. */
final class Executors {
  private Executors() {}

  /**
   * Cores of one executor: those of {@code local[n]}, else {@code spark.executor.cores}, else those
   * of the smallest executor that has registered (a standalone executor takes all cores of its
   * worker), else 1.
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
    int configured = sc.getConf().getInt("spark.executor.cores", 0);
    return configured > 0 ? configured : registeredCores(sc);
  }

  private static int registeredCores(SparkContext sc) {
    int least = Integer.MAX_VALUE;
    Iterator<ExecutorSummary> executors = sc.statusStore().executorList(true).iterator();
    while (executors.hasNext()) {
      ExecutorSummary executor = executors.next();
      if (!executor.id().equals("driver") && executor.totalCores() > 0) {
        least = Math.min(least, executor.totalCores());
      }
    }
    return least == Integer.MAX_VALUE ? 1 : least;
  }

  /**
   * Whether an executor still lives.
   *
   * @param location {@code executor_<host>_<id>}
   */
  static boolean isAlive(SparkContext sc, String location) {
    Iterator<BlockManagerId> known =
        sc.env().blockManager().master().getMemoryStatus().keysIterator();
    while (known.hasNext()) {
      if (location(known.next()).equals(location)) {
        return true;
      }
    }
    return false;
  }

  /** An executor as Spark names it in a preferred location. */
  static String location(BlockManagerId executor) {
    return "executor_" + executor.host() + "_" + executor.executorId();
  }
}
