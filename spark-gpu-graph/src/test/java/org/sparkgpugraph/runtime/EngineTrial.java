package org.sparkgpugraph.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.run.ProgramShard;
import org.sparkgpugraph.runtime.serial.ValueBoxes;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Runs a test program on an engine without Spark: milliseconds instead of half a second, so that a
 * property can be tried on thousands of cases.
 *
 * @param partitions partitions of the graph
 * @param kernel AUTO, or forced
 * @param threads worker threads
 * @param inPlaceIfAllowed whether to update in place where the program allows it
 */
public record EngineTrial(
    int partitions, KernelChoice kernel, int threads, boolean inPlaceIfAllowed) {
  /** What an engine gives. */
  public record Run<R>(Map<Long, R> result, RunSummary summary, boolean inPlace) {}

  /** The program as it runs: with hidden columns in two of three cases. */
  public static ProgramInstance instance(TestProgram<?, ?, ?, ?, ?> program, long seed) {
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    return seed % 3 == 0 ? lifted : Hoisting.apply(lifted, lifted.program().traits().monotone());
  }

  /** Runs a program. */
  @SuppressWarnings("unchecked") // the result has the program's own result type
  public <VD, ED, S, A, R> Run<R> run(
      Engine engine,
      ProgramInstance instance,
      TestProgram<VD, ED, S, A, R> program,
      TestGraph<VD, ED> test) {
    ExecutorGraph graph = build(test, program, partitions, threads);
    List<Columns> attributes = attributes(graph, test, instance.program().attribute());
    RunSettings settings = settings(instance.program(), program);
    try (EngineRun run = engine.open(graph, instance, attributes, settings)) {
      RunSummary summary =
          SuperstepLoop.run(
              engine.name(),
              run,
              settings,
              graph.vertexCount(),
              instance.program().aggregates(),
              stats -> {});
      Columns columns = ProgramShard.results(graph, run, instance.program());
      ValueCodec codec = ValueCodec.of(instance.program().result());
      Map<Long, R> result = new TreeMap<>();
      for (GraphPartition partition : graph.partitions()) {
        for (int v = 0; v < partition.stored(); v++) {
          int dense = (int) partition.firstVertex() + v;
          result.put(partition.originalId(v), (R) codec.get(columns, dense));
        }
      }
      return new Run<>(result, summary, settings.inPlace());
    }
  }

  public <VD, ED> ExecutorGraph build(
      TestGraph<VD, ED> test, TestProgram<VD, ED, ?, ?, ?> program) {
    return build(test, program, partitions, threads);
  }

  public static <VD, ED> ExecutorGraph build(
      TestGraph<VD, ED> test, TestProgram<VD, ED, ?, ?, ?> program, int partitions, int threads) {
    return ExecutorGraphBuilder.build(
        blocks(test),
        List.of(new VertexBlock(test.ids(), null)),
        new ExecutorGraphBuilder.Options(partitions, threads, ValueType.of(program.edge)));
  }

  /** Three blocks, so that the order over blocks is tried too. */
  public static List<EdgeBlock> blocks(TestGraph<?, ?> test) {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = 0; b < 3; b++) {
      int from = test.edgeCount() * b / 3;
      int to = test.edgeCount() * (b + 1) / 3;
      blocks.add(
          new GlobalEdgeBlock(
              to - from,
              Arrays.copyOfRange(test.sources(), from, to),
              Arrays.copyOfRange(test.destinations(), from, to),
              test.edgeAttributes().subList(from, to).toArray()));
    }
    return blocks;
  }

  public static List<Columns> attributes(
      ExecutorGraph graph, TestGraph<?, ?> test, ValueType type) {
    Map<Long, Integer> rows = new HashMap<>();
    for (int i = 0; i < test.ids().length; i++) {
      rows.put(test.ids()[i], i);
    }
    ValueCodec codec = ValueCodec.of(type);
    List<Columns> tables = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      int locals = partition.stored() + partition.ghosts();
      Columns table = Columns.allocate(codec.kinds(), locals);
      for (int v = 0; v < locals; v++) {
        codec.put(test.attributes().get(rows.get(partition.originalId(v))), table, v);
      }
      tables.add(table);
    }
    return tables;
  }

  public RunSettings settings(LiftedProgram lifted, TestProgram<?, ?, ?, ?, ?> program) {
    return new RunSettings(
        ValueBoxes.of(lifted.message(), program.initialMessage),
        ValueBoxes.of(lifted.message(), program.emptyMessage),
        program.direction,
        program.gather,
        program.maxIterations,
        inPlaceIfAllowed && inPlaceAllowed(lifted, program),
        kernel,
        threads,
        program.stopWhen);
  }

  /** Monotone, the direction allows it, and nothing looks at single supersteps. */
  public static boolean inPlaceAllowed(LiftedProgram lifted, TestProgram<?, ?, ?, ?, ?> program) {
    boolean direction =
        program.direction == ActiveDirection.EITHER
            || program.direction == ActiveDirection.OUT && !lifted.traits().sendsToSource();
    return lifted.traits().monotone()
        && direction
        && program.maxIterations == Integer.MAX_VALUE
        && !program.everyVertex()
        && program.activeWhen == null
        && program.stopWhen == null
        && program.aggregates.isEmpty()
        && !lifted.vertexProgram().reads(Role.SUPERSTEP)
        && !lifted.send().reads(Role.SUPERSTEP);
  }
}
