package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.ProgressListener;
import io.sparkgpugraph.engine.RunSummary;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.spark.ShardStages.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator on a graph that several executors hold, seen from the driver: one map stage per
 * round. State stays with the executors ({@link HeldOperator}). When some of it is lost all shards
 * start again from round 0, in a new generation.
 */
final class DistributedOperator {
  private static final Logger LOG = LoggerFactory.getLogger(DistributedOperator.class);

  /** How often it starts again when executors are lost. */
  private static final int MOST_LOSSES = 8;

  /** How often it starts again when something fails, such as memory. */
  private static final int MOST_FAILURES = 1;

  private final SparkContext sc;
  private final OperatorTask task;
  private final DistributedRun.Recovery recovery;
  private final ProgressListener listener;
  private final FencedStages stages;
  private final int shards;
  private final List<SuperstepStats> rounds = new ArrayList<>();
  private final Map<Integer, FencedStages.Chosen> engines = new TreeMap<>();
  private GraphHandle graph;
  private int generation;
  private boolean more;
  private Exchange exchange;
  private Exchange before;
  private int losses;
  private int failures;

  /**
   * @param graph held by several executors
   * @param listener hears of every round on the calling thread; after a loss, of all again
   */
  DistributedOperator(
      SparkContext sc,
      GraphHandle graph,
      OperatorTask task,
      DistributedRun.Recovery recovery,
      ProgressListener listener,
      ShardStages stages) {
    this.sc = sc;
    this.graph = graph;
    this.task = task;
    this.recovery = recovery;
    this.listener = listener;
    this.stages = new FencedStages(sc, stages, graph.locations());
    shards = graph.executors();
  }

  /**
   * Runs to the end; the result is then kept under the task's result key by the executors. When it
   * fails nothing is left of it.
   */
  DistributedRun.Ended run() {
    long start = System.nanoTime();
    boolean done = false;
    try {
      while (true) {
        try {
          DistributedRun.Ended ended = rounds(start);
          done = true;
          return ended;
        } catch (ShardsLostException lost) {
          setBack(lost);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in round " + rounds.size() + " of " + name(), e);
    } finally {
      end(done);
    }
  }

  private String name() {
    return task.operator().name();
  }

  private DistributedRun.Ended rounds(long start) throws ShardsLostException, InterruptedException {
    rounds.clear();
    engines.clear();
    begin();
    while (more) {
      int round = rounds.size();
      FencedStages.Stage stage =
          stages.stage(
              "round " + round + " of " + name(),
              new OperatorWork.Step(task.resultKey(), generation, round),
              exchange);
      keep(stage);
      List<HeldOperator.Stepped> parts = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        parts.add(stage.reports().get(shard).data(HeldOperator.Stepped.class));
      }
      ended(parts);
    }
    FencedStages.Stage stage =
        stages.stage(
            "result of " + name(),
            new OperatorWork.Finish(task.resultKey(), generation, rounds.size() - 1),
            null);
    stages.remove(stage.exchange());
    double transfer = 0;
    double kernel = 0;
    for (ShardReport report : stage.reports().values()) {
      HeldRun.Finished finished = report.data(HeldRun.Finished.class);
      transfer = Math.max(transfer, finished.transferSeconds());
      kernel = Math.max(kernel, finished.kernelSeconds());
    }
    RunSummary summary =
        new RunSummary(
            FencedStages.engines(engines),
            rounds,
            RunSummary.Stopped.CONVERGED,
            System.nanoTime() - start);
    return new DistributedRun.Ended(
        new Running.Ran(summary, stages.reason(engines), transfer, kernel, 0), graph);
  }

  private void begin() throws ShardsLostException, InterruptedException {
    FencedStages.Stage stage =
        stages.stage(
            "round 0 of " + name() + (generation == 0 ? "" : ", again"),
            new OperatorWork.Begin(task.on(graph), generation),
            null);
    keep(stage);
    List<HeldOperator.Stepped> parts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      HeldOperator.Begun begun = stage.reports().get(shard).data(HeldOperator.Begun.class);
      engines.put(shard, new FencedStages.Chosen(begun.engine(), begun.reason()));
      parts.add(begun.round());
    }
    ended(parts);
  }

  /** A round has ended on all shards. */
  private void ended(List<HeldOperator.Stepped> parts) {
    SuperstepStats stats =
        SuperstepStats.beside(
            rounds.size(),
            parts.stream().map(HeldOperator.Stepped::stats).toList(),
            parts.get(0).stats().aggregates());
    more = stats.boundaryUpdates() > 0 || parts.stream().anyMatch(HeldOperator.Stepped::more);
    rounds.add(stats);
    listener.superstepEnded(stats);
  }

  /** An exchange becomes the current one; of older ones the last stays. */
  private void keep(FencedStages.Stage stage) {
    stages.remove(before);
    before = exchange;
    exchange = stage.exchange();
  }

  private void setBack(ShardsLostException lost) {
    if (lost.isFailure() ? ++failures > MOST_FAILURES : ++losses > MOST_LOSSES) {
      if (lost.getCause() instanceof OutOfMemoryError e) {
        throw e;
      }
      throw new IllegalStateException(
          name()
              + " was set back "
              + (lost.isFailure() ? failures : losses)
              + " times; the last time: "
              + lost.getMessage(),
          lost.getCause() == null ? lost : lost.getCause());
    }
    LOG.warn("{}; {} starts again from round 0", lost.getMessage(), name());
    generation++;
    removeExchanges();
    graph = recovered();
    stages.moved(graph.locations());
  }

  private void removeExchanges() {
    stages.remove(before);
    stages.remove(exchange);
    before = null;
    exchange = null;
  }

  /** More executors may be lost while the graph is restored. */
  private GraphHandle recovered() {
    while (true) {
      try {
        return recovery.recover();
      } catch (GraphLostException e) {
        boolean another = e.getCause() instanceof MisplacedTaskException;
        if (!another || ++losses > MOST_LOSSES) {
          throw e;
        }
        LOG.warn("{}; restoring the graph once more", e.getMessage());
      }
    }
  }

  private void end(boolean done) {
    // What cleans up must not be interrupted.
    boolean interrupted = Thread.interrupted();
    try {
      removeExchanges();
      if (!done) {
        ResidentState.forget(sc, task.resultKey(), graph.locations());
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
