package org.sparkgpugraph.runtime.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.partition.DeviceTimings;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.graph.memory.Columns;
import org.sparkgpugraph.graph.memory.PhaseTimes;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.graph.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;
import org.sparkgpugraph.runtime.observe.MetricsExecutorPlugin;
import org.sparkgpugraph.runtime.observe.RunMeter;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.observe.RunOutcome;

/** The executor's side of a run job. */
public final class Running {
  private Running() {}

  /**
   * Runs a program on the graph that this executor holds and keeps the result. Under AUTO a run
   * that a device refuses starts again on the CPU engine.
   */
  static RunOutcome run(RunTask task) {
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

  /** Bytes of the heap that a run takes beside the graph, without its result. */
  static long heapBytes(Selection selection, ExecutorGraph graph, RunTask task) {
    return selection.device() == null
        ? selection.engine().estimate(graph, task.program().program(), task.settings())
        : 0;
  }

  /** Bytes of the heap that a run's result takes. */
  static long resultBytes(ExecutorGraph graph, RunTask task) {
    return graph.ids().size()
        * task.program().program().result().columns().stream().mapToLong(Kind::bytes).sum();
  }

  private static RunOutcome run(RunTask task, RunMetrics.Meter meter) {
    Engines engines = ExecutorRegistry.engines();
    int partitions = ExecutorRegistry.graph(task.graphKey()).graph().partitions().size();
    Selection second;
    try (Selection first =
        engines.select(task.engine(), task.device(), TaskGpus.addresses(), partitions)) {
      try {
        return run(task, meter, first);
      } catch (DeviceException e) {
        second = engines.afterFailure(task.engine(), first, e);
      }
    }
    return run(task, meter, second);
  }

  private static RunOutcome run(RunTask task, RunMetrics.Meter counted, Selection selection) {
    HeldGraph held = ExecutorRegistry.graph(task.graphKey());
    ExecutorGraph graph = task.reversed() ? held.graph().reversed() : held.graph();
    RunObserver observer = ExecutorRegistry.observer(task.resultKey());
    TaskContext context = TaskContext.get();
    long heap = heapBytes(selection, graph, task);
    ExecutorRegistry.reserve(task.resultKey(), heap);
    List<Columns> attributes = attributes(graph, held.attributes());
    Engine engine = selection.engine();
    long start = System.nanoTime();
    try (EngineRun run = engine.open(graph, task.program(), attributes, task.settings())) {
      RunMeter meter = new RunMeter(counted, run, graph, task.program().program());
      start = PhaseTimes.ended("run: open", start);
      RunSummary summary =
          SuperstepLoop.run(
              engine.name(),
              run,
              task.settings(),
              graph.vertexCount(),
              task.program().program().aggregates(),
              stats -> {
                if (context != null && context.isInterrupted()) {
                  throw new TaskKilledException();
                }
                meter.superstep(stats);
                MetricsExecutorPlugin.tell(task.resultKey(), stats);
                observer.superstepEnded(stats);
              });
      if (context != null) {
        context.killTaskIfInterrupted();
      }
      start = PhaseTimes.ended("run: supersteps", start);
      ExecutorRegistry.reserve(task.resultKey(), heap + resultBytes(graph, task));
      ExecutorRegistry.putResult(
          task.resultKey(),
          result(held, graph, run, task.program().program(), run.finalAggregates()));
      start = PhaseTimes.ended("run: result", start);
      return new RunOutcome(summary, selection.reason(), seconds(run, summary.nanos()));
    } finally {
      PhaseTimes.ended("run: close", start);
    }
  }

  /**
   * What a run spent.
   *
   * @param nanos of its supersteps, which is what the CPU engine spent
   */
  static EngineSeconds seconds(EngineRun run, long nanos) {
    if (run instanceof DeviceRun onDevice) {
      DeviceTimings timings = onDevice.timings();
      return new EngineSeconds(
          timings.transferNanos() / 1e9, timings.kernelNanos() / 1e9, timings.hubNanos() / 1e9);
    }
    return new EngineSeconds(0, nanos / 1e9, 0);
  }

  /**
   * The result of a run, ready to be collected.
   *
   * @param graph the graph or its reversed view
   * @param finalAggregates over the whole graph
   */
  static HeldResult result(
      HeldGraph held,
      ExecutorGraph graph,
      EngineRun run,
      LiftedProgram program,
      double[] finalAggregates) {
    Columns values = results(graph, run, program, finalAggregates);
    return HeldResult.of(held, graph, values, program.result());
  }

  /**
   * Tells what {@link #run} would do.
   *
   * @param task with an empty graph key: the graph is not loaded yet
   * @param source whether to generate the CUDA source too
   */
  static Description describe(RunTask task, boolean source) {
    HeldGraph held = task.graphKey().isEmpty() ? null : ExecutorRegistry.graph(task.graphKey());
    ExecutorGraph graph =
        held == null ? null : task.reversed() ? held.graph().reversed() : held.graph();
    Engines engines = ExecutorRegistry.engines();
    int partitions = graph == null ? 1 : graph.partitions().size();
    try (Selection selection =
        engines.select(task.engine(), task.device(), TaskGpus.addresses(), partitions)) {
      Selection taken = selection;
      if (graph != null && task.engine() == EngineChoice.AUTO) {
        try {
          selection.engine().estimate(graph, task.program().program(), task.settings());
        } catch (DeviceOutOfMemoryException e) {
          taken = engines.instead(selection, e);
        }
      }
      return describe(task, taken, graph, source);
    }
  }

  private static Description describe(
      RunTask task, Selection selection, ExecutorGraph graph, boolean source) {
    Engine engine = selection.engine();
    LiftedProgram program = task.program().program();
    RunSettings settings = task.settings();
    return new Description(
        engine.name(),
        selection.reason(),
        engine.describe(program, settings),
        graph == null ? "" : engine.describeMemory(graph, task.program(), settings),
        graph == null ? List.of() : engine.describePartitions(graph, program),
        source
            ? cudaSource(
                task,
                graph != null && graph.partitions().stream().anyMatch(p -> p.present() != null),
                graph != null && !graph.boundaries().isEmpty())
            : "");
  }

  /**
   * The CUDA source that is generated from a program.
   *
   * @param missingVertices edges may name vertices that do not exist
   * @param exchanges there are several partitions
   */
  static String cudaSource(RunTask task, boolean missingVertices, boolean exchanges) {
    return DeviceEngine.kernels(
            task.program().program(),
            task.settings(),
            task.device().engine(),
            missingVertices,
            exchanges)
        .source()
        .text();
  }

  /**
   * What a run would take.
   *
   * @param engine name of the engine
   * @param reason why this one
   * @param kernel one line; empty for an operator
   * @param memory one line; empty when the graph is not loaded yet
   * @param partitions a line each; none when the graph is not loaded yet
   * @param source the CUDA source; empty unless it was asked for
   */
  record Description(
      String engine,
      String reason,
      String kernel,
      String memory,
      List<String> partitions,
      String source)
      implements Serializable {
    Description {
      partitions = List.copyOf(partitions);
    }
  }

  /** The result's columns by dense id. */
  public static Columns results(ExecutorGraph graph, EngineRun run, LiftedProgram program) {
    return results(graph, run, program, run.finalAggregates());
  }

  private static Columns results(
      ExecutorGraph graph, EngineRun run, LiftedProgram program, double[] aggregates) {
    List<? extends GraphPartition> partitions = graph.partitions();
    int size = Math.toIntExact(graph.ids().size());
    Columns all = null;
    for (int p = 0; p < partitions.size(); p++) {
      Columns part = run.results(p, aggregates);
      if (part.length() == size && program.resultFunction() != null) {
        return part; // the whole graph's, and ours to keep
      }
      all = all == null ? Columns.allocate(program.result().columns(), size) : all;
      all.copyFrom(part, 0, (int) partitions.get(p).firstVertex(), part.length());
    }
    return all;
  }

  /** The attributes of each partition's held vertices and ghosts, by local index. */
  static List<Columns> attributes(ExecutorGraph graph, Columns byDenseId) {
    List<Columns> tables = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      int stored = partition.stored();
      if (byDenseId == null) {
        tables.add(Columns.allocate(List.of(), stored + partition.ghosts()));
      } else if (stored == byDenseId.length()) {
        // One partition that is the whole graph.
        tables.add(byDenseId);
      } else {
        Columns table = Columns.allocate(byDenseId.kinds(), stored + partition.ghosts());
        table.copyFrom(byDenseId, (int) partition.firstVertex(), 0, stored);
        long[] ghosts = partition.ghostIds();
        for (int g = 0; g < ghosts.length; g++) {
          table.copyFrom(byDenseId, (int) ghosts[g], stored + g, 1);
        }
        tables.add(table);
      }
    }
    return tables;
  }
}
