package io.sparkgpugraph.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.apache.spark.storage.BlockManagerId;
import scala.collection.Iterator;

/** What the driver knows of the executors. */
final class Executors {
  private static final String WAITING_TIME = "spark.scheduler.maxRegisteredResourcesWaitingTime";
  private static final long PAUSE_MILLIS = 100;

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

  /** The executors that live, {@code executor_<host>_<id>}, one host after another in turn. */
  static List<String> living(SparkContext sc) {
    Map<String, List<BlockManagerId>> byHost = new TreeMap<>();
    Iterator<BlockManagerId> known =
        sc.env().blockManager().master().getMemoryStatus().keysIterator();
    while (known.hasNext()) {
      BlockManagerId executor = known.next();
      if (!executor.isDriver()) {
        byHost.computeIfAbsent(executor.host(), host -> new ArrayList<>()).add(executor);
      }
    }
    List<String> living = new ArrayList<>();
    byHost.values().forEach(all -> all.sort(Comparator.comparing(Executors::number)));
    for (int i = 0; !byHost.isEmpty(); i++) {
      int place = i;
      byHost.values().removeIf(all -> all.size() <= place);
      byHost.values().forEach(all -> living.add(location(all.get(place))));
    }
    return living;
  }

  /** Executors' ids are numbers as all cluster managers of Spark give them, but need not be. */
  private static long number(BlockManagerId executor) {
    String digits = executor.executorId().replaceAll("[^0-9]", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }

  /**
   * The executors that live, when there are so many or a short time has passed in which they might
   * still register: {@code spark.scheduler.maxRegisteredResourcesWaitingTime}, 10 s unless set.
   */
  static List<String> await(SparkContext sc, int count) {
    long wait = sc.getConf().getTimeAsMs(WAITING_TIME, "10s");
    long deadline = System.nanoTime() + wait * 1_000_000;
    List<String> living = living(sc);
    while (living.size() < count && System.nanoTime() < deadline) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for executors", e);
      }
      living = living(sc);
    }
    return living;
  }

  /** An executor as Spark names it in a preferred location. */
  static String location(BlockManagerId executor) {
    return "executor_" + executor.host() + "_" + executor.executorId();
  }
}
