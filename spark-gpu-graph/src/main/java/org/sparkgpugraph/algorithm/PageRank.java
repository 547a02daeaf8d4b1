package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.OptionalLong;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * PageRank, with GraphX's results ({@code org.apache.spark.graphx.lib.PageRank}).
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
 */
public class PageRank {
  /** GraphX's default probability of a random jump. */
  public static final double RESET_PROBABILITY = 0.15;

  /** Only for classes with more ways in. */
  protected PageRank() {}

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

  /**
   * A fixed number of iterations on a resident graph.
   *
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   */
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
    return fixed(ProgramBuilder.on(graph), numIter, resetProb, srcId, true, options).runVertices();
  }

  /**
   * Until convergence on a resident graph.
   *
   * @param tol tolerance, not negative; far below 1e-12 rounding may keep ranks changing for ever
   * @param resetProb probability of a random jump, in [0, 1]
   */
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
    return converging(ProgramBuilder.on(graph), tol, resetProb, srcId, options).runVertices();
  }

  protected static ProgramBuilder<Double, Double, Double, Double, Double> continued(
      ProgramBuilder<Double, Double, Double, Object, Double> on,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    boolean personalized = srcId.isPresent();
    long source = srcId.orElse(-1L);
    ProgramBuilder<Double, Double, Double, Double, Double> program =
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
   * Personalised ranks for several sources on a resident graph.
   *
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   * @param sources ids of vertices, each once, at most {@value ParallelPersonalizedPageRank#WIDTH}
   * @return for each vertex its rank for each source, in their order
   * @throws IllegalArgumentException when a source is not a vertex or is given twice, or there is
   *     none, or more
   */
  public static VertexResult<double[]> runParallelPersonalizedPageRank(
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
    return fixed(ProgramBuilder.on(graph), numIter, resetProb, OptionalLong.empty(), true, options)
        .explain();
  }

  /**
   * Tells what {@link #runUntilConvergence(ResidentGraph, double, double, RunOptions)} would do.
   */
  public static String explainUntilConvergence(
      ResidentGraph<?, ?> graph, double tol, double resetProb, RunOptions options) {
    return converging(ProgramBuilder.on(graph), tol, resetProb, OptionalLong.empty(), options)
        .explain();
  }

  /**
   * Tells what a run that goes on from earlier ranks would do.
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
            ProgramBuilder.on(preRankGraph),
            numIter,
            resetProb,
            OptionalLong.empty(),
            true,
            options)
        .explain();
  }

  /**
   * Tells what {@link #runParallelPersonalizedPageRank} would do with the sources of its first run.
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

  protected static <VD, ED> ProgramBuilder<VD, ED, Ranked, Double, Double> fixed(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      boolean normalized,
      RunOptions options) {
    Checks.iterations(numIter);
    check(resetProb);
    boolean personalized = srcId.isPresent();
    ProgramBuilder<VD, ED, Ranked, Double, Ranked> program =
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
  private static <VD, ED> ProgramBuilder<VD, ED, Ranked, Double, Ranked> unpersonalized(
      ProgramBuilder<VD, ED, VD, Object, VD> on, double resetProb) {
    return on.state((id, attribute, inDegree, outDegree) -> new Ranked(1.0, weight(outDegree)))
        .everyVertex(0.0)
        .vertexProgram(
            (id, vertex, sum) -> new Ranked(resetProb + (1.0 - resetProb) * sum, vertex.weight()));
  }

  private static <VD, ED> ProgramBuilder<VD, ED, Ranked, Double, Ranked> personalized(
      ProgramBuilder<VD, ED, VD, Object, VD> on, double resetProb, long source) {
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

  protected static <VD, ED> ProgramBuilder<VD, ED, Changing, Double, Double> converging(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
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
        .activeDirection(ActiveDirection.OUT)
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

  protected static void check(double resetProb) {
    Checks.probability("Random reset probability", resetProb);
  }
}
