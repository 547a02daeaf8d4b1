package org.sparkgpugraph.lib;

import java.util.function.BiFunction;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.engine.cores.PeelingOperator;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.run.RunOptions;

/**
 * Cores of an undirected graph: the k-core is the largest set of vertices that have at least k
 * edges to one another; the coreness of a vertex is the largest k whose core it is in (Seidman
 * 1983). The graph has every edge in both directions, which one superstep over the in-edges checks
 * first. Parallel edges count as often as they are there, self-loops do not count.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.KCore}, which says how it works, with GraphX graphs
 * in and out.
 */
public final class KCore extends org.sparkgpugraph.algorithm.KCore {
  private KCore() {}

  /**
   * The k-core.
   *
   * @param k at least 1
   * @return for each vertex its degree in the core, 0 when it is not in it
   * @throws IllegalArgumentException when k is less than 1, or an edge has no reverse
   */
  public static <ED> Graph<Integer, ED> run(Graph<?, ED> graph, int k, RunOptions options) {
    check(k);
    return peeled(
        graph,
        "k-core",
        k,
        options,
        (resident, loaded) -> program(GpuPregel.on(resident), k, loaded));
  }

  /** As {@link org.sparkgpugraph.algorithm.KCore#run(ResidentGraph, int, RunOptions)}. */
  public static VertexResult<Integer> run(ResidentGraph<?, ?> graph, int k, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.run(graph, k, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.KCore#explain(ResidentGraph, int, RunOptions)}. */
  public static String explain(ResidentGraph<?, ?> graph, int k, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.explain(graph, k, options);
  }

  /**
   * The coreness of every vertex.
   *
   * @throws IllegalArgumentException when an edge has no reverse
   */
  public static <ED> Graph<Integer, ED> coreness(Graph<?, ED> graph, RunOptions options) {
    return peeled(
        graph,
        "coreness",
        PeelingOperator.ALL,
        options,
        (resident, loaded) -> corenessProgram(GpuPregel.on(resident), loaded));
  }

  /**
   * Checks and runs.
   *
   * @param program what runs where the operator does not
   */
  private static <ED> Graph<Integer, ED> peeled(
      Graph<?, ED> graph,
      String algorithm,
      int k,
      RunOptions options,
      BiFunction<ResidentGraph<Object, Object>, RunOptions, ProgramBuilder<?, ?, ?, ?, Integer>>
          program) {
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options)) {
      RunOptions loaded = Sources.loaded(options);
      org.sparkgpugraph.algorithm.Undirected.require(resident, algorithm, loaded);
      return Internals.isInOnePiece(resident, loaded)
          ? GraphXRuns.run(peeling(resident, k, loaded))
          : GraphRuns.run(program.apply(resident, loaded));
    }
  }

  /** As {@link org.sparkgpugraph.algorithm.KCore#coreness(ResidentGraph, RunOptions)}. */
  public static VertexResult<Integer> coreness(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.coreness(graph, options);
  }

  /** As {@link org.sparkgpugraph.algorithm.KCore#explainCoreness(ResidentGraph, RunOptions)}. */
  public static String explainCoreness(ResidentGraph<?, ?> graph, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.explainCoreness(graph, options);
  }
}
