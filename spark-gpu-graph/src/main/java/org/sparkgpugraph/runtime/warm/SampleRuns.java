package org.sparkgpugraph.runtime.warm;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HeldResult;

/**
 * Two programs, lifted and run on a small graph, so that a first run finds the classes of all this
 * loaded, their lambdas linked and the loops that they share compiled: one that evaluates all
 * edges, a ranking, and a search.
 */
final class SampleRuns {
  static final int SUPERSTEPS = 3;

  /** How often the graph is loaded beforehand: the JVM compiles loops when they run again. */
  private static final int LOADS = 8;

  private static final double DAMPING = 0.85;

  /** As a rank while it runs. */
  private record Rank(double rank, double weight) {}

  private SampleRuns() {}

  /**
   * Runs them on the CPU engine, with nothing that counts as a run of the executor.
   *
   * @param conf how runs would be set up
   * @param kernels whether kernels for a device are written, too; they are not compiled
   * @return how they went
   */
  static List<RunSummary> run(GpuGraphConf conf, boolean kernels, int threads) {
    ProgramInstance ranking = Hoisting.apply(ranking(), false);
    RunSettings every = settings(null, new Object[] {0.0}, SUPERSTEPS, false, threads);
    ProgramInstance search = Hoisting.apply(search(0), true);
    RunSettings active =
        settings(new Object[] {Integer.MAX_VALUE}, null, Integer.MAX_VALUE, true, threads);
    if (kernels) {
      for (boolean ranks : new boolean[] {true, false}) {
        DeviceEngine.kernels(
                (ranks ? ranking : search).program(),
                ranks ? every : active,
                DeviceSettings.DEFAULT,
                false,
                false)
            .source();
      }
    }
    for (int load = 0; load < LOADS; load++) {
      SampleGraph.load(load % 2 == 0, threads);
    }
    Engine engine = new CpuEngine();
    RunSummary ranked = run(engine, ranking, every);
    SampleTasks.travel(conf, ranking, every, ranked);
    return List.of(ranked, run(engine, search, active));
  }

  private static RunSummary run(Engine engine, ProgramInstance program, RunSettings settings) {
    HeldGraph held = SampleGraph.load(true, settings.threads());
    ExecutorGraph graph = held.graph();
    List<Columns> attributes = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      attributes.add(Columns.allocate(List.of(), partition.stored()));
    }
    engine.estimate(graph, program, settings);
    try (EngineRun run = engine.open(graph, program, attributes, settings)) {
      RunSummary summary =
          SuperstepLoop.run(
              engine.name(),
              run,
              settings,
              graph.ids().size(),
              program.program().aggregates(),
              superstep -> {});
      Columns values = run.results(0, new double[program.program().finalAggregates().size()]);
      HeldResult result = HeldResult.of(held, graph, values, program.program().result());
      for (int partition = 0; partition < held.layouts().size(); partition++) {
        result.slotArray(partition);
      }
      return summary;
    }
  }

  private static RunSettings settings(
      Object[] initial, Object[] empty, int supersteps, boolean inPlace, int threads) {
    return new RunSettings(
        initial,
        empty,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        supersteps,
        inPlace,
        KernelChoice.AUTO,
        threads,
        null);
  }

  private static ProgramInstance ranking() {
    StateFunction<Object, Rank> state =
        (id, attribute, in, out) -> new Rank(1, out == 0 ? 0 : 1.0 / out);
    VertexProgram<Rank, Double> program =
        (id, rank, sum) -> new Rank(1 - DAMPING + DAMPING * sum, rank.weight());
    SendMessage<Rank, Object, Double> send =
        edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight());
    MergeMessage<Double> merge = Double::sum;
    AggregateFunction<Rank> sum = (id, before, after) -> after.rank();
    ResultFunction.WithContext<Object, Rank, Double> result =
        (id, attribute, rank, run) -> rank.rank() / run.aggregate("sum");
    return lift(
        state,
        program,
        send,
        merge,
        List.of(new ProgramSource.AggregateSource("sum", AggregateOperation.SUM, sum)),
        result);
  }

  private static ProgramInstance search(long source) {
    StateFunction<Object, Integer> state =
        (id, attribute, in, out) -> id == source ? 0 : Integer.MAX_VALUE;
    VertexProgram<Integer, Integer> program = (id, level, least) -> Math.min(level, least);
    SendMessage<Integer, Object, Integer> send =
        edge -> {
          int level = edge.srcAttr();
          if (level != Integer.MAX_VALUE && level + 1 < edge.dstAttr()) {
            edge.sendToDst(level + 1);
          }
        };
    MergeMessage<Integer> merge = Math::min;
    ResultFunction<Object, Integer, Integer> result =
        (id, attribute, level) -> level == Integer.MAX_VALUE ? -1 : level;
    return lift(state, program, send, merge, List.of(), result);
  }

  private static ProgramInstance lift(
      Object state,
      Object program,
      Object send,
      Object merge,
      List<ProgramSource.AggregateSource> finalAggregates,
      Object result) {
    return ProgramLifter.lift(
        new ProgramSource(
            ValueType.of(Object.class),
            ValueType.of(Object.class),
            null,
            state,
            program,
            send,
            merge,
            null,
            List.of(),
            finalAggregates,
            result));
  }
}
