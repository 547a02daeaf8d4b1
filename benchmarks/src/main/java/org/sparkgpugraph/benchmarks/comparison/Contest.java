package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.lib.Betweenness;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.CircuitSimulation;
import org.sparkgpugraph.lib.ClusteringCoefficient;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.GraphColouring;
import org.sparkgpugraph.lib.Graphalytics;
import org.sparkgpugraph.lib.HeatSimulation;
import org.sparkgpugraph.lib.Hits;
import org.sparkgpugraph.lib.KCore;
import org.sparkgpugraph.lib.Katz;
import org.sparkgpugraph.lib.LabelPropagation;
import org.sparkgpugraph.lib.Louvain;
import org.sparkgpugraph.lib.MaximalIndependentSet;
import org.sparkgpugraph.lib.MaximalMatching;
import org.sparkgpugraph.lib.MinimumSpanningForest;
import org.sparkgpugraph.lib.MultiSourceBfs;
import org.sparkgpugraph.lib.NeuralNetwork;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.lib.StronglyConnectedComponents;
import org.sparkgpugraph.lib.TriangleCount;
import org.sparkgpugraph.lib.WeightedPageRank;
import org.sparkgpugraph.lib.WidestPaths;
import org.sparkgpugraph.run.RunOptions;
import scala.Option;
import scala.Tuple4;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;

/**
 * An algorithm of the library beside GraphX's own: a line of {@link SpeedTable}.
 *
 * @param name on the command line and in the table
 * @param input which graph it runs on
 * @param agreement how the results are compared
 * @param ours the library's
 * @param stock GraphX's, or as its users write it; null: GraphX has none
 */
record Contest(String name, Input input, Comparing agreement, Side ours, Side stock) {
  /** Which graph. */
  enum Input {
    /** Directed, without weights. */
    PLAIN,
    /** Directed, weights 1 to 255. */
    WEIGHTED,
    /** Directed, without weights, with the ranks of an earlier run. */
    RANKED,
    /** Weights 1 to 255, and every thousandth vertex has a voltage. */
    CIRCUIT,
    /** Simple, every edge in both directions. */
    UNDIRECTED,
    /** From users, whose ids are even, to items, whose ids are odd; ratings 1 to 5. */
    RATINGS;

    /** Whether its edges come with weights of 1 to 255. */
    boolean weighted() {
      return this == WEIGHTED || this == CIRCUIT || this == RATINGS;
    }
  }

  /** Says how far the results of both sides agree. */
  interface Comparing {
    String describe(Graph<?, ?> ours, Graph<?, ?> stock, Setting setting);
  }

  /** Values are counts or names, which are equal or not. */
  private static final Comparing EXACT =
      (ours, stock, s) -> Agreement.of(ours, stock, s.sources).describe(true);

  /** Values are computed with rounding. */
  private static final Comparing ROUNDED =
      (ours, stock, s) -> Agreement.of(ours, stock, s.sources).describe(false);

  /**
   * What both sides are given.
   *
   * @param graph cached and materialised; vertex attributes are 0
   * @param sources some vertices of large out-degree, the largest first
   * @param iterations of algorithms that take a number of them
   * @param options how the library's run is carried out
   * @param earlier ranks of an earlier run, for this run alone: GraphX unpersists them; null where
   *     the input is not {@link Input#RANKED}
   */
  record Setting(
      Graph<Double, Double> graph,
      long[] sources,
      int iterations,
      RunOptions options,
      Graph<Double, Double> earlier) {
    Setting from(Graph<Double, Double> ranks) {
      return new Setting(graph, sources, iterations, options, ranks);
    }
  }

  /** One side. */
  interface Side {
    Graph<?, ?> run(Setting setting);
  }

  private static final double RESET = PageRank.RESET_PROBABILITY;
  private static final double TOLERANCE = 1e-3;
  private static final ClassTag<Double> DOUBLE = StockGraphX.DOUBLE;
  private static final int CORE = 8;
  private static final int RANK = 10;
  private static final double STEP = 1e-7;

  /** Katz' α: small enough for the sums of large graphs to converge. */
  private static final double ATTENUATION = 1e-4;

