package io.sparkgpugraph.spark;

import io.sparkgpugraph.spark.ShardStages.Exchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stages of {@link FencedShard}s on all shards of a graph, seen from the driver: tells what every
 * shard has done from what is lost, and what is worth another try from what is not.
 */
final class FencedStages {
  private static final Logger LOG = LoggerFactory.getLogger(FencedStages.class);

  private static final long PAUSE_MILLIS = 200;

  private final SparkContext sc;
  private final ShardStages stages;
  private final int shards;

  /** Where the shards are; replaced when they were brought elsewhere. */
  private List<String> locations;

  /**
   * @param locations of the shards
   */
  FencedStages(SparkContext sc, ShardStages stages, List<String> locations) {
    this.sc = sc;
    this.stages = stages;
    this.locations = locations;
    shards = locations.size();
  }

  /** The shards have other places now. */
  void moved(List<String> now) {
    locations = now;
  }

  /** Removes an exchange that nobody reads any more; null is legal. */
  void remove(Exchange exchange) {
    stages.remove(exchange);
  }

  /** What a stage has done, on all shards. */
  record Stage(Exchange exchange, Map<Integer, ShardReport> reports) {}

  /**
   * Runs a piece of work on all shards, again as long as a busy owner lets a task start elsewhere.
   *
   * @param read the exchange that it reads; null: none
   * @throws ShardsLostException when state is lost
   */
  Stage stage(String description, ShardWork work, Exchange read)
      throws ShardsLostException, InterruptedException {
    boolean told = false;
    while (true) {
      Exchange written;
      try {
        written = stages.run(description, locations, read, work);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw broken(work, e);
      }
      boolean kept = false;
      try {
        checkRead(read);
        Map<Integer, ShardReport> done = done(work, written);
        if (done.size() == shards) {
          kept = true;
          return new Stage(written, done);
        }
      } finally {
        if (!kept) {
          stages.remove(written);
        }
      }
      if (!told) {
        LOG.info("an executor is busy; waiting for it: {}", description);
        told = true;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * A task that Spark ran again to replace lost output, and that could not say again what it had
   * said, has left a gap in the exchange that was read.
   */
  private static void checkRead(Exchange read) throws ShardsLostException {
    if (read != null) {
      for (ShardReport report : read.reports().values()) {
        if (report.outcome() != ShardReport.Outcome.DONE) {
          throw new ShardsLostException(
              "shard " + report.shard() + " could not say again what was lost: " + report.why(),
              null,
              false);
        }
      }
    }
  }

  /** The reports of the shards that are done. */
  private Map<Integer, ShardReport> done(ShardWork work, Exchange written)
      throws ShardsLostException {
    Map<ShardReport.Key, ShardReport> reports = written.reports();
    Map<Integer, ShardReport> done = new TreeMap<>();
    ShardsLostException lost = null;
    ShardsLostException unreadable = null;
    for (int shard = 0; shard < shards; shard++) {
      ShardReport report = reports.get(new ShardReport.Key(work.generation(), work.epoch(), shard));
      String what = "shard " + shard + " on " + place(shard);
      if (report == null || report.outcome() == ShardReport.Outcome.MISPLACED) {
        if (!isAlive(shard)) {
          lost = new ShardsLostException(what + " is lost with its executor", null, false);
        }
        continue;
      }
      switch (report.outcome()) {
        case DONE, CHECKPOINT_UNWRITABLE -> done.put(shard, report);
        case LOST -> lost = new ShardsLostException(what + ": " + report.why(), null, false);
        case DEVICE_FAILED ->
            lost =
                new ShardsLostException(what + " goes on on the CPU: " + report.why(), null, false);
        case CHECKPOINT_UNREADABLE -> {
          LOG.warn("{}; starting again from superstep 0", report.why());
          unreadable = new ShardsLostException(what + " cannot be restored", null, false, true);
        }
        case FAILED -> failed(work, what, report.failure());
        default -> throw new IllegalStateException(report.toString());
      }
    }
    if (unreadable != null) {
      throw unreadable;
    }
    if (lost != null) {
      throw lost;
    }
    return done;
  }

  /** What failed in an executor is thrown as it would be with one; memory may be there again. */
  private void failed(ShardWork work, String what, Throwable failure) throws ShardsLostException {
    if (failure instanceof OutOfMemoryError && !work.isFirst()) {
      throw new ShardsLostException(what + " ran out of memory", failure, true);
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(what + " failed: " + failure.getMessage(), failure);
  }

  /** What to make of a job that Spark gave up. */
  private ShardsLostException broken(ShardWork work, Exception e) {
    boolean cancelled = String.valueOf(e.getMessage()).contains("cancelled");
    if (sc.isStopped() || cancelled) {
      throw SparkFailures.unwrap(e);
    }
    for (int shard = 0; shard < shards; shard++) {
      if (!isAlive(shard)) {
        return new ShardsLostException(
            "shard " + shard + " is lost with " + place(shard), e, false);
      }
    }
    if (work.isFirst() && work.generation() == 0) {
      throw SparkFailures.unwrap(e);
    }
    return new ShardsLostException("a job failed: " + e.getMessage(), e, true);
  }

  private String place(int shard) {
    String location = locations.get(shard);
    return location == null ? "the driver" : location;
  }

  private boolean isAlive(int shard) {
    String location = locations.get(shard);
    return location == null || Executors.isAlive(sc, location);
  }

  /** An engine that a shard runs on, and why. */
  record Chosen(String engine, String reason) {}

  /** The names of the engines of all shards. */
  static String engines(Map<Integer, Chosen> engines) {
    Set<String> names = new LinkedHashSet<>();
    engines.values().forEach(chosen -> names.add(chosen.engine()));
    return String.join("+", names);
  }

  /** Why these engines, one line; where executors differ each is named. */
  String reason(Map<Integer, Chosen> engines) {
    Map<String, List<Integer>> reasons = new LinkedHashMap<>();
    engines.forEach(
        (shard, chosen) ->
            reasons
                .computeIfAbsent(chosen.engine() + ": " + chosen.reason(), k -> new ArrayList<>())
                .add(shard));
    if (reasons.size() == 1) {
      return engines.get(0).reason();
    }
    return reasons.entrySet().stream()
        .map(
            e ->
                "on "
                    + e.getValue().stream()
                        .map(this::place)
                        .distinct()
                        .collect(Collectors.joining(", "))
                    + " "
                    + e.getKey())
        .collect(Collectors.joining("; "));
  }
}
