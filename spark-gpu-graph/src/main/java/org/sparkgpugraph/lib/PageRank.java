package org.sparkgpugraph.lib;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.OptionalLong;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.lib.support.Checks;
import org.sparkgpugraph.lib.support.Sources;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * PageRank, with GraphX's signatures and results ({@code org.apache.spark.graphx.lib.PageRank}).
 *
 * <p>Static: {@code rank(v) = resetProb + (1 − resetProb) · Σ rank(u) / outDegree(u)} over the
 * in-edges, a fixed number of times from 1.0 (Page, Brin, Motwani, Winograd: The PageRank citation
 * ranking, 1998, not divided by the number of vertices); every edge is evaluated in every
 * iteration. Until convergence: {@code rank(v)} starts with {@code resetProb} and grows by {@code
 * (1 − resetProb) · Σ delta(u) / outDegree(u)}, where delta is what u's rank grew by last; a
 * superstep evaluates the out-edges of the vertices that heard something, and those whose delta is
 * not larger than the tolerance say nothing. Personalised: {@code resetProb} is the source's alone,
 * which starts with 1, the others with 0. In all of them the final ranks are scaled so that their
 * sum is the number of vertices (personalised: 1). Vertices without out-edges keep what they have:
 * GraphX does not spread it either. Parallel edges count as often as they are there.
 *
 * <p>Differences from GraphX: a source that is no vertex is an error, and {@link
 * #runParallelPersonalizedPageRank(Graph, int, double, long[])} is right where GraphX's is not.
 *
 * <p>The result's edge attribute is {@code 1 / outDegree(source)}, as GraphX's is.
 */
public final class PageRank {
  /** GraphX's default probability of a random jump. */
  public static final double RESET_PROBABILITY = 0.15;

  private PageRank() {}

  /**
   * A vertex while it runs.
   *
   * @param rank its rank
   * @param weight 1 / outDegree, 0 without out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(double rank, double weight) implements Serializable {}

  /**
   * A vertex while it runs until convergence.
   *
   * @param rank its rank
   * @param delta what the last superstep added
   * @param weight 1 / outDegree, 0 without out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Changing(double rank, double delta, double weight) implements Serializable {}

  /** A fixed number of iterations, reset probability 0.15. */
  public static Graph<Double, Double> run(Graph<?, ?> graph, int numIter) {
    return run(graph, numIter, RESET_PROBABILITY);
  }

  /**
   * A fixed number of iterations.
   *
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   */
  public static Graph<Double, Double> run(Graph<?, ?> graph, int numIter, double resetProb) {
    return runWithOptions(graph, numIter, resetProb, OptionalLong.empty(), true);
  }

  /**
   * A fixed number of iterations, personalised when a source is given.
   *
   * @param srcId vertex that random jumps lead to; empty: all
   * @param normalized whether to scale the sum of the ranks
   * @throws IllegalArgumentException when the source is no vertex (GraphX gives NaN for all then)
   */
  public static Graph<Double, Double> runWithOptions(
      Graph<?, ?> graph, int numIter, double resetProb, OptionalLong srcId, boolean normalized) {
    return runWithOptions(graph, numIter, resetProb, srcId, normalized, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runWithOptions(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return from(
        graph,
        Object.class,
        srcId,
        options,
        (on, how) ->
            fixed(on, numIter, resetProb, srcId, normalized, how).runWeightedByOutDegree());
  }

  /** A fixed number of iterations on a resident graph. */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph, int numIter, double resetProb, RunOptions options) {
    return run(graph, numIter, resetProb, OptionalLong.empty(), options);
  }

  /** As above, personalised when a source is given. */
  public static VertexResult<Double> run(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    srcId.ifPresent(source -> Sources.check(graph, source));
    return fixed(GpuPregel.on(graph), numIter, resetProb, srcId, true, options).runVertices();
  }

  /** Until no vertex changes by more than {@code tol}, reset probability 0.15. */
  public static Graph<Double, Double> runUntilConvergence(Graph<?, ?> graph, double tol) {
    return runUntilConvergence(graph, tol, RESET_PROBABILITY);
  }

  /**
   * Until no vertex changes by more than {@code tol}.
   *
   * @param tol tolerance, not negative; far below 1e-12 rounding may keep ranks changing for ever
   * @param resetProb probability of a random jump, in [0, 1]
   */
  public static Graph<Double, Double> runUntilConvergence(
      Graph<?, ?> graph, double tol, double resetProb) {
    return runUntilConvergenceWithOptions(graph, tol, resetProb, OptionalLong.empty());
  }

  /**
   * Until convergence, personalised when a source is given.
   *
   * @throws IllegalArgumentException when the source is no vertex (GraphX gives NaN for all then)
   */
  public static Graph<Double, Double> runUntilConvergenceWithOptions(
      Graph<?, ?> graph, double tol, double resetProb, OptionalLong srcId) {
    return runUntilConvergenceWithOptions(graph, tol, resetProb, srcId, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runUntilConvergenceWithOptions(
      Graph<?, ?> graph, double tol, double resetProb, OptionalLong srcId, RunOptions options) {
    Checks.tolerance(tol);
    check(resetProb);
    return from(
        graph,
        Object.class,
        srcId,
        options,
        (on, how) -> converging(on, tol, resetProb, srcId, how).runWeightedByOutDegree());
  }

  /** Until convergence on a resident graph. */
  public static VertexResult<Double> runUntilConvergence(
      ResidentGraph<?, ?> graph, double tol, double resetProb, RunOptions options) {
    return runUntilConvergence(graph, tol, resetProb, OptionalLong.empty(), options);
  }

  /** As above, personalised when a source is given. */
  public static VertexResult<Double> runUntilConvergence(
      ResidentGraph<?, ?> graph,
      double tol,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    srcId.ifPresent(source -> Sources.check(graph, source));
    return converging(GpuPregel.on(graph), tol, resetProb, srcId, options).runVertices();
  }

  /**
   * A fixed number of iterations that go on from earlier ranks, as GraphX does it: only the number
   * of vertices of {@code graphs} is looked at; edges and their weights are those of {@code
   * preRankGraph}, the result of an earlier run.
   *
   * @param preRankGraph vertex attributes are the first ranks, edge attributes the weights 1 /
   *     outDegree
   * @throws IllegalArgumentException when the graphs have different numbers of vertices, or the
   *     source is no vertex of {@code preRankGraph}
   */
  public static Graph<Double, Double> runWithOptionsWithPreviousPageRank(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      Graph<Double, Double> preRankGraph) {
    return runWithOptionsWithPreviousPageRank(
        graph, numIter, resetProb, srcId, normalized, preRankGraph, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Double, Double> runWithOptionsWithPreviousPageRank(
      Graph<?, ?> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      Graph<Double, Double> preRankGraph,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    long vertices = graph.vertices().count();
    long ranked = preRankGraph.vertices().count();
    if (vertices != ranked) {
      throw new IllegalArgumentException(
          "Graph and previous pageRankGraph must have the same number of vertices but got "
              + vertices
              + " and "
              + ranked);
    }
    return from(
        preRankGraph,
        Double.class,
        srcId,
        options,
        (on, how) -> continued(on, numIter, resetProb, srcId, normalized, how).run());
  }

  /** A variant: from a graph and how its run is carried out to ranks. */
  private interface Variant<A> {
    Graph<Double, Double> run(PregelBuilder<A, A, A, Object, A> on, RunOptions options);
  }

  /**
   * Runs on a GraphX graph. Where there is a source the graph is loaded before the run for a look
   * at it; but not where stock GraphX runs, which looks for it in the GraphX graph.
   *
   * @param type of the vertices' and the edges' attributes
   * @throws IllegalArgumentException when the source is no vertex
   */
  private static <A> Graph<Double, Double> from(
      Graph<?, ?> graph,
      Class<A> type,
      OptionalLong srcId,
      RunOptions options,
      Variant<A> variant) {
    boolean stock = OperatorJob.asksForStock(graph.vertices().sparkContext(), options);
    if (stock && srcId.isPresent()) {
      Sources.check(graph, srcId.getAsLong());
    }
    if (stock || srcId.isEmpty()) {
      return variant.run(GpuPregel.on(graph, type, type), options);
    }
    try (ResidentGraph<A, A> resident = GpuPregel.load(graph, type, type, options)) {
      Sources.check(resident, srcId.getAsLong());
      return variant.run(GpuPregel.on(resident), Sources.loaded(options));
    }
  }

  static PregelBuilder<Double, Double, Double, Double, Double> continued(
      PregelBuilder<Double, Double, Double, Object, Double> on,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    boolean personalized = srcId.isPresent();
    long source = srcId.orElse(-1L);
    PregelBuilder<Double, Double, Double, Double, Double> program =
        on.everyVertex(0.0)
            .maxIterations(numIter)
            .vertexProgram(
                (id, rank, sum) ->
                    (personalized && id != source ? 0.0 : resetProb) + (1.0 - resetProb) * sum)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr() * edge.attr()))
            .mergeMessage(Double::sum)
            .options(options);
    return normalized
        ? program
            .finalAggregate("sum", AggregateOperation.SUM, (id, before, after) -> after)
            .result(
                (id, attribute, rank, run) ->
                    normalize(rank, run.aggregate("sum"), run.vertexCount(), personalized))
        : program;
  }

  /**
   * Personalised ranks for several sources, each as {@link #runWithOptions} gives it for one:
   * component i of a vertex's vector is its rank for source i. {@value PersonalizedRanks#WIDTH}
   * sources share one run; more take more. GraphX's own (3.5 and 4.0) gives other values on most
   * graphs, because vectors that changed may count as unchanged: docs/compatibility.md.
   *
   * @param sources ids of vertices, each once (GraphX takes any, and lets the last of equal ones
   *     win)
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there is
   *     none
   */
  public static Graph<Vector, Double> runParallelPersonalizedPageRank(
      Graph<?, ?> graph, int numIter, double resetProb, long[] sources) {
    return runParallelPersonalizedPageRank(graph, numIter, resetProb, sources, RunOptions.DEFAULT);
  }

  /** As above, with options. */
  public static Graph<Vector, Double> runParallelPersonalizedPageRank(
      Graph<?, ?> graph, int numIter, double resetProb, long[] sources, RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return ParallelPersonalizedPageRank.run(graph, numIter, resetProb, sources, options);
  }

  /**
   * Personalised ranks for several sources on a resident graph.
   *
   * @param sources ids of vertices, each once, at most {@value PersonalizedRanks#WIDTH}
   * @throws IllegalArgumentException as {@link #runParallelPersonalizedPageRank(Graph, int, double,
   *     long[])}, and when there are more
   */
  public static VertexResult<PersonalizedRanks> runParallelPersonalizedPageRank(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return ParallelPersonalizedPageRank.run(graph, numIter, resetProb, sources, options);
  }

  /** Tells what {@link #run(ResidentGraph, int, double, RunOptions)} would do. */
  public static String explain(
      ResidentGraph<?, ?> graph, int numIter, double resetProb, RunOptions options) {
    return fixed(GpuPregel.on(graph), numIter, resetProb, OptionalLong.empty(), true, options)
        .explain();
  }

  /**
   * Tells what {@link #runUntilConvergence(ResidentGraph, double, double, RunOptions)} would do.
   */
  public static String explainUntilConvergence(
      ResidentGraph<?, ?> graph, double tol, double resetProb, RunOptions options) {
    return converging(GpuPregel.on(graph), tol, resetProb, OptionalLong.empty(), options).explain();
  }

  /**
   * Tells what a run that goes on from earlier ranks would do ({@link
   * #runWithOptionsWithPreviousPageRank}).
   *
   * @param preRankGraph the earlier result, loaded
   */
  public static String explainWithPreviousPageRank(
      ResidentGraph<Double, Double> preRankGraph,
      int numIter,
      double resetProb,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return continued(
            GpuPregel.on(preRankGraph), numIter, resetProb, OptionalLong.empty(), true, options)
        .explain();
  }

  /**
   * Tells what {@link #runParallelPersonalizedPageRank(Graph, int, double, long[])} would do with
   * the sources of its first run.
   */
  public static String explainParallelPersonalizedPageRank(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    return ParallelPersonalizedPageRank.explain(graph, numIter, resetProb, sources, options);
  }

  static <VD, ED> PregelBuilder<VD, ED, Ranked, Double, Double> fixed(
      PregelBuilder<VD, ED, VD, Object, VD> on,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    boolean personalized = srcId.isPresent();
    PregelBuilder<VD, ED, Ranked, Double, Ranked> program =
        (personalized
                ? personalized(on, resetProb, srcId.getAsLong())
                : unpersonalized(on, resetProb))
            .maxIterations(numIter)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()))
            .mergeMessage(Double::sum)
            .options(options);
    if (!normalized) {
      return program.result((id, attribute, vertex) -> vertex.rank());
    }
    return program
        .finalAggregate("sum", AggregateOperation.SUM, (id, before, after) -> after.rank())
        .result(
            (id, attribute, vertex, run) ->
                normalize(vertex.rank(), run.aggregate("sum"), run.vertexCount(), personalized));
  }

  /** Does not look at ids, so that none have to be at hand. */
  private static <VD, ED> PregelBuilder<VD, ED, Ranked, Double, Ranked> unpersonalized(
      PregelBuilder<VD, ED, VD, Object, VD> on, double resetProb) {
    return on.state((id, attribute, inDegree, outDegree) -> new Ranked(1.0, weight(outDegree)))
        .everyVertex(0.0)
        .vertexProgram(
            (id, vertex, sum) -> new Ranked(resetProb + (1.0 - resetProb) * sum, vertex.weight()));
  }

  private static <VD, ED> PregelBuilder<VD, ED, Ranked, Double, Ranked> personalized(
      PregelBuilder<VD, ED, VD, Object, VD> on, double resetProb, long source) {
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Ranked(id == source ? 1.0 : 0.0, weight(outDegree)))
        .everyVertex(0.0)
        .vertexProgram(
            (id, vertex, sum) -> {
              double reset = id == source ? resetProb : 0.0;
              return new Ranked(reset + (1.0 - resetProb) * sum, vertex.weight());
            });
  }

  static <VD, ED> PregelBuilder<VD, ED, Changing, Double, Double> converging(
      PregelBuilder<VD, ED, VD, Object, VD> on,
      double tol,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    Checks.tolerance(tol);
    check(resetProb);
    boolean personalized = srcId.isPresent();
    long source = srcId.orElse(-1L);
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Changing(
                    0.0,
                    personalized && id == source ? Double.NEGATIVE_INFINITY : 0.0,
                    weight(outDegree)))
        .initialMessage(personalized ? 0.0 : resetProb / (1.0 - resetProb))
        .activeDirection(EdgeDirection.Out())
        .vertexProgram(
            (id, vertex, sum) -> {
              double rank =
                  personalized && vertex.delta() == Double.NEGATIVE_INFINITY
                      ? 1.0
                      : vertex.rank() + (1.0 - resetProb) * sum;
              return new Changing(rank, rank - vertex.rank(), vertex.weight());
            })
        .sendMessage(
            edge -> {
              if (edge.srcAttr().delta() > tol) {
                edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().weight());
              }
            })
        .mergeMessage(Double::sum)
        .finalAggregate("sum", AggregateOperation.SUM, (id, before, after) -> after.rank())
        .result(
            (id, attribute, vertex, run) ->
                normalize(vertex.rank(), run.aggregate("sum"), run.vertexCount(), personalized))
        .options(options);
  }

  private static double weight(int outDegree) {
    return outDegree == 0 ? 0.0 : 1.0 / outDegree;
  }

  private static double normalize(double rank, double sum, long vertices, boolean personalized) {
    return personalized ? rank / sum : rank * (vertices / sum);
  }

  private static void check(double resetProb) {
    Checks.probability("Random reset probability", resetProb);
  }
}
