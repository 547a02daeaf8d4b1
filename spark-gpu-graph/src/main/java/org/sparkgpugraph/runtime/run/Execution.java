package org.sparkgpugraph.runtime.run;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.load.GpuColumns;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.observe.ConsoleProgress;
import org.sparkgpugraph.runtime.observe.RunOutcome;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.serial.RecordSerialization;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.Lanes;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardStages;
import org.sparkgpugraph.runtime.stage.StandingTimes;

/** Carries out one run of a program or of an operator on the driver: load, run, collect. */
final class Execution {
  private final JobInput input;
  private final Computation computation;
  private final ClassLoader loader;
  private final double liftSeconds;
  private final Needs needs;
  private String engine = "";

  /**
   * @param loader that knows the classes of what runs
   * @param liftSeconds that it took to lift it
   */
  Execution(JobInput input, Computation computation, ClassLoader loader, double liftSeconds) {
    this.input = input;
    this.computation = computation;
    this.loader = loader;
    this.liftSeconds = liftSeconds;
    needs = computation.needs(input.isReversed());
  }

  /** The type of the result. */
  ValueType result() {
    return computation.result();
  }

  /** Runs and collects the result. */
  <T> T collect(ResultCollector<T> collector) {
    checkResult();
    ResidentState state = state();
    try {
      // A result that is lost before it is collected is made again.
      return state.recovering(held -> collect(collector, state));
    } finally {
      release(state);
    }
  }

  private <T> T collect(ResultCollector<T> collector, ResidentState state) {
    FinishedRun finished = run(state);
    try (HeldBlocks blocks = finished.blocks()) {
      long start = System.nanoTime();
      T result = collector.collect(new CollectedResult(input, blocks, finished.graph(), loader));
      double seconds = (PhaseTimes.ended("collect", start) - start) / 1e9;
      RunWatch.collected(input.sc(), blocks.key(), seconds);
      try {
        ended(finished.report(seconds));
      } catch (Exception | Error e) {
        collector.discard(result);
        throw e;
      }
      return result;
    }
  }

  /** Runs and leaves the result with the executors. */
  RunResult runVertices() {
    checkResult();
    ResidentState state = state();
    try {
      FinishedRun finished = run(state);
      RunReport report = finished.report(0);
      try {
        ended(report);
      } catch (Exception | Error e) {
        finished.blocks().close();
        throw e;
      }
      return new RunResult(finished.blocks(), computation.result(), report);
    } finally {
      release(state);
    }
  }

  /** The engine that ran, known after a run. */
  String engine() {
    return engine;
  }

  /** Tells who wants to know. */
  private void ended(RunReport report) {
    engine = report.engine();
    ConsoleProgress console =
        ConsoleProgress.of(input.sc(), computation.name(), computation.mostSupersteps());
    if (console != null) {
      console.ended(report);
    }
    input.options().observer().finished(report);
  }

  /** Refuses results that no RDD could carry, before anything runs. */
  private void checkResult() {
    RecordSerialization.checkResult(input.sc(), computation.result(), loader);
  }

  // ---- the graph ------------------------------------------------------------------------------

  private ResidentState state() {
    if (input.resident() != null) {
      return input.resident().state();
    }
    RunConf conf = input.conf();
    if (!input.sc().isLocal() || conf.executors() > 1) {
      return ResidentState.load(input.source(), input.options(), needs, true);
    }
    try (Preparation started =
        Preparation.start(task(computation, "", "", 1), Math.max(1, conf.partitions()))) {
      return ResidentState.load(input.source(), input.options(), needs, true);
    }
  }

  private void release(ResidentState state) {
    if (input.resident() == null) {
      state.close();
    }
    // A graph that nobody else holds must not be taken for abandoned while it runs.
    Reference.reachabilityFence(state);
  }

  // ---- the run --------------------------------------------------------------------------------

  private RunTask task(Computation shipped, String graphKey, String resultKey, int executors) {
    RunConf conf = input.conf();
    return new RunTask(
        graphKey, resultKey, input.isReversed(), executors, conf.engine(), conf.device(), shipped);
  }

  private FinishedRun run(ResidentState state) {
    return state.using(() -> loadAndRun(state));
  }

