package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank;
import org.sparkgpugraph.examples.algorithms.Algorithm.Takes;
import org.sparkgpugraph.lib.Betweenness;
import org.sparkgpugraph.lib.CircuitSimulation;
import org.sparkgpugraph.lib.ClusteringCoefficient;
import org.sparkgpugraph.lib.GraphColouring;
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
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.StronglyConnectedComponents;
import org.sparkgpugraph.lib.WeightedPageRank;
import org.sparkgpugraph.lib.WidestPaths;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;

/** The rest of the library, an entry each. */
final class LibraryAlgorithms {
  /** Steps of label propagation unless another number is given. */
  static final int LABEL_STEPS = 10;

  private static final double RESET = PageRank.RESET_PROBABILITY;

  private LibraryAlgorithms() {}

  /** All of them, in the order of the help. */
  static List<Algorithm> all() {
    return List.of(
        LibraryAlgorithm.perSource(
            "shortest-paths",
            "hops_",
            ShortestPaths.WIDTH,
            Kind.INT,
            Set.of(Takes.SOURCES),
            Merit.depths(ShortestPaths.UNREACHED),
            (graph, s, options) -> ShortestPaths.run(graph, s.sourceArray(), options),
            (graph, s, options) -> ShortestPaths.explain(graph, s.sourceArray(), options)),
        LibraryAlgorithm.perSource(
            "personalized-pagerank",
            "rank_",
            ParallelPersonalizedPageRank.WIDTH,
            Kind.DOUBLE,
            Set.of(Takes.SOURCES, Takes.ITERATIONS),
            Merit.ranks(),
            (graph, s, options) ->
                PageRank.runParallelPersonalizedPageRank(
                    graph, iterations(s), RESET, s.sourceArray(), options),
            (graph, s, options) ->
                PageRank.explainParallelPersonalizedPageRank(
                    graph, iterations(s), RESET, s.sourceArray(), options)),
        new LibraryAlgorithm(
            "strongly-connected-components",
            "component",
            Kind.LONG,
            Set.of(Takes.ITERATIONS),
            Merit.components(),
            (graph, s, options) ->
                StronglyConnectedComponents.run(graph, s.iterationsOrUnbounded(), options),
            (graph, s, options) -> StronglyConnectedComponents.explain(graph, options)),
        new LibraryAlgorithm(
            "weighted-pagerank",
            "rank",
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS, Takes.WEIGHTS, Takes.OPTIONAL_SOURCE),
            Merit.ranks(),
            (graph, s, options) ->
                WeightedPageRank.run(graph, iterations(s), RESET, s.sourceIfAny(), options),
            (graph, s, options) ->
                WeightedPageRank.explain(graph, iterations(s), RESET, s.sourceIfAny(), options)),
        new LibraryAlgorithm(
            "hits",
            List.of("authority", "hub"),
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS),
            Merit.largestOfEach(List.of("authority", "hub")),
            (graph, s, options) -> Hits.run(graph, iterations(s), options),
            (graph, s, options) -> Hits.explain(graph, iterations(s), options)),
        new LibraryAlgorithm(
            "katz",
            "centrality",
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.DAMPING),
            Merit.residual(),
            (graph, s, options) ->
                Katz.run(graph, attenuation(s), 1.0, tolerance(s), bound(s), options),
            (graph, s, options) ->
                Katz.explain(graph, attenuation(s), 1.0, tolerance(s), bound(s), options)),
        new LibraryAlgorithm(
            "betweenness",
            "betweenness",
            Kind.DOUBLE,
            Set.of(Takes.SOURCES, Takes.SAMPLE, Takes.SEED),
            Merit.largest("largest"),
            (graph, s, options) ->
                s.sample() == null
                    ? Betweenness.run(graph, s.sourceArray(), options)
                    : Betweenness.sampled(graph, s.sample(), s.seed(), options),
            (graph, s, options) ->
                s.sample() == null
                    ? Betweenness.explain(graph, s.sourceArray(), options)
                    : Betweenness.explainSampled(graph, s.sample(), s.seed(), options)),
        new LibraryAlgorithm(
            "multi-source-bfs",
            List.of("sources", "distances"),
            Kind.LONG,
            Set.of(Takes.SOURCES),
            Merit.reached(),
            (graph, s, options) -> MultiSourceBfs.run(graph, s.sourceArray(), options),
            (graph, s, options) -> MultiSourceBfs.explain(graph, s.sourceArray(), options)),
        new LibraryAlgorithm(
            "label-propagation",
            "label",
            Kind.LONG,
            Set.of(Takes.ITERATIONS),
            Merit.communities(),
            (graph, s, options) ->
                LabelPropagation.run(graph, s.iterationsOr(LABEL_STEPS), options),
            (graph, s, options) ->
                LabelPropagation.explain(graph, s.iterationsOr(LABEL_STEPS), options)),
        new LibraryAlgorithm(
            "louvain",
            "community",
            Kind.LONG,
            Set.of(
                Takes.ITERATIONS,
                Takes.ZERO_TOLERANCE,
                Takes.RESOLUTION,
                Takes.REFINE,
                Takes.OPTIONAL_WEIGHTS),
            Merit.modularity(),
            (graph, s, options) ->
                s.weighted()
                    ? Louvain.runWeighted(graph, louvain(s), options)
                    : Louvain.run(graph, louvain(s), options),
            (graph, s, options) ->
                s.weighted()
                    ? Louvain.explainWeighted(graph, louvain(s), options)
                    : Louvain.explain(graph, louvain(s), options)),
        new LibraryAlgorithm(
            "k-core",
            "degree",
            Kind.INT,
            Set.of(Takes.K),
            Merit.members("the core"),
            (graph, s, options) -> KCore.run(graph, s.k(), options),
            (graph, s, options) -> KCore.explain(graph, s.k(), options)),
        new LibraryAlgorithm(
            "coreness",
            "coreness",
            Kind.INT,
            Set.of(),
            Merit.cores(),
            (graph, s, options) -> KCore.coreness(graph, options),
            (graph, s, options) -> KCore.explainCoreness(graph, options)),
        new LibraryAlgorithm(
            "clustering-coefficient",
            "coefficient",
            Kind.DOUBLE,
            Set.of(),
            Merit.mean("mean coefficient"),
            (graph, s, options) -> ClusteringCoefficient.run(graph, options),
            (graph, s, options) -> ClusteringCoefficient.explain(graph, options)),
        new LibraryAlgorithm(
            "maximal-independent-set",
            "member",
            Kind.BOOLEAN,
            Set.of(Takes.SEED),
            Merit.members("the set"),
            (graph, s, options) -> MaximalIndependentSet.run(graph, s.seed(), options),
            (graph, s, options) -> MaximalIndependentSet.explain(graph, s.seed(), options)),
        new LibraryAlgorithm(
            "maximal-matching",
            "partner",
            Kind.LONG,
            Set.of(Takes.SEED),
            Merit.pairs(),
            (graph, s, options) -> MaximalMatching.run(graph, s.seed(), options),
            (graph, s, options) -> MaximalMatching.explain(graph, s.seed(), options)),
        new LibraryAlgorithm(
            "graph-colouring",
            "colour",
            Kind.INT,
            Set.of(Takes.SEED),
            Merit.colours(),
            (graph, s, options) -> GraphColouring.run(graph, s.seed(), options),
            (graph, s, options) -> GraphColouring.explain(graph, s.seed(), options)),
        new LibraryAlgorithm(
            "minimum-spanning-forest",
            List.of("component", "parent", "weight"),
            List.of(Kind.LONG, Kind.LONG, Kind.DOUBLE),
            Set.of(Takes.WEIGHTS, Takes.NEGATIVE_WEIGHTS),
            Merit.forest(),
            (graph, s, options) -> MinimumSpanningForest.run(graph, options),
            (graph, s, options) -> MinimumSpanningForest.explain(graph, options)),
        new LibraryAlgorithm(
            "sswp",
            "width",
            Kind.DOUBLE,
            Set.of(Takes.SOURCE, Takes.WEIGHTS),
            Merit.widths(),
            (graph, s, options) -> WidestPaths.run(graph, s.source(), options),
            (graph, s, options) -> WidestPaths.explain(graph, s.source(), options)),
        started(
            "nn",
            "activation",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.WEIGHTS, Takes.NEGATIVE_WEIGHTS),
            Merit.settled("activations"),
            s -> List.of(),
            1.0,
            (graph, s, options) -> NeuralNetwork.run(graph, tolerance(s), bound(s), options),
            (graph, s, options) -> NeuralNetwork.explain(graph, tolerance(s), bound(s), options)),
        started(
            "hs",
            "heat",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.SOURCE, Takes.WEIGHTS),
            Merit.settled("heats"),
            s -> List.of(new Tuple2<>(s.source(), 1.0)),
            0.0,
            (graph, s, options) -> HeatSimulation.run(graph, tolerance(s), bound(s), options),
            (graph, s, options) -> HeatSimulation.explain(graph, tolerance(s), bound(s), options)),
        started(
            "cs",
            "voltage",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.SOURCE, Takes.GROUND, Takes.WEIGHTS),
            Merit.settled("voltages"),
            s -> List.of(new Tuple2<>(s.source(), 1.0), new Tuple2<>(s.ground(), 0.0)),
            CircuitSimulation.FREE,
            (graph, s, options) -> CircuitSimulation.run(graph, tolerance(s), bound(s), options),
            (graph, s, options) ->
                CircuitSimulation.explain(graph, tolerance(s), bound(s), options)));
  }

  private static int iterations(Settings settings) {
    return settings.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS);
  }

  /** Supersteps at most where a tolerance ends a run. */
  private static int bound(Settings settings) {
    return settings.iterationsOr(1000);
  }

  private static double tolerance(Settings settings) {
    return settings.toleranceOr(1e-6);
  }

  /** Katz' α. */
  private static double attenuation(Settings settings) {
    return settings.dampingOr(0.01);
  }

  private static Louvain.Conf louvain(Settings settings) {
    Louvain.Conf usual = Louvain.Conf.DEFAULT;
    return new Louvain.Conf(
        settings.resolutionOr(usual.gamma()),
        settings.iterationsOr(usual.maxLevels()),
        settings.toleranceOr(usual.minGain()),
        settings.refine());
  }

  /** Values of some vertices. */
  private interface Start {
    List<Tuple2<Long, Double>> of(Settings settings);
  }

  /** Runs on a graph with values. */
  private interface Valued<R> {
    R on(ResidentGraph<Double, Double> graph, Settings settings, RunOptions options);
  }

  /** An algorithm that starts from values of the vertices. */
  private static Algorithm started(
      String name,
      String valueName,
      Set<Takes> takes,
      Merit merit,
      Start start,
      double otherwise,
      Valued<VertexResult<?>> run,
      Valued<String> explain) {
    return new LibraryAlgorithm(
        name,
        valueName,
        Kind.DOUBLE,
        takes,
        merit,
        (graph, s, options) -> {
          try (ResidentGraph<Double, Double> valued = valued(graph, start.of(s), otherwise)) {
            return run.on(valued, s, options);
          }
        },
        (graph, s, options) -> {
          try (ResidentGraph<Double, Double> valued = valued(graph, start.of(s), otherwise)) {
            return explain.on(valued, s, options);
          }
        });
  }

  private static ResidentGraph<Double, Double> valued(
      ResidentGraph<?, Double> graph, List<Tuple2<Long, Double>> values, double otherwise) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(graph.sparkContext());
    return graph.withVertices(context.parallelizePairs(values, 1), Double.class, otherwise);
  }
}
