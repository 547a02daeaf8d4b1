package org.sparkgpugraph.examples.algorithms;

import java.util.Set;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** Lengths of the shortest paths from --source; every edge has length 1 without --weighted. */
final class SsspAlgorithm extends Algorithm {
  SsspAlgorithm() {
    super(
        "sssp",
        "distance",
        Kind.DOUBLE,
        Set.of(Takes.ITERATIONS, Takes.SOURCE, Takes.WEIGHTS),
        Merit.lengths());
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Sssp.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Sssp.explain(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return Sssp.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return StockGraphX.sssp(graph, settings.source(), settings.iterationsOrUnbounded());
  }
}
