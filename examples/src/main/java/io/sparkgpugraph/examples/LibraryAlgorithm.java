package io.sparkgpugraph.examples;

import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ValueCodec;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.lib.Betweenness;
import io.sparkgpugraph.lib.CircuitSimulation;
import io.sparkgpugraph.lib.ClusteringCoefficient;
import io.sparkgpugraph.lib.HeatSimulation;
import io.sparkgpugraph.lib.Hits;
import io.sparkgpugraph.lib.KCore;
import io.sparkgpugraph.lib.Katz;
import io.sparkgpugraph.lib.LabelPropagation;
import io.sparkgpugraph.lib.Louvain;
import io.sparkgpugraph.lib.MaximalIndependentSet;
import io.sparkgpugraph.lib.MultiSourceBfs;
import io.sparkgpugraph.lib.NeuralNetwork;
import io.sparkgpugraph.lib.PageRank;
import io.sparkgpugraph.lib.PersonalizedRanks;
import io.sparkgpugraph.lib.ShortestPaths;
import io.sparkgpugraph.lib.StronglyConnectedComponents;
import io.sparkgpugraph.lib.WeightedPageRank;
import io.sparkgpugraph.lib.WidestPaths;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ValueType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** The rest of the library, an entry each. They run on resident graphs alone. */
final class LibraryAlgorithm extends Algorithm {
  private static final int MAX_ITERATIONS = 1000;
  private static final double TOLERANCE = 1e-6;

  /** Steps of label propagation unless another number is given. */
  static final int LABEL_STEPS = 10;

  /** Katz' α unless another is given. */
  private static final double ATTENUATION = 0.01;

  /** Options that an algorithm takes. */
  enum Takes {
    ITERATIONS,
    TOLERANCE,
    ZERO_TOLERANCE,
    DAMPING,
    RESOLUTION,
    SOURCE,
    OPTIONAL_SOURCE,
    SOURCES,
    SAMPLE,
    GROUND,
    K,
    SEED,
    WEIGHTS,
    /** Without them it has a simpler way than weights of 1. */
    OPTIONAL_WEIGHTS,
    NEGATIVE_WEIGHTS
  }

  /** Runs it. */
  interface Run {
    VertexResult<?> on(ResidentGraph<?, Double> graph, Settings settings, RunOptions options);
  }

  /** Explains it. */
  interface Explain {
    String on(ResidentGraph<?, Double> graph, Settings settings, RunOptions options);
  }

  private static final String SHORTEST_PATHS = "shortest-paths";
  private static final String PERSONALIZED = "personalized-pagerank";

  private final List<String> valueNames;
  private final List<Kind> kinds;
  private final Set<Takes> takes;
  private final Run run;
  private final Explain explain;

  private LibraryAlgorithm(
      String name,
      List<String> valueNames,
      List<Kind> kinds,
      Set<Takes> takes,
      Run run,
      Explain explain) {
    super(name, valueNames.get(0), kinds.get(0));
    this.valueNames = valueNames;
    this.kinds = kinds;
    this.takes = takes;
    this.run = run;
    this.explain = explain;
  }

  private static LibraryAlgorithm of(
      String name, String valueName, Kind kind, Set<Takes> takes, Run run, Explain explain) {
    return new LibraryAlgorithm(name, List.of(valueName), List.of(kind), takes, run, explain);
  }

