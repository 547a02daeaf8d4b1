package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.device.ChosenEngines;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.ShardReport;
import org.sparkgpugraph.runtime.stage.ShardStages;
import org.sparkgpugraph.runtime.stage.ShardsLostException;

/**
 * An operator on a graph that several executors hold, seen from the driver: one map stage per
 * round. State stays with the executors ({@link HeldOperator}). When some of it is lost all shards
 * start again from round 0, in a new generation.
 */
final class DistributedOperator {
  private static final Logger LOG = LoggerFactory.getLogger(DistributedOperator.class);

  private final OperatorTask task;
  private final ProgressListener listener;
  private final FencedStages stages;
  private final List<SuperstepStats> rounds = new ArrayList<>();
  private boolean more;

  /**
   * @param graph held by several executors
   * @param listener hears of every round on the calling thread; after a loss, of all again
   */
  DistributedOperator(
      SparkContext sc,
      GraphHandle graph,
      OperatorTask task,
      FencedStages.Recovery recovery,
      ProgressListener listener,
      ShardStages stages) {
    this.task = task;
    this.listener = listener;
    this.stages = new FencedStages(sc, stages, name(), task.resultKey(), graph, recovery);
  }

  /**
   * Runs to the end; the result is then kept under the task's result key by the executors. When it
   * fails nothing is left of it.
   */
  FencedStages.Ended run() {
    long start = System.nanoTime();
    boolean done = false;
    try {
      while (true) {
        try {
          FencedStages.Ended ended = rounds(start);
          done = true;
          return ended;
        } catch (ShardsLostException lost) {
          stages.count(lost, "");
          LOG.warn("{}; {} starts again from round 0", lost.getMessage(), name());
          stages.restore();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in round " + rounds.size() + " of " + name(), e);
    } finally {
      stages.close(done, () -> {});
    }
  }

  private String name() {
    return task.operator().name();
  }

  private FencedStages.Ended rounds(long start) throws ShardsLostException, InterruptedException {
    rounds.clear();
    begin();
    while (more) {
      int round = rounds.size();
      List<ShardReport> reports =
          stages.step(
              "round " + round,
              new OperatorWork.Step(task.resultKey(), stages.generation(), round));
      ended(FencedStages.data(reports, HeldOperator.Stepped.class));
    }
    List<ShardReport> reports =
        stages.aside(
            "result",
            new OperatorWork.Finish(task.resultKey(), stages.generation(), rounds.size() - 1));
    return stages.ended(rounds, RunSummary.Stopped.CONVERGED, start, reports);
  }

  private void begin() throws ShardsLostException, InterruptedException {
    List<HeldOperator.Begun> begun =
        FencedStages.data(
            stages.begin(
                "round 0", new OperatorWork.Begin(task.on(stages.graph()), stages.generation())),
            HeldOperator.Begun.class);
    stages.chose(
        begun.stream().map(b -> new ChosenEngines.Chosen(b.engine(), b.reason())).toList());
    ended(begun.stream().map(HeldOperator.Begun::round).toList());
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
}
