package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.graphs.memory.HeapPeak;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.MemoryAccount;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.observe.RunOutcome;
import org.sparkgpugraph.runtime.observe.ShardAccount;
import org.sparkgpugraph.runtime.rapids.GpuTurn;
import org.sparkgpugraph.runtime.rapids.Rapids;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;

/**
 * A run on a graph that one executor holds, there: one task from the first superstep to the last,
 * since a task for each would cost more than most supersteps do. So it has no checkpoints: the
 * driver, which has to know of a complete one, hears of a task when it ends.
 */
final class OneTaskRun {
  private OneTaskRun() {}

  /**
   * Runs to the end and keeps the result. Under AUTO what a device refuses starts again on the CPU.
   */
  static RunOutcome run(RunTask task) {
    try (GpuTurn turn = turn(task);
        RunMetrics.Meter meter = RunMetrics.executor().begin()) {
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

  private static GpuTurn turn(RunTask task) {
    return task.engine() == EngineChoice.CPU ? GpuTurn.NOBODY_ASKED : Rapids.turn();
  }

  private static RunOutcome run(RunTask task, RunMetrics.Meter meter) {
    Engines engines = ExecutorRegistry.engines();
    HeldGraph held = ExecutorRegistry.graph(task.graphKey());
    Selection second;
    try (Selection first = select(task, held)) {
      try {
        return run(task, input(task, held, first, meter));
      } catch (DeviceException e) {
        second = engines.afterFailure(task.engine(), first, e);
      }
    }
    return run(task, input(task, held, second, meter));
  }

  private static Selection select(RunTask task, HeldGraph held) {
    int partitions = held == null ? 1 : held.graph().partitions().size();
    return ExecutorRegistry.engines()
        .select(task.engine(), task.device(), TaskGpus.addresses(), partitions);
  }

  private static ShardInput input(
      RunTask task, HeldGraph held, Selection selection, RunMetrics.Meter meter) {
    return held == null ? null : task.input(held, selection, 0, () -> meter, () -> false);
  }

  private static RunOutcome run(RunTask task, ShardInput input) {
    String key = task.resultKey();
    RunObserver observer = ExecutorRegistry.observer(key);
    TaskContext context = TaskContext.get();
    long heap = task.computation().heapBytes(input);
    ExecutorRegistry.reserve(key, heap);
    long begun = HeapPeak.mark();
    long start = System.nanoTime();
    try (ShardComputation whole = task.computation().open(input)) {
      start = PhaseTimes.ended("run: open", start);
      RunSummary summary =
          whole.toEnd(
              input.selection().engine().name(),
              stats -> {
                if (context != null && context.isInterrupted()) {
                  throw new TaskKilledException();
                }
                MetricsExecutorPlugin.tell(key, stats);
                observer.superstepEnded(stats);
              });
      if (context != null) {
        context.killTaskIfInterrupted();
      }
      start = PhaseTimes.ended("run: supersteps", start);
      ExecutorRegistry.reserve(key, heap + task.resultBytes(input.graph()));
      ExecutorRegistry.putResult(key, whole.result(whole.finalAggregates()));
      start = PhaseTimes.ended("run: result", start);
      return new RunOutcome(
          summary,
          input.selection().reason(),
          List.of(
              ShardAccount.of(
                  input.graph(),
                  input.selection(),
                  MemoryAccount.of(input.held(), input.graph(), begun),
                  whole.seconds(),
                  whole.notes())));
    } finally {
      PhaseTimes.ended("run: close", start);
    }
  }

  /**
   * Tells what a run would do, on the graph or the shard that this executor holds, or on one that
   * is not loaded yet.
   *
   * @param source whether to generate the CUDA source too
   */
  static Computation.Description describe(RunTask task, boolean source) {
    Engines engines = ExecutorRegistry.engines();
    HeldGraph held = task.graphKey().isEmpty() ? null : ExecutorRegistry.graph(task.graphKey());
    Computation computation = task.computation();
    try (Selection first = select(task, held)) {
      Selection taken = first;
      try {
        computation.check(task, first, input(task, held, first, null));
      } catch (DeviceException e) {
        if (task.engine() != EngineChoice.AUTO) {
          throw e;
        }
        taken = engines.instead(first, e);
      }
      return computation.describe(task, taken, input(task, held, taken, null), source);
    }
  }
}
