package org.sparkgpugraph.runtime.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/** Which executors hold the shards of a graph. */
public final class Placement {
  /** Executors take turns in holding the graphs that do not need all of them. */
  private static final AtomicInteger NEXT = new AtomicInteger();

  private Placement() {}

  /**
   * Chooses the owners of the shards of a new graph.
   *
   * @param key of the graph, for messages
   * @param wanted number of shards; 0: one where the graph is small, else one for each executor,
   *     after waiting until there is any
   * @param bytes estimates the memory that the graph takes; asked only where it decides
   * @return {@code executor_<host>_<id>} for each shard; null with a local master
   * @throws IllegalArgumentException when there are fewer executors than wanted, and under dynamic
   *     allocation do not come in time when Spark is asked for them
   */
  public static List<String> choose(SparkContext sc, String key, int wanted, LongSupplier bytes) {
    if (sc.isLocal()) {
      return Collections.nCopies(Math.max(1, wanted), null);
    }
    if (wanted == 0) {
      // Nobody said how many: whoever comes first will do.
      Executors.awaitFirst(sc, key);
    }
    int expected = Math.max(1, sc.getConf().getInt("spark.executor.instances", 1));
    List<String> living =
        wanted > 0 && isDynamic(sc)
            ? Executors.request(sc, wanted)
            : Executors.await(sc, wanted > 0 ? wanted : expected);
    if (living.size() < Math.max(1, wanted)) {
      throw new IllegalArgumentException(tooFew(sc, wanted, living.size()));
    }
    int count = wanted;
    if (count == 0) {
      boolean one = living.size() == 1 || bytes.getAsLong() <= memory(sc) / 3;
      // A job has run in the meantime: more may have come.
      living = one ? living : Executors.living(sc);
      count = one ? 1 : living.size();
    }
    int first = NEXT.getAndAdd(count);
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(living.get(Math.floorMod(first + i, living.size())));
    }
    return chosen;
  }

  /**
   * The owners of a graph's shards after some were lost: those that live keep theirs, the others'
   * go to the executors that hold fewest.
   *
   * @throws IllegalStateException when no executor lives
   */
  public static List<String> replace(SparkContext sc, List<String> locations) {
    if (sc.isLocal()) {
      return new ArrayList<>(locations);
    }
    List<String> living = Executors.await(sc, 1);
    if (living.isEmpty()) {
      throw new IllegalStateException(
          "no executor is left to hold the graph; the cluster manager has not replaced "
              + locations);
    }
    List<String> now = new ArrayList<>(locations);
    now.replaceAll(location -> living.contains(location) ? location : null);
    for (int shard = 0; shard < now.size(); shard++) {
      if (now.get(shard) == null) {
        now.set(
            shard,
            Collections.min(
                living, (a, b) -> Collections.frequency(now, a) - Collections.frequency(now, b)));
      }
    }
    return now;
  }

  /**
   * The owners of a graph's shards after some were lost while it was loaded. Under dynamic
   * allocation, which may have taken one that was idle a moment ago, Spark is asked for as many as
   * there were; the rest is as in {@link #replace}.
   *
   * @throws IllegalStateException when no executor lives
   */
  public static List<String> replaceWhileLoading(SparkContext sc, List<String> locations) {
    if (!sc.isLocal() && isDynamic(sc)) {
      Executors.request(sc, (int) locations.stream().distinct().count());
    }
    return replace(sc, locations);
  }

  /**
   * Whether a graph is going to be in one executor, which is the only one that there is, so that
   * tasks of its load find there what others left.
   *
   * @param wanted number of shards; 0: as {@link #choose} says
   */
  public static boolean isAlone(SparkContext sc, int wanted) {
    if (sc.isLocal() || wanted > 1 || isDynamic(sc)) {
      return sc.isLocal() && wanted <= 1;
    }
    int expected = Math.max(1, sc.getConf().getInt("spark.executor.instances", 1));
    return expected == 1 && Executors.await(sc, 1).size() == 1;
  }

  private static boolean isDynamic(SparkContext sc) {
    return sc.getConf().getBoolean("spark.dynamicAllocation.enabled", false);
  }

  /** Bytes of heap of an executor. */
  private static long memory(SparkContext sc) {
    return (long) sc.executorMemory() << 20;
  }

  /**
   * Refuses at once a graph that the executors chosen for it cannot hold.
   *
   * @param key of the graph
   * @param executors that are to hold it
   * @param bytes that it takes at least, in all of them together
   * @throws GraphMemoryException when they cannot
   */
  public static void checkRoom(SparkContext sc, String key, int executors, long bytes) {
    double fraction = GpuGraphConf.of(sc).get(GpuGraphConf.MEMORY_FRACTION);
    long free = (long) (memory(sc) * fraction);
    if (bytes / Math.max(1, executors) > free) {
      throw new GraphMemoryException(
          ("graph %s does not fit %s %s: it needs at least %s bytes, and each has at most"
                  + " %s bytes for graphs, of a heap of %s bytes (%s = %s): raise"
                  + " spark.executor.memory, or spread the graph over more executors (%s)")
              .formatted(
                  key,
                  executors,
                  executors == 1 ? "executor" : "executors",
                  bytes,
                  free,
                  memory(sc),
                  GpuGraphConf.MEMORY_FRACTION.key(),
                  fraction,
                  GpuGraphConf.EXECUTORS.key()));
    }
  }

  private static String tooFew(SparkContext sc, int wanted, int living) {
    String remedy =
        isDynamic(sc)
            ? (" %s s after Spark was asked for more: see that the cluster has room and that"
                    + " spark.dynamicAllocation.maxExecutors is large enough, or raise %s")
                .formatted(Executors.waitingMillis(sc) / 1000, Executors.WAITING_TIME)
            : ": start more executors";
    return "the graph is to be spread over %s executors (%s), but %s registered"
            .formatted(
                Math.max(1, wanted),
                GpuGraphConf.EXECUTORS.key(),
                living + (living == 1 ? " is" : " are"))
        + remedy
        + (living > 0 ? ", or ask for at most " + living : "");
  }
}
