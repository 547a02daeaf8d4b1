package org.sparkgpugraph.runtime.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.ShardStages.Exchange;

/**
 * What became of a stage over all shards of a graph: tells what every shard has done from what is
 * lost, and what is worth another try from what is not.
 */
record StageVerdict(SparkContext sc, GraphHandle graph) {
  private static final Logger LOG = LoggerFactory.getLogger(StageVerdict.class);

  /**
   * A task that Spark ran again to replace lost output, and that could not say again what it had
   * said, has left a gap in the exchange that was read.
   */
  static void checkRead(Exchange read) throws ShardsLostException {
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

  /** The reports of the shards that are done, in their order. */
  List<ShardReport> done(ShardWork work, Map<ShardReport.Key, ShardReport> reports)
      throws ShardsLostException {
    List<ShardReport> done = new ArrayList<>();
    ShardsLostException lost = null;
    ShardsLostException unreadable = null;
    ShardReport noEdges = null;
    List<Integer> edgesLost = new ArrayList<>();
    for (int shard = 0; shard < graph.executors(); shard++) {
      ShardReport report = reports.get(new ShardReport.Key(work.generation(), work.epoch(), shard));
      String what = "shard " + shard + " on " + place(shard);
      if (report == null || report.outcome() == ShardReport.Outcome.MISPLACED) {
        if (!isAlive(shard)) {
          lost = new ShardsLostException(what + " is lost with its executor", null, false);
        }
        continue;
      }
      switch (report.outcome()) {
        case DONE, CHECKPOINT_UNWRITABLE -> done.add(report);
        case LOST, UNREAD ->
            lost = new ShardsLostException(what + ": " + report.why(), null, false);
        case DEVICE_FAILED ->
            lost =
                new ShardsLostException(what + " goes on on the CPU: " + report.why(), null, false);
        case CHECKPOINT_UNREADABLE -> {
          LOG.warn("{}; starting again from superstep 0", report.why());
          unreadable = ShardsLostException.ofCheckpoint(what + " cannot be restored");
        }
        case EDGES_UNREADABLE -> {
          edgesLost.add(shard);
          noEdges = report;
        }
        case FAILED -> failed(work, what, report.failure());
        default -> throw new IllegalStateException(report.toString());
      }
    }
    if (unreadable != null) {
      throw unreadable;
    }
    if (noEdges != null) {
      throw ShardsLostException.ofEdges(
          "shards %s of %s are to be loaded again: %s"
              .formatted(edgesLost, graph.key(), noEdges.why()),
          noEdges.failure(),
          edgesLost);
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
  ShardsLostException broken(ShardWork work, Exception e) {
    boolean cancelled = String.valueOf(e.getMessage()).contains("cancelled");
    if (sc.isStopped() || cancelled) {
      throw SparkFailures.unwrap(e);
    }
    for (int shard = 0; shard < graph.executors(); shard++) {
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

  /** Where a shard is, for users. */
  String place(int shard) {
    String location = graph.locations().get(shard);
    return location == null ? "the driver" : location;
  }

  /** Whether the executors of all shards live. */
  boolean areAlive() {
    return Executors.areAlive(sc, graph.locations());
  }

  private boolean isAlive(int shard) {
    String location = graph.locations().get(shard);
    return location == null || Executors.isAlive(sc, location);
  }
}
