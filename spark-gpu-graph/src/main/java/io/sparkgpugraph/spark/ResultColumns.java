package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.LiftedProgram;

/** Makes the result's columns of the final values: final aggregates, then the result function. */
final class ResultColumns {
  private ResultColumns() {}

  /** The result by dense id. */
  static Columns of(ExecutorGraph graph, LiftedProgram program, EngineRun run) {
    Columns result =
        Columns.allocate(program.result().columns(), Math.toIntExact(graph.ids().size()));
    double[] aggregates = run.finalAggregates();
    for (int p = 0; p < graph.partitions().size(); p++) {
      GraphPartition partition = graph.partitions().get(p);
      result.copyFrom(
          run.results(p, aggregates), 0, (int) partition.firstVertex(), partition.stored());
    }
    return result;
  }
}