  /** All of them, in the order of the help. */
  static List<Algorithm> all() {
    List<Algorithm> all = new ArrayList<>();
    all.add(
        new LibraryAlgorithm(
            SHORTEST_PATHS,
            IntStream.range(0, ShortestPaths.WIDTH).mapToObj(i -> "hops_" + i).toList(),
            IntStream.range(0, ShortestPaths.WIDTH).mapToObj(i -> Kind.INT).toList(),
            Set.of(Takes.SOURCES),
            (graph, s, options) -> ShortestPaths.run(graph, s.sourceArray(), options),
            (graph, s, options) -> ShortestPaths.explain(graph, s.sourceArray(), options)));
    all.add(
        new LibraryAlgorithm(
            PERSONALIZED,
            IntStream.range(0, PersonalizedRanks.WIDTH).mapToObj(i -> "rank_" + i).toList(),
            IntStream.range(0, PersonalizedRanks.WIDTH).mapToObj(i -> Kind.DOUBLE).toList(),
            Set.of(Takes.SOURCES, Takes.ITERATIONS),
            (graph, s, options) ->
                PageRank.runParallelPersonalizedPageRank(
                    graph,
                    s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS),
                    PageRank.RESET_PROBABILITY,
                    s.sourceArray(),
                    options),
            (graph, s, options) ->
                PageRank.explainParallelPersonalizedPageRank(
                    graph,
                    s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS),
                    PageRank.RESET_PROBABILITY,
                    s.sourceArray(),
                    options)));
    all.add(
        of(
            "strongly-connected-components",
            "component",
            Kind.LONG,
            Set.of(Takes.ITERATIONS),
            (graph, s, options) ->
                StronglyConnectedComponents.run(graph, s.iterationsOrUnbounded(), options),
            (graph, s, options) -> StronglyConnectedComponents.explain(graph, options)));
    all.add(
        of(
            "weighted-pagerank",
            "rank",
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS, Takes.WEIGHTS, Takes.OPTIONAL_SOURCE),
            (graph, s, options) ->
                WeightedPageRank.run(
                    graph,
                    s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS),
                    PageRank.RESET_PROBABILITY,
                    s.sourceIfAny(),
                    options),
            (graph, s, options) ->
                WeightedPageRank.explain(
                    graph,
                    s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS),
                    PageRank.RESET_PROBABILITY,
                    s.sourceIfAny(),
                    options)));
    all.add(
        new LibraryAlgorithm(
            "hits",
            List.of("authority", "hub"),
            List.of(Kind.DOUBLE, Kind.DOUBLE),
            Set.of(Takes.ITERATIONS),
            (graph, s, options) ->
                Hits.run(graph, s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS), options),
            (graph, s, options) ->
                Hits.explain(
                    graph, s.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS), options)));
    all.add(
        of(
            "katz",
            "centrality",
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.DAMPING),
            (graph, s, options) ->
                Katz.run(
                    graph,
                    s.dampingOr(ATTENUATION),
                    1.0,
                    s.toleranceOr(TOLERANCE),
                    s.iterationsOr(MAX_ITERATIONS),
                    options),
            (graph, s, options) ->
                Katz.explain(
                    graph,
                    s.dampingOr(ATTENUATION),
                    1.0,
                    s.toleranceOr(TOLERANCE),
                    s.iterationsOr(MAX_ITERATIONS),
                    options)));
    all.add(
        of(
            "betweenness",
            "betweenness",
            Kind.DOUBLE,
            Set.of(Takes.SOURCES, Takes.SAMPLE, Takes.SEED),
            (graph, s, options) ->
                s.sample() == null
                    ? Betweenness.run(graph, s.sourceArray(), options)
                    : Betweenness.sampled(graph, s.sample(), s.seed(), options),
            (graph, s, options) ->
                s.sample() == null
                    ? Betweenness.explain(graph, s.sourceArray(), options)
                    : Betweenness.explainSampled(graph, s.sample(), s.seed(), options)));
    all.add(
        new LibraryAlgorithm(
            "multi-source-bfs",
            List.of("sources", "distances"),
            List.of(Kind.LONG, Kind.LONG),
            Set.of(Takes.SOURCES),
            (graph, s, options) -> MultiSourceBfs.run(graph, s.sourceArray(), options),
            (graph, s, options) -> MultiSourceBfs.explain(graph, s.sourceArray(), options)));
    all.add(
        of(
            "label-propagation",
            "label",
            Kind.LONG,
            Set.of(Takes.ITERATIONS),
            (graph, s, options) ->
                LabelPropagation.run(graph, s.iterationsOr(LABEL_STEPS), options),
            (graph, s, options) ->
                LabelPropagation.explain(graph, s.iterationsOr(LABEL_STEPS), options)));
    all.add(
        of(
            "louvain",
            "community",
            Kind.LONG,
            Set.of(
                Takes.ITERATIONS, Takes.ZERO_TOLERANCE, Takes.RESOLUTION, Takes.OPTIONAL_WEIGHTS),
            (graph, s, options) ->
                s.weighted()
                    ? Louvain.runWeighted(graph, louvain(s), options)
                    : Louvain.run(graph, louvain(s), options),
            (graph, s, options) ->
                s.weighted()
                    ? Louvain.explainWeighted(graph, louvain(s), options)
                    : Louvain.explain(graph, louvain(s), options)));
    all.add(
        of(
            "k-core",
            "degree",
            Kind.INT,
            Set.of(Takes.K),
            (graph, s, options) -> KCore.run(graph, s.k(), options),
            (graph, s, options) -> KCore.explain(graph, s.k(), options)));
    all.add(
        of(
            "coreness",
            "coreness",
            Kind.INT,
            Set.of(),
            (graph, s, options) -> KCore.coreness(graph, options),
            (graph, s, options) -> KCore.explainCoreness(graph, options)));
    all.add(
        of(
            "clustering-coefficient",
            "coefficient",
            Kind.DOUBLE,
            Set.of(),
            (graph, s, options) -> ClusteringCoefficient.run(graph, options),
            (graph, s, options) -> ClusteringCoefficient.explain(graph, options)));
    all.add(
        of(
            "maximal-independent-set",
            "member",
            Kind.BOOLEAN,
            Set.of(Takes.SEED),
            (graph, s, options) -> MaximalIndependentSet.run(graph, s.seed(), options),
            (graph, s, options) -> MaximalIndependentSet.explain(graph, s.seed(), options)));
    all.add(
        of(
            "sswp",
            "width",
            Kind.DOUBLE,
            Set.of(Takes.SOURCE, Takes.WEIGHTS),
            (graph, s, options) -> WidestPaths.run(graph, s.source(), options),
            (graph, s, options) -> WidestPaths.explain(graph, s.source(), options)));
    all.add(
        started(
            "nn",
            "activation",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.WEIGHTS, Takes.NEGATIVE_WEIGHTS),
            s -> List.of(),
            1.0,
            (graph, s, options) ->
                NeuralNetwork.run(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options),
            (graph, s, options) ->
                NeuralNetwork.explain(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options)));
    all.add(
        started(
            "hs",
            "heat",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.SOURCE, Takes.WEIGHTS),
            s -> List.of(new Tuple2<>(s.source(), 1.0)),
            0.0,
            (graph, s, options) ->
                HeatSimulation.run(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options),
            (graph, s, options) ->
                HeatSimulation.explain(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options)));
    all.add(
        started(
            "cs",
            "voltage",
            Set.of(Takes.ITERATIONS, Takes.TOLERANCE, Takes.SOURCE, Takes.GROUND, Takes.WEIGHTS),
            s -> List.of(new Tuple2<>(s.source(), 1.0), new Tuple2<>(s.ground(), 0.0)),
            CircuitSimulation.FREE,
            (graph, s, options) ->
                CircuitSimulation.run(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options),
            (graph, s, options) ->
                CircuitSimulation.explain(
                    graph, s.toleranceOr(TOLERANCE), s.iterationsOr(MAX_ITERATIONS), options)));
    return all;
  }

  private static Louvain.Conf louvain(Settings settings) {
    Louvain.Conf usual = Louvain.Conf.DEFAULT;
    return new Louvain.Conf(
        settings.resolutionOr(usual.gamma()),
        settings.iterationsOr(usual.maxLevels()),
        settings.toleranceOr(usual.minGain()));
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
  private static LibraryAlgorithm started(
      String name,
      String valueName,
      Set<Takes> takes,
      Start start,
      double otherwise,
      Valued<VertexResult<?>> run,
      Valued<String> explain) {
    return of(
        name,
        valueName,
        Kind.DOUBLE,
        takes,
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
    JavaSparkContext context = JavaSparkContext.fromSparkContext(graph.state().source().sc());
    return graph.withVertices(context.parallelizePairs(values, 1), Double.class, otherwise);
  }

  @Override
  boolean hasStock() {
    return false;
  }

  @Override
  boolean needsSource() {
    return takes.contains(Takes.SOURCE);
  }

  @Override
  boolean takesSource() {
    return needsSource() || takes.contains(Takes.OPTIONAL_SOURCE);
  }

  @Override
  boolean takesSample() {
    return takes.contains(Takes.SAMPLE);
  }

  @Override
  boolean takesTolerance() {
    return takes.contains(Takes.TOLERANCE) || takesZeroTolerance();
  }

  @Override
  boolean takesZeroTolerance() {
    return takes.contains(Takes.ZERO_TOLERANCE);
  }

  @Override
  boolean boundsConvergence() {
    return takesTolerance();
  }

  @Override
  boolean takesDamping() {
    return takes.contains(Takes.DAMPING);
  }

  @Override
  boolean takesResolution() {
    return takes.contains(Takes.RESOLUTION);
  }

  @Override
  boolean takesSeed() {
    return takes.contains(Takes.SEED);
  }

  @Override
  boolean readsWeights() {
    return readsWeights(true);
  }

  @Override
  boolean readsWeights(boolean given) {
    return takes.contains(Takes.WEIGHTS) || given && takes.contains(Takes.OPTIONAL_WEIGHTS);
  }

  @Override
  boolean takesNegativeWeights() {
    return takes.contains(Takes.NEGATIVE_WEIGHTS);
  }

  @Override
  boolean takesSources() {
    return takes.contains(Takes.SOURCES);
  }

  @Override
  boolean takesGround() {
    return takes.contains(Takes.GROUND);
  }

  @Override
  boolean takesK() {
    return takes.contains(Takes.K);
  }

  @Override
  void checkMore(Settings settings) {
    if (!takes.contains(Takes.ITERATIONS) && settings.iterations() != null) {
      throw new UsageException(name() + " runs to its end: leave --iterations out");
    }
  }

  @Override
  List<String> valueNames(Settings settings) {
    return columns(valueNames, settings);
  }

  @Override
  List<Kind> kinds(Settings settings) {
    return columns(kinds, settings);
  }

  /** Shortest paths and personalised ranks have a column per vertex that was given. */
  private <T> List<T> columns(List<T> all, Settings settings) {
    return name().equals(SHORTEST_PATHS) || name().equals(PERSONALIZED)
        ? all.subList(0, Math.min(all.size(), settings.sources().size()))
        : all;
  }

  @Override
  JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    if (kinds.size() == 1) {
      return result.blocks();
    }
    ValueType type = result.type();
    int width = kinds(settings).size();
    return result.blocks().map(block -> columns(block, type, width));
  }

  /** A block of records as columns, the first of them. */
  static VertexBlock columns(VertexBlock block, ValueType type, int width) {
    ValueCodec codec = ValueCodec.of(type);
    Columns all = Columns.allocate(codec.kinds(), block.size());
    for (int i = 0; i < block.size(); i++) {
      codec.put(Array.get(block.values(), block.slot(i)), all, i);
    }
    Object[] some = Arrays.copyOf(all.arrays(), width);
    return new VertexBlock(
        block.size(),
        block.ids(),
        null,
        block.size(),
        new Columns(List.copyOf(codec.kinds().subList(0, width)), some, block.size()));
  }

  @Override
  VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return run.on(graph, settings, options);
  }

  @Override
  String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return explain.on(graph, settings, options);
  }
}
