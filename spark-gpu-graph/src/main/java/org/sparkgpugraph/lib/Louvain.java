package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * Communities of high modularity, by Louvain's method or Leiden's refinement.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.Louvain}, which says how it works, with GraphX
 * graphs in and out.
 */
public final class Louvain extends org.sparkgpugraph.algorithm.Louvain {
  private Louvain() {}

  /** Communities of a graph whose edges count 1 each; edges keep their attributes. */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph) {
    return run(graph, Conf.DEFAULT, RunOptions.DEFAULT);
  }

  /**
   * As above, with options.
   *
   * @param options their observer is told what {@link #modularity} and {@link #levels} read
   * @throws IllegalArgumentException when they ask for stock GraphX
   */
  public static <ED> Graph<Long, ED> run(Graph<?, ED> graph, Conf conf, RunOptions options) {
    GraphSource source = GraphXSource.of(graph, Object.class, Object.class);
    return GraphXRuns.run(OperatorJob.on(source, operator(false, conf), options));
  }

  /**
   * Communities of a graph whose edge attributes are weights.
   *
   * @throws IllegalArgumentException when a weight is negative, NaN or infinite
   */
  public static Graph<Long, Double> runWeighted(
      Graph<?, Double> graph, Conf conf, RunOptions options) {
    GraphSource source = GraphXSource.of(graph, Object.class, Double.class);
    return GraphXRuns.run(OperatorJob.on(source, operator(true, conf), options));
  }

  /** As {@link org.sparkgpugraph.algorithm.Louvain#run(ResidentGraph, Conf, RunOptions)}. */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.Louvain.run(graph, conf, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Louvain#runWeighted(ResidentGraph, Conf, RunOptions)}.
   */
  public static VertexResult<Long> runWeighted(
      ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.Louvain.runWeighted(graph, conf, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Louvain#explain(ResidentGraph, Conf, RunOptions)}. */
  public static String explain(ResidentGraph<?, ?> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.Louvain.explain(graph, conf, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.Louvain#explainWeighted(ResidentGraph, Conf,
   * RunOptions)}.
   */
  public static String explainWeighted(
      ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return org.sparkgpugraph.algorithm.Louvain.explainWeighted(graph, conf, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.Louvain#modularity(RunReport)}. */
  public static double modularity(RunReport report) {
    return org.sparkgpugraph.algorithm.Louvain.modularity(report);
  }

  /** As {@link org.sparkgpugraph.algorithm.Louvain#levels(RunReport)}. */
  public static int levels(RunReport report) {
    return org.sparkgpugraph.algorithm.Louvain.levels(report);
  }

  /** As {@link org.sparkgpugraph.algorithm.Louvain#communities(RunReport)}. */
  public static long communities(RunReport report) {
    return org.sparkgpugraph.algorithm.Louvain.communities(report);
  }
}
