package io.sparkgpugraph.examples;

import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.lib.Betweenness;
import io.sparkgpugraph.lib.Bfs;
import io.sparkgpugraph.lib.ConnectedComponents;
import io.sparkgpugraph.lib.Graphalytics;
import io.sparkgpugraph.lib.HeatSimulation;
import io.sparkgpugraph.lib.Hits;
import io.sparkgpugraph.lib.KCore;
import io.sparkgpugraph.lib.Katz;
import io.sparkgpugraph.lib.MaximalIndependentSet;
import io.sparkgpugraph.lib.MultiSourceBfs;
import io.sparkgpugraph.lib.NeuralNetwork;
import io.sparkgpugraph.lib.PageRank;
import io.sparkgpugraph.lib.ShortestPaths;
import io.sparkgpugraph.lib.Sssp;
import io.sparkgpugraph.lib.StronglyConnectedComponents;
import io.sparkgpugraph.lib.WeightedPageRank;
import io.sparkgpugraph.lib.WidestPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.graphx.Graph;
import scala.Option;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;

/**
 * An algorithm of the library beside GraphX's own: a line of {@link SpeedTable}.
 *
 * @param name on the command line and in the table
 * @param input which graph it runs on
 * @param exact whether values are counts or names, so that results are equal or not
 * @param ours the library's
 * @param stock GraphX's, or as its users write it; null: GraphX has none
 */
record Contest(String name, Input input, boolean exact, Side ours, Side stock) {
  /** Which graph. */
  enum Input {
    /** Directed, without weights. */
    PLAIN,
    /** Directed, weights 1 to 255. */
    WEIGHTED,
    /** Simple, every edge in both directions. */
    UNDIRECTED
  }

  /**
   * What both sides are given.
   *
   * @param graph cached and materialised; vertex attributes are 0
   * @param sources some vertices of large out-degree, the largest first
   * @param iterations of algorithms that take a number of them
   * @param options how the library's run is carried out
   */
  record Setting(Graph<Double, Double> graph, long[] sources, int iterations, RunOptions options) {}

  /** One side. */
  interface Side {
    Graph<?, ?> run(Setting setting);
  }

  private static final double RESET = PageRank.RESET_PROBABILITY;
  private static final double TOLERANCE = 1e-3;
  private static final ClassTag<Double> DOUBLE = StockGraphX.DOUBLE;
  private static final int CORE = 8;

  /** Katz' α: small enough for the sums of large graphs to converge. */
  private static final double ATTENUATION = 1e-4;

  /** All, those that GraphX has first. */
  static final List<Contest> ALL =
      List.of(
          new Contest(
              "pagerank",
              Input.PLAIN,
              false,
              s ->
                  PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, OptionalLong.empty(), true, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.run(
                      s.graph, s.iterations, RESET, DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-converging",
              Input.PLAIN,
              false,
              s ->
                  PageRank.runUntilConvergenceWithOptions(
                      s.graph, TOLERANCE, RESET, OptionalLong.empty(), s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runUntilConvergence(
                      s.graph, TOLERANCE, RESET, DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-personalized",
              Input.PLAIN,
              false,
              s ->
                  PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, OptionalLong.of(s.sources[0]), true, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, Option.apply(s.sources[0]), DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-parallel-personalized",
              Input.PLAIN,
              false,
              s ->
                  PageRank.runParallelPersonalizedPageRank(
                      s.graph, s.iterations, RESET, s.sources, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runParallelPersonalizedPageRank(
                      s.graph, s.iterations, RESET, s.sources, DOUBLE, DOUBLE)),
          new Contest(
              "connected-components",
              Input.PLAIN,
              true,
              s -> ConnectedComponents.run(s.graph, Integer.MAX_VALUE, s.options),
              s -> org.apache.spark.graphx.lib.ConnectedComponents.run(s.graph, DOUBLE, DOUBLE)),
          new Contest(
              "strongly-connected-components",
              Input.PLAIN,
              true,
              s -> StronglyConnectedComponents.run(s.graph, Integer.MAX_VALUE, s.options),
              s ->
                  org.apache.spark.graphx.lib.StronglyConnectedComponents.run(
                      s.graph, Integer.MAX_VALUE, DOUBLE, DOUBLE)),
          new Contest(
              "shortest-paths",
              Input.PLAIN,
              true,
              s -> ShortestPaths.run(s.graph, s.sources, s.options),
              s -> org.apache.spark.graphx.lib.ShortestPaths.run(s.graph, seq(s.sources), DOUBLE)),
          new Contest(
              "bfs",
              Input.PLAIN,
              true,
              s -> Bfs.run(s.graph, s.sources[0], s.options),
              s -> StockGraphX.bfs(s.graph, s.sources[0], Integer.MAX_VALUE)),
          new Contest(
              "sssp",
              Input.WEIGHTED,
              false,
              s -> Sssp.run(s.graph, s.sources[0], s.options),
              s -> StockGraphX.sssp(s.graph, s.sources[0], Integer.MAX_VALUE)),
          ours("sswp", Input.WEIGHTED, s -> WidestPaths.run(s.graph, s.sources[0], s.options)),
          ours("nn", Input.WEIGHTED, s -> NeuralNetwork.run(s.graph, 0, s.iterations, s.options)),
          ours("hs", Input.WEIGHTED, s -> HeatSimulation.run(s.graph, 0, s.iterations, s.options)),
          ours(
              "weighted-pagerank",
              Input.WEIGHTED,
              s -> WeightedPageRank.run(s.graph, s.iterations, RESET, s.options)),
          ours("hits", Input.PLAIN, s -> Hits.run(s.graph, s.iterations, s.options)),
          ours(
              "katz",
              Input.PLAIN,
              s -> Katz.run(s.graph, ATTENUATION, 1, 0, s.iterations, s.options)),
          ours(
              "graphalytics-pr",
              Input.PLAIN,
              s -> Graphalytics.pageRank(s.graph, s.iterations, Graphalytics.DAMPING, s.options)),
          ours("betweenness", Input.PLAIN, s -> Betweenness.run(s.graph, s.sources, s.options)),
          ours(
              "multi-source-bfs",
              Input.PLAIN,
              s -> MultiSourceBfs.run(s.graph, s.sources, s.options)),
          ours("k-core", Input.UNDIRECTED, s -> KCore.run(s.graph, CORE, s.options)),
          ours("coreness", Input.UNDIRECTED, s -> KCore.coreness(s.graph, s.options)),
          ours(
              "maximal-independent-set",
              Input.UNDIRECTED,
              s -> MaximalIndependentSet.run(s.graph, 1, s.options)));

  /** One that GraphX does not have. */
  private static Contest ours(String name, Input input, Side ours) {
    return new Contest(name, input, true, ours, null);
  }

  private static scala.collection.immutable.List<Object> seq(long[] ids) {
    List<Object> boxed = new ArrayList<>();
    Arrays.stream(ids).forEach(boxed::add);
    return JavaConverters.asScalaBuffer(boxed).toList();
  }

  /** The contest of a name; the nearest one is named when there is none. */
  static Contest of(String name) {
    return ALL.stream()
        .filter(contest -> contest.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    Choice.unknown(
                        name, "an algorithm", ALL.stream().map(Contest::name).toList())));
  }
}