  private FinishedRun loadAndRun(ResidentState state) {
    SparkContext sc = input.sc();
    double before = input.resident() == null ? 0 : state.loadSeconds();
    GraphHandle graph = state.ensure(needs);
    double load = state.loadSeconds() - before;
    long start = System.nanoTime();
    String resultKey = RegistryKey.ofResult(sc);
    try (RunWatch watch =
        RunWatch.begin(
            sc,
            input.options().observer(),
            computation.name(),
            input.conf().engine(),
            resultKey,
            graph,
            computation.rowBytes(),
            new RunWatch.Before(liftSeconds, load, computation.mostSupersteps()))) {
      try {
        FencedStages.Ended ended;
        try (Computation.Shipment shipment = computation.ship(sc)) {
          RunTask task = task(shipment.computation(), graph.key(), resultKey, graph.executors());
          ended = run(graph, state, task, watch);
        }
        HeldBlocks blocks =
            new HeldBlocks(
                sc,
                resultKey,
                ended.graph(),
                computation.result(),
                Math.max(1, input.source().edges().getNumPartitions()));
        watch.ended(ended.outcome());
        return new FinishedRun(
            blocks,
            ended.outcome(),
            ended.graph(),
            liftSeconds,
            load,
            (System.nanoTime() - start) / 1e9,
            notes(ended));
      } catch (Exception | Error e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        watch.failed(e);
        throw e;
      }
    }
  }

  /**
   * What was recognised, what engines have chosen, what executors did between exchanges where they
   * may choose, and whether columns stay on the GPU that RAPIDS uses.
   */
  private List<String> notes(FencedStages.Ended ended) {
    List<String> notes = new ArrayList<>(computation.notes());
    notes.addAll(ended.outcome().notes());
    if (ended.graph().executors() > 1 && computation.runsInPlace()) {
      notes.add(LocalHorizon.note(ended.outcome().summary().supersteps()));
    }
    if (GpuColumns.areAsked(input.sc())) {
      if (ended.graph().gpuColumns() != null) {
        notes.add(ended.graph().gpuColumns());
      }
      notes.add(GpuColumns.ofResult(input.sc(), ended.graph(), computation.result()));
    }
    return notes;
  }

  private FencedStages.Ended run(
      GraphHandle graph, ResidentState state, RunTask task, RunWatch watch) {
    SparkContext sc = input.sc();
    String resultKey = task.resultKey();
    if (graph.executors() > 1) {
      RunConf conf = input.conf();
      return new DistributedRun(
              sc,
              graph,
              task,
              new DistributedRun.Options(
                  watch.program(),
                  conf.exchange().localSupersteps(),
                  conf.exchange().checkpointInterval()),
              state::recover,
              watch::superstepEnded,
              new ShardStages(
                  sc,
                  conf.engine(),
                  resultKey,
                  conf.exchange().compress(),
                  Lanes.of(conf.exchange().lanes(), conf.exchange().inlineBytes()),
                  StandingTimes.of(conf.exchange().standingMillis())))
          .run();
    }
    if (sc.isLocal()) {
      ExecutorRegistry.observe(resultKey, watch);
    }
    try {
      return state.recovering(
          held -> new FencedStages.Ended(onOneExecutor(task.on(held), held, watch), held));
    } finally {
      ExecutorRegistry.unobserve(resultKey);
    }
  }

  /** Runs the whole loop in one task, on the executor that holds the graph. */
  private RunOutcome onOneExecutor(RunTask task, GraphHandle graph, RunWatch watch) {
    SparkContext sc = input.sc();
    long start = System.nanoTime();
    try {
      RunOutcome ran =
          JobDescription.of(
              sc,
              "all of " + watch.program(),
              () ->
                  OwnerJob.at(
                      sc,
                      graph.key(),
                      graph.locations().get(0),
                      task.engine(),
                      RunOutcome.class,
                      part -> OneTaskRun.run(task)));
      PhaseTimes.ended("run: job", start);
      if (!sc.isLocal()) {
        ran.summary().supersteps().forEach(watch::superstepEnded);
      }
      return ran;
    } catch (GraphLostException e) {
      // What is tried again must not be forgotten.
      throw e;
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      ResidentState.forget(sc, task.resultKey(), graph.locations());
      throw e;
    }
  }

  // ---- what it would be -----------------------------------------------------------------------

  /**
   * What a run would take: said by the executor that holds the graph, or the first of several; of a
   * graph that is not loaded yet by any.
   *
   * @param cudaSource whether to generate the CUDA source too
   * @throws org.sparkgpugraph.engine.device.DeviceException when the engine that was asked for is
   *     not there
   */
  Computation.Description describe(boolean cudaSource) {
    return input.resident() == null
        ? described(null, cudaSource)
        : input
            .resident()
            .state()
            .using(() -> described(input.resident().state().handle(), cudaSource));
  }

  private Computation.Description described(GraphHandle graph, boolean cudaSource) {
    SparkContext sc = input.sc();
    if (graph == null && sc.isLocal()) {
      return OneTaskRun.describe(task(computation, "", "", 1), cudaSource);
    }
    try (Computation.Shipment shipment = computation.ship(sc)) {
      RunTask task =
          graph == null
              ? task(shipment.computation(), "", "", 1)
              : task(shipment.computation(), graph.key(0), "", graph.executors());
      return OwnerJob.at(
          sc,
          task.graphKey(),
          graph == null ? null : graph.locations().get(0),
          task.engine(),
          Computation.Description.class,
          part -> OneTaskRun.describe(task, cudaSource));
    }
  }
}
