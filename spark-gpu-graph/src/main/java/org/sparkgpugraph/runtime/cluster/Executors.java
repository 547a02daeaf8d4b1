package org.sparkgpugraph.runtime.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.apache.spark.storage.BlockManagerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import scala.collection.Iterator;
import scala.collection.immutable.Map$;

/** What the driver knows of the executors. */
public final class Executors {
  private static final Logger LOG = LoggerFactory.getLogger(Executors.class);
  static final String WAITING_TIME = "spark.scheduler.maxRegisteredResourcesWaitingTime";
  private static final String MAX_EXECUTORS = "spark.dynamicAllocation.maxExecutors";
  private static final long PAUSE_MILLIS = 100;

  /** Between two requests: dynamic allocation may take one back, since nobody works yet. */
  private static final long REQUEST_MILLIS = 1_000;

  private Executors() {}

  /**
   * Cores of one executor: those of {@code local[n]}, else {@code spark.executor.cores}, else those
   * of the smallest executor that has registered (a standalone executor takes all cores of its
   * worker), else 1.
   */
  public static int cores(SparkContext sc) {
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
  public static boolean isAlive(SparkContext sc, String location) {
    return sc.env()
        .blockManager()
        .master()
        .getMemoryStatus()
        .keysIterator()
        .exists(executor -> location(executor).equals(location));
  }

  /**
   * Whether several executors still live, as the driver knows it at one time.
   *
   * @param locations {@code executor_<host>_<id>}; null for anywhere
   */
  public static boolean areAlive(SparkContext sc, Collection<String> locations) {
    Set<String> missing = new HashSet<>(locations);
    missing.remove(null);
    Iterator<BlockManagerId> known =
        sc.env().blockManager().master().getMemoryStatus().keysIterator();
    while (known.hasNext()) {
      missing.remove(location(known.next()));
    }
    return missing.isEmpty();
  }

  /** The executors that live, {@code executor_<host>_<id>}, one host after another in turn. */
  public static List<String> living(SparkContext sc) {
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
   * How long to wait for executors: {@code spark.scheduler.maxRegisteredResourcesWaitingTime}, 10 s
   * unless set; 60 s where they are started on demand.
   */
  static long waitingMillis(SparkContext sc) {
    boolean dynamic = sc.getConf().getBoolean("spark.dynamicAllocation.enabled", false);
    return sc.getConf().getTimeAsMs(WAITING_TIME, dynamic ? "60s" : "10s");
  }

  /**
   * Waits until there is an executor, for as long as it takes, as any first job of Spark does: a
   * task waits for it, so Spark starts one under dynamic allocation, and says in the log that the
   * job has no resources yet.
   *
   * @param key of what is to be there, for messages
   * @throws IllegalStateException when the thread is interrupted
   */
  static void awaitFirst(SparkContext sc, String key) {
    while (living(sc).isEmpty()) {
      LOG.info("no executor is registered yet; waiting for one");
      JobDescription.of(
          sc,
          "waiting for an executor",
          () -> OwnerJob.anywhere(sc, key, () -> PinnedRdd.of(sc, 1, null).count()));
    }
  }

  /**
   * The executors that live, when there are so many or {@link #waitingMillis} have passed, in which
   * they might still register.
   */
  static List<String> await(SparkContext sc, int count) {
    return await(sc, count, () -> {});
  }

  /**
   * The same under dynamic allocation, which by itself starts executors only for tasks that wait:
   * asks Spark for so many.
   *
   * @throws IllegalArgumentException when more are wanted than there may ever be
   */
  static List<String> request(SparkContext sc, int count) {
    int most = sc.getConf().getInt(MAX_EXECUTORS, Integer.MAX_VALUE);
    if (count > most) {
      throw new IllegalArgumentException(
          ("the graph is to be spread over %s executors (%s), but %s = %s: raise it, or"
                  + " ask for at most %s")
              .formatted(count, GpuGraphConf.EXECUTORS.key(), MAX_EXECUTORS, most, most));
    }
    LOG.info("{} executors are wanted", count);
    List<String> living;
    try (IdleBreaks breaks = new IdleBreaks(sc)) {
      living =
          await(
              sc,
              count,
              () -> {
                ask(sc, count);
                breaks.work();
              });
    }
    if (living.size() < count) {
      // Those that come later would be idle.
      ask(sc, living.size());
    }
    return living;
  }

  /**
   * Gives the executors that live a moment's work now and then: dynamic allocation would remove
   * them, idle as they are, before the last one that is wanted has come.
   */
  private static final class IdleBreaks implements AutoCloseable {
    private final SparkContext sc;
    private JavaFutureAction<Long> last;

    IdleBreaks(SparkContext sc) {
      this.sc = sc;
    }

    void work() {
      List<String> living = living(sc);
      if (!living.isEmpty() && (last == null || last.isDone())) {
        // Nobody waits for it: where executors are busy there is no need of it.
        last = PinnedRdd.near(sc, living).countAsync();
      }
    }

    @Override
    public void close() {
      if (last != null) {
        last.cancel(true);
      }
    }
  }

  private static void ask(SparkContext sc, int count) {
    if (!sc.requestTotalExecutors(count, 0, Map$.MODULE$.empty())) {
      LOG.warn("Spark did not take the request for {} executors", count);
    }
  }

  private static List<String> await(SparkContext sc, int count, Runnable request) {
    long deadline = System.nanoTime() + waitingMillis(sc) * 1_000_000;
    long nextRequest = System.nanoTime();
    List<String> living = living(sc);
    while (living.size() < count && System.nanoTime() < deadline) {
      if (System.nanoTime() >= nextRequest) {
        request.run();
        nextRequest = System.nanoTime() + REQUEST_MILLIS * 1_000_000;
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw SparkFailures.interrupted("while waiting for executors", e);
      }
      living = living(sc);
    }
    return living;
  }

  /** Where this task runs, as Spark names it in a preferred location. */
  public static String here() {
    return location(SparkEnv.get().blockManager().blockManagerId());
  }

  /** An executor as Spark names it in a preferred location. */
  public static String location(BlockManagerId executor) {
    return "executor_" + executor.host() + "_" + executor.executorId();
  }
}
