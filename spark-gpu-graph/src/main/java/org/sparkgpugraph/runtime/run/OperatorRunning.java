package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.observe.RunOutcome;

/** The executor's side of an operator on a graph that one executor holds. */
final class OperatorRunning {
  private OperatorRunning() {}

  /**
   * Runs an operator to its end and keeps the result. Under AUTO one that a device refuses starts
   * again on the CPU.
   */
  static RunOutcome run(OperatorTask task) {
    try (RunMetrics.Meter meter = RunMetrics.executor().begin()) {
      try {
        return run(task, meter);
      } catch (RuntimeException | Error e) {
        meter.fail();
        throw e;
      } finally {
        ExecutorRegistry.reserve(task.resultKey(), 0);
      }
    }
  }

  private static RunOutcome run(OperatorTask task, RunMetrics.Meter meter) {
    Engines engines = ExecutorRegistry.engines();
    HeldGraph held = ExecutorRegistry.graph(task.graphKey());
    Selection second;
    try (Selection first =
        engines.select(
            task.engine(), task.device(), TaskGpus.addresses(), held.graph().partitions().size())) {
      try {
        return run(task, held, meter, first);
      } catch (DeviceException e) {
        second = engines.afterFailure(task.engine(), first, e);
      }
    }
    return run(task, held, meter, second);
  }

  private static RunOutcome run(
      OperatorTask task, HeldGraph held, RunMetrics.Meter meter, Selection selection) {
    ExecutorGraph graph = task.graph(held);
    RunObserver observer = ExecutorRegistry.observer(task.resultKey());
    TaskContext context = TaskContext.get();
    OperatorInput input = task.input(held, selection, 0);
    long heap = task.operator().heapBytes(input);
    ExecutorRegistry.reserve(task.resultKey(), heap);
    long start = System.nanoTime();
    try (OperatorRun run = task.operator().open(input)) {
      List<SuperstepStats> rounds = new ArrayList<>();
      boolean more = true;
      while (more) {
        if (context != null && context.isInterrupted()) {
          throw new TaskKilledException();
        }
        long begun = System.nanoTime();
        GraphOperator.Round round = run.round(rounds.size(), List.of());
        if (!round.parcels().isEmpty()) {
          throw new IllegalStateException(
              task.operator().name() + " says something where there is no other shard");
        }
        more = round.more();
        SuperstepStats stats = stats(graph, rounds.size(), round, 0, 0, System.nanoTime() - begun);
        rounds.add(stats);
        meter.superstep(stats, 0, stats.nanos());
        MetricsExecutorPlugin.tell(task.resultKey(), stats);
        observer.superstepEnded(stats);
      }
      RunSummary summary =
          new RunSummary(
              selection.engine().name(),
              rounds,
              RunSummary.Stopped.CONVERGED,
              System.nanoTime() - start);
      ExecutorRegistry.reserve(task.resultKey(), heap + task.resultBytes(graph));
      ExecutorRegistry.putResult(
          task.resultKey(), HeldResult.of(held, graph, run.results(), task.operator().result()));
      OperatorRun.DeviceNanos nanos = run.deviceNanos();
      boolean onDevice = selection.device() != null;
      return new RunOutcome(
          summary,
          selection.reason(),
          new EngineSeconds(
              nanos.transfers() / 1e9, (onDevice ? nanos.kernels() : summary.nanos()) / 1e9, 0));
    }
  }

  /**
   * Tells what {@link #run} would do.
   *
   * @param task with an empty graph key: the graph is not loaded yet
   */
  static Running.Description describe(OperatorTask task) {
    Engines engines = ExecutorRegistry.engines();
    HeldGraph held = task.graphKey().isEmpty() ? null : ExecutorRegistry.graph(task.graphKey());
    int partitions = held == null ? 1 : held.graph().partitions().size();
    try (Selection first =
        engines.select(task.engine(), task.device(), TaskGpus.addresses(), partitions)) {
      try {
        task.operator().check(first.engine());
        return described(task, held, first);
      } catch (DeviceException e) {
        return described(task, held, engines.afterFailure(task.engine(), first, e));
      }
    }
  }

  private static Running.Description described(
      OperatorTask task, HeldGraph held, Selection selection) {
    return new Running.Description(
        selection.engine().name(),
        selection.reason(),
        "",
        held == null ? "" : memory(task, held, selection),
        List.of(),
        "");
  }

  private static String memory(OperatorTask task, HeldGraph held, Selection selection) {
    return task.operator().heapBytes(task.input(held, selection, 0))
        + " bytes of the heap at most, "
        + task.resultBytes(held.graph())
        + " of the result";
  }

  /** A round as a superstep: every vertex runs, what is said counts as updates. */
  static SuperstepStats stats(
      ExecutorGraph graph,
      int number,
      GraphOperator.Round round,
      long parcels,
      long bytes,
      long nanos) {
    return new SuperstepStats(
        number,
        KernelChoice.DENSE,
        graph.heldVertices(),
        parcels > 0 || round.more() ? graph.heldVertices() : 0,
        round.edges(),
        parcels,
        bytes,
        ExchangeVolume.NONE,
        nanos,
        SuperstepTimes.computing(nanos),
        round.aggregates());
  }
}
