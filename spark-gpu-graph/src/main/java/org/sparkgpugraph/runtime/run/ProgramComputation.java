package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.Rounding;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;

/**
 * A lifted program, and how it is run.
 *
 * @param name class that it was written in
 * @param instance the program
 * @param settings how engines run it
 * @param format what becomes of updates before they travel to other executors
 */
public record ProgramComputation(
    String name, ProgramInstance instance, RunSettings settings, UpdateFormat format)
    implements Computation {
  LiftedProgram program() {
    return instance.program();
  }

  @Override
  public String step() {
    return "superstep";
  }

  @Override
  public int mostSupersteps() {
    return settings.maxIterations();
  }

  @Override
  public List<String> notes() {
    return program().traits().notes();
  }

  @Override
  public ValueType result() {
    return program().result();
  }

  @Override
  public Needs needs(boolean reversed) {
    Needs needs = Needs.of(program(), reversed);
    // What is told hubs is gathered where their in-edges come from.
    return settings.hubs() > 0 ? needs.and(new Needs(false, false, true)) : needs;
  }

  @Override
  public int rowBytes() {
    return FunctionTraits.shippedBytes(program());
  }

  @Override
  public Shipment ship(SparkContext sc) {
    if (!BroadcastTables.isFor(instance)) {
      return Computation.super.ship(sc);
    }
    BroadcastTables tables = BroadcastTables.of(sc, instance.tables());
    return new Shipment(
        new ProgramComputation(name, instance.with(tables), settings, format), tables::free);
  }

  // ---- on an executor -------------------------------------------------------------------------

  @Override
  public void prepare(Engine engine, int partitions) {
    engine.prepare(program(), settings, partitions);
  }

  @Override
  public long heapBytes(ShardInput input) {
    long engine =
        input.isOnDevice()
            ? 0
            : input.selection().engine().estimate(input.graph(), instance, settings);
    return engine + sentBytes(input.graph());
  }

  /** Whether values of the program are rounded on their way to other executors. */
  boolean rounds() {
    return Rounding.changes(FunctionTraits.shippedKinds(program()), format.significantBits());
  }

  /** What is kept of what other executors were sent, where values are rounded. */
  private long sentBytes(ExecutorGraph graph) {
    return !rounds() || settings.exchange() != ExchangeMode.REFINED
        ? 0
        : graph.exports().stream().mapToLong(export -> export.list().size()).sum() * rowBytes();
  }

  @Override
  public ShardComputation open(ShardInput input) {
    return new ProgramShard(this, input);
  }

  /** Only under AUTO: an engine asked for by name reports refusals when the run opens. */
  @Override
  public void check(RunTask task, Selection selection, ShardInput input) {
    if (input != null && task.engine() == EngineChoice.AUTO) {
      selection.engine().estimate(input.graph(), instance, settings);
    }
  }

  @Override
  public Description describe(RunTask task, Selection selection, ShardInput input, boolean source) {
    Engine engine = selection.engine();
    ExecutorGraph graph = input == null ? null : input.graph();
    return new Description(
        engine.name(),
        selection.reason(),
        engine.describe(program(), settings),
        graph == null ? "" : engine.describeMemory(graph, instance, settings),
        graph == null ? List.of() : engine.describeChoices(graph, program(), settings),
        graph == null ? List.of() : engine.describePartitions(graph, program()),
        source ? cudaSource(task, graph) : "");
  }

  /** The CUDA source that is generated from the program. */
  private String cudaSource(RunTask task, ExecutorGraph graph) {
    boolean missingVertices =
        graph != null && graph.partitions().stream().anyMatch(p -> p.present() != null);
    boolean exchanges = graph != null && !graph.boundaries().isEmpty();
    return DeviceEngine.kernels(
            program(), settings, task.device().engine(), missingVertices, exchanges)
        .source()
        .text();
  }

  // ---- over several executors, on the driver --------------------------------------------------

  @Override
  public boolean runsInPlace() {
    return KernelShape.of(program(), settings, false, true).inPlace();
  }

  @Override
  public boolean isRestorable() {
    return true;
  }

  @Override
  public double[] aggregates(List<double[]> ofShards) {
    return combined(program().aggregates(), ofShards);
  }

  @Override
  public boolean hasFinalAggregates() {
    return !program().finalAggregates().isEmpty();
  }

  @Override
  public double[] finalAggregates(List<double[]> ofShards) {
    return combined(program().finalAggregates(), ofShards);
  }

  private static double[] combined(List<Aggregate> aggregates, List<double[]> parts) {
    double[] sums = new double[aggregates.size()];
    for (int i = 0; i < sums.length; i++) {
      AggregateOperation operation = aggregates.get(i).operation();
      sums[i] = operation.neutral();
      for (double[] part : parts) {
        sums[i] = operation.combine(sums[i], part[i]);
      }
    }
    return sums;
  }

  @Override
  public RunSummary.Stopped stopped(List<SuperstepStats> supersteps, boolean more, long vertices) {
    return SuperstepLoop.stopped(
        settings,
        supersteps.get(supersteps.size() - 1),
        settings.initialMessage() != null || supersteps.size() > 1,
        vertices,
        program().aggregates());
  }
}
