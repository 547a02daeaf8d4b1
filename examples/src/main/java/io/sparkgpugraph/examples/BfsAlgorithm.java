package io.sparkgpugraph.examples;

import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.lib.Bfs;
import io.sparkgpugraph.program.Kind;
import java.util.Set;
import org.apache.spark.graphx.Graph;

/** Numbers of edges on the shortest paths from --source. */
final class BfsAlgorithm extends Algorithm {
  BfsAlgorithm() {
    super(
        "bfs",
        "level",
        Kind.INT,
        Set.of(Takes.ITERATIONS, Takes.SOURCE),
        Merit.depths(Integer.MAX_VALUE));
  }

  @Override
  VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Bfs.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Bfs.explain(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return Bfs.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return StockGraphX.bfs(graph, settings.source(), settings.iterationsOrUnbounded());
  }
}
