package org.sparkgpugraph.examples.algorithms;

import java.util.Set;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

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
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Bfs.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return Bfs.explain(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return Bfs.run(graph, settings.source(), settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return StockGraphX.bfs(graph, settings.source(), settings.iterationsOrUnbounded());
  }
}