  /** All, those that GraphX has first. */
  static final List<Contest> ALL =
      List.of(
          new Contest(
              "pagerank",
              Input.PLAIN,
              ROUNDED,
              s ->
                  PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, OptionalLong.empty(), true, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.run(
                      s.graph, s.iterations, RESET, DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-converging",
              Input.PLAIN,
              ROUNDED,
              s ->
                  PageRank.runUntilConvergenceWithOptions(
                      s.graph, TOLERANCE, RESET, OptionalLong.empty(), s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runUntilConvergence(
                      s.graph, TOLERANCE, RESET, DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-personalized",
              Input.PLAIN,
              ROUNDED,
              s ->
                  PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, OptionalLong.of(s.sources[0]), true, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runWithOptions(
                      s.graph, s.iterations, RESET, Option.apply(s.sources[0]), DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-parallel-personalized",
              Input.PLAIN,
              ROUNDED,
              s ->
                  PageRank.runParallelPersonalizedPageRank(
                      s.graph, s.iterations, RESET, s.sources, s.options),
              s ->
                  org.apache.spark.graphx.lib.PageRank.runParallelPersonalizedPageRank(
                      s.graph, s.iterations, RESET, s.sources, DOUBLE, DOUBLE)),
          new Contest(
              "pagerank-continued",
              Input.RANKED,
              ROUNDED,
              s ->
                  PageRank.runWithOptionsWithPreviousPageRank(
                      s.graph,
                      s.iterations,
                      RESET,
                      OptionalLong.empty(),
                      true,
                      s.earlier,
                      s.options),
              Contest::stockContinued),
          new Contest(
              "connected-components",
              Input.PLAIN,
              EXACT,
              s -> ConnectedComponents.run(s.graph, Integer.MAX_VALUE, s.options),
              s -> org.apache.spark.graphx.lib.ConnectedComponents.run(s.graph, DOUBLE, DOUBLE)),
          new Contest(
              "strongly-connected-components",
              Input.PLAIN,
              EXACT,
              s -> StronglyConnectedComponents.run(s.graph, Integer.MAX_VALUE, s.options),
              s ->
                  org.apache.spark.graphx.lib.StronglyConnectedComponents.run(
                      s.graph, Integer.MAX_VALUE, DOUBLE, DOUBLE)),
          new Contest(
              "shortest-paths",
              Input.PLAIN,
              EXACT,
              s -> ShortestPaths.run(s.graph, s.sources, s.options),
              s -> org.apache.spark.graphx.lib.ShortestPaths.run(s.graph, seq(s.sources), DOUBLE)),
          new Contest(
              "bfs",
              Input.PLAIN,
              EXACT,
              s -> Bfs.run(s.graph, s.sources[0], s.options),
              s -> StockGraphX.bfs(s.graph, s.sources[0], Integer.MAX_VALUE)),
          new Contest(
              "sssp",
              Input.WEIGHTED,
              ROUNDED,
              s -> Sssp.run(s.graph, s.sources[0], s.options),
              s -> StockGraphX.sssp(s.graph, s.sources[0], Integer.MAX_VALUE)),
          new Contest(
              "label-propagation",
              Input.PLAIN,
              EXACT,
              s -> LabelPropagation.run(s.graph, s.iterations, s.options),
              s -> org.apache.spark.graphx.lib.LabelPropagation.run(s.graph, s.iterations, DOUBLE)),
          new Contest(
              "triangle-count",
              Input.PLAIN,
              EXACT,
              s -> TriangleCount.run(s.graph, s.options),
              s -> org.apache.spark.graphx.lib.TriangleCount.run(s.graph, DOUBLE, DOUBLE)),
          new Contest(
              "svd-plus-plus",
              Input.RATINGS,
              Contest::squaredErrors,
              s -> SVDPlusPlus.run(s.graph.edges(), factors(s), SVDPlusPlus.SEED, s.options)._1(),
              Contest::stockFactors),
          ours("sswp", Input.WEIGHTED, s -> WidestPaths.run(s.graph, s.sources[0], s.options)),
          ours("nn", Input.WEIGHTED, s -> NeuralNetwork.run(s.graph, 0, s.iterations, s.options)),
          ours("hs", Input.WEIGHTED, s -> HeatSimulation.run(s.graph, 0, s.iterations, s.options)),
          ours(
              "cs", Input.CIRCUIT, s -> CircuitSimulation.run(s.graph, 0, s.iterations, s.options)),
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
          ours(
              "graphalytics-bfs",
              Input.PLAIN,
              s -> Graphalytics.bfs(s.graph, s.sources[0], s.options)),
          ours("graphalytics-wcc", Input.PLAIN, s -> Graphalytics.wcc(s.graph, s.options)),
          ours(
              "graphalytics-cdlp",
              Input.PLAIN,
              s -> Graphalytics.cdlp(s.graph, s.iterations, s.options)),
          ours("graphalytics-lcc", Input.PLAIN, s -> Graphalytics.lcc(s.graph, s.options)),
          ours(
              "graphalytics-sssp",
              Input.WEIGHTED,
              s -> Graphalytics.sssp(s.graph, s.sources[0], s.options)),
          ours(
              "clustering-coefficient",
              Input.PLAIN,
              s -> ClusteringCoefficient.run(s.graph, s.options)),
          ours("betweenness", Input.PLAIN, s -> Betweenness.run(s.graph, s.sources, s.options)),
          ours(
              "multi-source-bfs",
              Input.PLAIN,
              s -> MultiSourceBfs.run(s.graph, s.sources, s.options)),
          ours(
              "louvain",
              Input.UNDIRECTED,
              s -> Louvain.run(s.graph, Louvain.Conf.DEFAULT, s.options)),
          ours("k-core", Input.UNDIRECTED, s -> KCore.run(s.graph, CORE, s.options)),
          ours("coreness", Input.UNDIRECTED, s -> KCore.coreness(s.graph, s.options)),
          ours(
              "maximal-independent-set",
              Input.UNDIRECTED,
              s -> MaximalIndependentSet.run(s.graph, 1, s.options)),
          ours("maximal-matching", Input.PLAIN, s -> MaximalMatching.run(s.graph, 1, s.options)),
          ours("graph-colouring", Input.PLAIN, s -> GraphColouring.run(s.graph, 1, s.options)),
          ours(
              "minimum-spanning-forest",
              Input.WEIGHTED,
              s -> MinimumSpanningForest.run(s.graph, s.options)));

  @SuppressWarnings("unchecked")
  private static Graph<?, ?> stockContinued(Setting s) {
    return org.apache.spark.graphx.lib.PageRank.runWithOptionsWithPreviousPageRank(
        s.graph,
        s.iterations,
        RESET,
        Option.empty(),
        true,
        (Graph<Object, Object>) (Graph<?, ?>) s.earlier,
        DOUBLE,
        DOUBLE);
  }

  /** As GraphX's test has it, but with steps that do not diverge at vertices of large degree. */
  private static SVDPlusPlus.Conf factors(Setting s) {
    return new SVDPlusPlus.Conf(RANK, s.iterations, 0, 5, STEP, STEP, 0.005, 0.015);
  }

  @SuppressWarnings("unchecked")
  private static Graph<?, ?> stockFactors(Setting s) {
    RDD<Edge<Object>> edges = (RDD<Edge<Object>>) (Object) s.graph.edges();
    return org.apache.spark.graphx.lib.SVDPlusPlus.run(
            edges,
            new org.apache.spark.graphx.lib.SVDPlusPlus.Conf(
                RANK, s.iterations, 0, 5, STEP, STEP, 0.005, 0.015))
        ._1();
  }

  /** Both start from random vectors, so that only their errors can be compared. */
  private static String squaredErrors(Graph<?, ?> ours, Graph<?, ?> stock, Setting s) {
    long edges = s.graph.edges().count();
    return String.format(
        Locale.ROOT,
        "mean squared error %.3g, GraphX %.3g",
        squaredErrors(ours) / edges,
        squaredErrors(stock) / edges);
  }

  private static double squaredErrors(Graph<?, ?> graph) {
    return graph
        .vertices()
        .toJavaRDD()
        .filter(v -> (Long) v._1() % 2 != 0)
        .map(v -> (Double) ((Tuple4<?, ?, ?, ?>) v._2())._4())
        .fold(0.0, Double::sum);
  }

  /** One that GraphX does not have. */
  private static Contest ours(String name, Input input, Side ours) {
    return new Contest(name, input, EXACT, ours, null);
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
