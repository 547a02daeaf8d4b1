package io.sparkgpugraph.examples;

import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.lib.TriangleCount;
import io.sparkgpugraph.program.Kind;
import java.util.Set;
import org.apache.spark.graphx.Graph;

/** The triangles that each vertex is a corner of. */
final class TriangleCountAlgorithm extends Algorithm {
  TriangleCountAlgorithm() {
    super("triangle-count", "triangles", Kind.INT, Set.of(), Merit.triangles());
  }

  @Override
  VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.run(graph, options);
  }

  @Override
  String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.explain(graph, options);
  }

  @Override
  Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return TriangleCount.run(graph, options);
  }

  @Override
  Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return org.apache.spark.graphx.lib.TriangleCount.run(
        graph, StockGraphX.DOUBLE, StockGraphX.DOUBLE);
  }
}
