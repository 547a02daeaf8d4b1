package io.sparkgpugraph.examples;

import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.lib.Sssp;
import io.sparkgpugraph.program.Kind;
import java.util.Set;
import org.apache.spark.graphx.Graph;

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
  VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Sssp.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Sssp.explain(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return Sssp.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return StockGraphX.sssp(graph, settings.source(), settings.iterationsOrUnbounded());
  }
}
