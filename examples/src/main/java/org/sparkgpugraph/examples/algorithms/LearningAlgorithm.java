package org.sparkgpugraph.examples.algorithms;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.files.VertexLoader;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.lib.learning.BeliefPropagation;
import org.sparkgpugraph.lib.learning.ManifoldRanking;
import org.sparkgpugraph.lib.learning.MultiModal;
import org.sparkgpugraph.lib.learning.SoftLabels;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** An algorithm that begins with an array at every vertex, and gives every vertex one. */
final class LearningAlgorithm extends Algorithm {
  /** Runs it, or explains it. */
  private interface Job<R> {
    R on(ResidentGraph<double[], ?> graph, Settings settings, RunOptions options);
  }

  private final String prefix;
  private final double missing;
  private final ToIntFunction<Settings> weights;
  private final Job<VertexResult<?>> run;
  private final Job<String> explain;

  /**
   * @param prefix of the columns' names
   * @param missing what a vertex has in every element that --values does not name
   * @param weights how long arrays of weights are; 0: weights are numbers
   */
  private LearningAlgorithm(
      String name,
      String prefix,
      String merit,
      double missing,
      Takes weighted,
      ToIntFunction<Settings> weights,
      Job<VertexResult<?>> run,
      Job<String> explain) {
    super(
        name,
        prefix + 0,
        Kind.DOUBLE,
        EnumSet.of(Takes.ITERATIONS, Takes.ZERO_TOLERANCE, Takes.K, Takes.VALUES, weighted),
        Merit.settledOfAll(merit));
    this.prefix = prefix;
    this.missing = missing;
    this.weights = weights;
    this.run = run;
    this.explain = explain;
  }

  /** All of them, in the order of the help. */
  static List<Algorithm> all() {
    return List.of(softLabels(), beliefPropagation(), multiModal(), manifoldRanking());
  }

  @SuppressWarnings("unchecked") // edge values were loaded as this algorithm's
  private static <E> ResidentGraph<double[], E> edges(ResidentGraph<double[], ?> graph) {
    return (ResidentGraph<double[], E>) graph;
  }

  private static Algorithm softLabels() {
    return new LearningAlgorithm(
        "soft-labels",
        "label_",
        "labels",
        0,
        Takes.WEIGHTS,
        s -> 0,
        (graph, s, options) ->
            SoftLabels.run(
                edges(graph),
                s.k(),
                s.learning().share(),
                s.learning().pull(),
                s.learning().until(s),
                options),
        (graph, s, options) ->
            SoftLabels.explain(
                edges(graph),
                s.k(),
                s.learning().share(),
                s.learning().pull(),
                s.learning().until(s),
                options));
  }

  private static Algorithm beliefPropagation() {
    return new LearningAlgorithm(
        "belief-propagation",
        "belief_",
        "beliefs",
        1,
        Takes.OPTIONAL_WEIGHTS,
        s -> s.k() * s.k(),
        (graph, s, options) ->
            s.weighted()
                ? BeliefPropagation.run(edges(graph), s.k(), s.learning().until(s), options)
                : BeliefPropagation.run(
                    graph, s.k(), s.learning().potential(), s.learning().until(s), options),
        (graph, s, options) ->
            s.weighted()
                ? BeliefPropagation.explain(edges(graph), s.k(), s.learning().until(s), options)
                : BeliefPropagation.explain(
                    graph, s.k(), s.learning().potential(), s.learning().until(s), options));
  }

  private static Algorithm multiModal() {
    return new LearningAlgorithm(
        "multi-modal",
        "value_",
        "values",
        0,
        Takes.WEIGHTS,
        s -> s.learning().modalities().length,
        (graph, s, options) ->
            MultiModal.run(
                edges(graph), s.k(), s.learning().modalities(), s.learning().until(s), options),
        (graph, s, options) ->
            MultiModal.explain(
                edges(graph), s.k(), s.learning().modalities(), s.learning().until(s), options));
  }

  private static Algorithm manifoldRanking() {
    return new LearningAlgorithm(
        "manifold-ranking",
        "rank_",
        "ranks",
        0,
        Takes.WEIGHTS,
        Settings::k,
        (graph, s, options) ->
            ManifoldRanking.run(
                edges(graph), s.k(), s.learning().share(), s.learning().until(s), options),
        (graph, s, options) ->
            ManifoldRanking.explain(
                edges(graph), s.k(), s.learning().share(), s.learning().until(s), options));
  }

  @Override
  public boolean hasStock() {
    return false;
  }

  @Override
  public int weightsPerEdge(Settings settings) {
    return weights.applyAsInt(settings);
  }

  @Override
  void checkMore(Settings settings) {
    LearningOptions learning = settings.learning();
    if (settings.k() < 1 || settings.k() > ValueType.Vector.MOST) {
      throw new UsageException(
          "--k must be from 1 to " + ValueType.Vector.MOST + " here, not " + settings.k());
    }
    boolean beliefs = name().equals("belief-propagation");
    boolean ranking = name().equals("manifold-ranking");
    learning.refuse(name(), !beliefs);
    if (ranking || name().equals("soft-labels")) {
      learning.share();
    }
    learning.until(settings);
    boolean arrays = weightsPerEdge(settings) > 0;
    if (beliefs && settings.weighted() == (learning.potential != null)) {
      throw new UsageException(
          "belief-propagation needs one potential for all edges, --potential X,X, or one for each,"
              + " --weighted"
              + (settings.weighted() ? ", not both" : ""));
    }
    if (!beliefs && arrays && !settings.weighted()) {
      throw new UsageException(
          name() + " reads " + weightsPerEdge(settings) + " weights of each edge: add --weighted");
    }
    if (weightsPerEdge(settings) > ValueType.Vector.MOST && settings.weighted()) {
      throw new UsageException(
          "edges would have "
              + weightsPerEdge(settings)
              + " weights, but an array has at most "
              + ValueType.Vector.MOST
              + " numbers: use a smaller --k");
    }
  }

  @Override
  public List<String> valueNames(Settings settings) {
    return IntStream.range(0, settings.k()).mapToObj(i -> prefix + i).toList();
  }

  @Override
  public List<Kind> kinds(Settings settings) {
    return Collections.nCopies(settings.k(), Kind.DOUBLE);
  }

  @Override
  public JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    ValueType type = result.type();
    int width = settings.k();
    return result.blocks().map(block -> LibraryAlgorithm.columns(block, type, width));
  }

  /** The graph with what --values says. */
  private ResidentGraph<double[], ?> valued(ResidentGraph<?, Double> graph, Settings settings) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(graph.sparkContext());
    double[] otherwise = new double[settings.k()];
    Arrays.fill(otherwise, missing);
    var given =
        settings.learning().values == null
            ? context.<Long, double[]>parallelizePairs(List.of(), 1)
            : VertexLoader.arrays(
                context, settings.learning().values, settings.k(), context.defaultParallelism());
    return graph.withVertices(given, double[].class, otherwise);
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    try (ResidentGraph<double[], ?> valued = valued(graph, settings)) {
      return run.on(valued, settings, options);
    }
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    try (ResidentGraph<double[], ?> valued = valued(graph, settings)) {
      return explain.on(valued, settings, options);
    }
  }
}
