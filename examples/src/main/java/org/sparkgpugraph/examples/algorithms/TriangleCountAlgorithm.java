package org.sparkgpugraph.examples.algorithms;

import java.util.Set;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** The triangles that each vertex is a corner of. */
final class TriangleCountAlgorithm extends Algorithm {
  TriangleCountAlgorithm() {
    super("triangle-count", "triangles", Kind.INT, Set.of(), Merit.triangles());
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.run(graph, options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.explain(graph, options);
  }

  @Override
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.run(graph, options);
  }

  @Override
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return org.apache.spark.graphx.lib.TriangleCount.run(
        graph, StockGraphX.DOUBLE, StockGraphX.DOUBLE);
  }
}
