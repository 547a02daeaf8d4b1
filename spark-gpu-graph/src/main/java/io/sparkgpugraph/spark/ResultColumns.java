package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.RunSummary;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.jvm.CompiledFunction;
import io.sparkgpugraph.program.jvm.FunctionCompiler;
import java.util.List;

/** Makes the result's columns of the final values: final aggregates, then the result function. */
final class ResultColumns {
  private final ExecutorGraph graph;
  private final ProgramInstance instance;
  private final List<Columns> attributes;
  private final RunSummary summary;

  ResultColumns(
      ExecutorGraph graph, ProgramInstance instance, List<Columns> attributes, RunSummary summary) {
    this.graph = graph;
    this.instance = instance;
    this.attributes = attributes;
    this.summary = summary;
  }

  /** The result by dense id. */
  Columns of(EngineRun run) {
    LiftedProgram program = instance.program();
    List<? extends GraphPartition> partitions = graph.partitions();
    IrFunction function = program.resultFunction();
    Columns result =
        Columns.allocate(program.result().columns(), Math.toIntExact(graph.ids().size()));
    double[] aggregates = function == null ? new double[0] : finalAggregates(run);
    CompiledFunction compiled = function == null ? null : FunctionCompiler.compile(function);
    for (int p = 0; p < partitions.size(); p++) {
      GraphPartition partition = partitions.get(p);
      Columns values = run.values(p);
      int first = (int) partition.firstVertex();
      if (function == null) {
        result.copyFrom(values, 0, first, partition.stored());
        continue;
      }
      Object[] arguments = new Object[function.parameters().size()];
      for (int v = 0; v < partition.stored(); v++) {
        for (int i = 0; i < arguments.length; i++) {
          Param param = function.parameters().get(i);
          arguments[i] = argument(param, partition, p, v, values, aggregates);
        }
        Object[] row = compiled.call(arguments);
        for (int c = 0; c < row.length; c++) {
          result.set(c, first + v, row[c]);
        }
      }
    }
    return result;
  }

  private double[] finalAggregates(EngineRun run) {
    List<Aggregate> aggregates = instance.program().finalAggregates();
    double[] totals = new double[aggregates.size()];
    for (int a = 0; a < totals.length; a++) {
      Aggregate aggregate = aggregates.get(a);
      CompiledFunction compiled = FunctionCompiler.compile(aggregate.function());
      totals[a] = aggregate.operation().neutral();
      for (int p = 0; p < graph.partitions().size(); p++) {
        GraphPartition partition = graph.partitions().get(p);
        Columns values = run.values(p);
        Object[] arguments = new Object[aggregate.function().parameters().size()];
        long[] present = partition.present();
        for (int v = 0; v < partition.stored(); v++) {
          if (present != null && (present[v >>> 6] >>> v & 1) == 0) {
            continue;
          }
          for (int i = 0; i < arguments.length; i++) {
            Param param = aggregate.function().parameters().get(i);
            arguments[i] = argument(param, partition, p, v, values, null);
          }
          totals[a] =
              aggregate.operation().combine(totals[a], (Double) compiled.call(arguments)[0]);
        }
      }
    }
    return totals;
  }

  private Object argument(
      Param param, GraphPartition partition, int p, int v, Columns values, double[] aggregates) {
    return switch (param.role()) {
      case ID -> partition.originalId(v);
      case VALUE, BEFORE, AFTER -> values.get(param.index(), v);
      case ATTRIBUTE -> attributes.get(p).get(param.index(), v);
      case SUPERSTEP -> summary.iterations();
      case VERTEX_COUNT -> graph.vertexCount();
      case AGGREGATE -> aggregates[param.index()];
      case CAPTURE -> instance.captures().get(param.index());
      default -> throw new IllegalStateException("a result function cannot read " + param.role());
    };
  }
}
