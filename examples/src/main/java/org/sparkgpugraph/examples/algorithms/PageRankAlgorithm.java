package org.sparkgpugraph.examples.algorithms;

import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** PageRank: 10 iterations, or as many as --iterations says, or until --tolerance is reached. */
public final class PageRankAlgorithm extends Algorithm {
  /** Iterations unless told. */
  public static final int DEFAULT_ITERATIONS = 10;

  PageRankAlgorithm() {
    super(
        "pagerank",
        "rank",
        Kind.DOUBLE,
        Set.of(Takes.ITERATIONS, Takes.ALTERNATIVE_TOLERANCE),
        Merit.ranks());
  }

  private static int iterations(Settings settings) {
    return settings.iterationsOr(DEFAULT_ITERATIONS);
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    double reset = PageRank.RESET_PROBABILITY;
    return settings.tolerance() == null
        ? PageRank.run(graph, iterations(settings), reset, options)
        : PageRank.runUntilConvergence(graph, settings.tolerance(), reset, options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    double reset = PageRank.RESET_PROBABILITY;
    return settings.tolerance() == null
        ? PageRank.explain(graph, iterations(settings), reset, options)
        : PageRank.explainUntilConvergence(graph, settings.tolerance(), reset, options);
  }

  @Override
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    double reset = PageRank.RESET_PROBABILITY;
    OptionalLong nowhere = OptionalLong.empty();
    return settings.tolerance() == null
        ? PageRank.runWithOptions(graph, iterations(settings), reset, nowhere, true, options)
        : PageRank.runUntilConvergenceWithOptions(
            graph, settings.tolerance(), reset, nowhere, options);
  }

  @Override
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    double reset = PageRank.RESET_PROBABILITY;
    return settings.tolerance() == null
        ? org.apache.spark.graphx.lib.PageRank.run(
            graph, iterations(settings), reset, StockGraphX.DOUBLE, StockGraphX.DOUBLE)
        : org.apache.spark.graphx.lib.PageRank.runUntilConvergence(
            graph, settings.tolerance(), reset, StockGraphX.DOUBLE, StockGraphX.DOUBLE);
  }
}
