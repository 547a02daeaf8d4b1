package org.sparkgpugraph.runtime.load;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.conf.BuildRows;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;

/**
 * Loads a graph over several executors of edges that RAPIDS has on their GPUs and sends to the
 * shards itself. Where that is not possible, or fails, the edges are to be copied to the host and
 * come in parcels, which takes less of GPUs: a batch of columns in each task, not all of a shard.
 * Who asks for the device is told of failures instead.
 */
final class SentLoad {
  private static final Logger LOG = LoggerFactory.getLogger(SentLoad.class);

  /** How Spark says, in any of its versions, that a job was to end. */
  private static final Pattern CANCELLED = Pattern.compile("Job \\d+ cancelled");

  private final GraphSource source;
  private final boolean insists;

  /**
   * @param source has {@link ShardTables}
   * @param rows where rows are to be made
   */
  SentLoad(GraphSource source, BuildRows rows) {
    this.source = source;
    insists = rows == BuildRows.DEVICE;
  }

  /**
   * What became of it.
   *
   * @param pieces the shards; null: edges are to be copied
   * @param told how edges came, or come, for {@code explain()}
   * @param begun whether shards may be held that are not to be kept
   */
  record Outcome(List<ShardPiece> pieces, String told, boolean begun) {
    /** Edges are to be copied, and nothing is held. */
    static Outcome copied(String why) {
      return copied(why, false);
    }

    private static Outcome copied(String why, boolean begun) {
      return new Outcome(
          null, "edges are copied from the GPU to the host in columns: " + why, begun);
    }
  }

  /**
   * Loads it.
   *
   * @param places owners of the shards
   * @param attempt 1, and more when owners were lost: perhaps of what they had to hold
   * @throws GraphLostException when an owner is lost meanwhile
   */
  Outcome load(LoadTask task, List<String> places, int attempt) {
    if (attempt > 1 && !insists) {
      return Outcome.copied("an executor was lost while they were loaded", true);
    }
    if (!(task.owners() instanceof IdRanges ranges)) {
      return Outcome.copied("vertices are beside their neighbours");
    }
    try {
      return sent(task, ranges, places);
    } catch (MisroutedEdgesException e) {
      LOG.warn("edges of {} were sent to other shards than their own", task.key(), e);
      return Outcome.copied(e.getMessage(), true);
    } catch (Staging.DeviceFullException e) {
      LOG.info("edges of {} do not wait on GPUs: {}", task.key(), e.getMessage());
      return Outcome.copied(e.getMessage());
    } catch (Exception e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      if (insists || e instanceof GraphLostException || isEnded(source.sc(), e)) {
        throw e;
      }
      LOG.warn("RAPIDS did not send the edges of {} to their shards; copying them", task.key(), e);
      return Outcome.copied("RAPIDS did not send them: " + firstLine(e), true);
    }
  }

  private Outcome sent(LoadTask task, IdRanges ranges, List<String> places) {
    SparkContext sc = source.sc();
    int tasks = ShardJob.tableTasks(sc, places.size(), task.how().threads());
    // A plan that adapts sends edges when it is asked for its partitions.
    ShardTables.Sent sent =
        JobDescription.of(
            sc,
            "load: sending edges on GPUs to their shards",
            () ->
                OwnerJob.anywhere(sc, task.key(), () -> source.shardTables().send(ranges, tasks)));
    if (sent.tables() == null) {
      return Outcome.copied(sent.obstacle());
    }
    return new Outcome(
        JobDescription.of(
            sc,
            "load: making rows on the GPUs of " + places.size() + " executors",
            () -> new ShardJob(sc, task.key(), places).loadTables(sent.tables(), task)),
        "edges stay on the GPUs: RAPIDS sends them to the executors that hold the graph",
        true);
  }

  /** Whether somebody has ended the load, who wants no other one. */
  private static boolean isEnded(SparkContext sc, Exception thrown) {
    boolean ended = sc.isStopped() || Thread.currentThread().isInterrupted();
    for (Throwable t = thrown; t != null && !ended; t = t.getCause()) {
      ended = t.getMessage() != null && CANCELLED.matcher(t.getMessage()).find();
    }
    return ended;
  }

  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage());
    return e.getClass().getSimpleName() + ": " + message.lines().findFirst().orElse("");
  }
}
