package org.sparkgpugraph.examples.algorithms;

import java.util.Set;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** The smallest id of each vertex's component: an operator, unless supersteps are bounded. */
final class ConnectedComponentsAlgorithm extends Algorithm {
  ConnectedComponentsAlgorithm() {
    super(
        "connected-components",
        "component",
        Kind.LONG,
        Set.of(Takes.ITERATIONS),
        Merit.components());
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return ConnectedComponents.run(graph, settings.iterationsOrUnbounded(), options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return ConnectedComponents.explain(graph, settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return ConnectedComponents.run(graph, settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> runProgram(
      Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return ConnectedComponents.runProgram(graph, settings.iterationsOrUnbounded(), options);
  }

  @Override
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    return org.apache.spark.graphx.lib.ConnectedComponents.run(
        graph, settings.iterationsOrUnbounded(), StockGraphX.DOUBLE, StockGraphX.DOUBLE);
  }
}
