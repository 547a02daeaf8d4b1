package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Vectors;

/**
 * Multi-manifold ranking (MMR): k rankings at once, each along weights of its own. Element i of a
 * vertex's ranks becomes
 *
 * <pre>
 * r'(v)[i] = α · Σ w(u, v)[i] · r(u)[i] / Σ w(u, v)[i] + (1 − α) · r⁰(v)[i]
 * </pre>
 *
 * <p>over the in-edges, where r⁰ are the first ranks: the weighted mean of the neighbours, drawn to
 * where the vertex began. Where the weights of a vertex's in-edges add up to 0 the mean counts as
 * 0. Self-loops and parallel edges count like all others. The formula is that of ONYX ("Towards
 * Feature-Aware Graph Processing on the GPU"), its section on multi-manifold ranking, with the
 * brackets of manifold ranking (Zhou et al. 2004), since they do not match there. With α below 1 it
 * settles, by a factor of α a superstep or faster.
 *
 * <p>One superstep adds up the weights, each further one reads 16 · k bytes per edge: ranks and
 * weights. Another superstep, before these, looks for ranks and weights that are none. A
 * change-driven run ({@link Convergence#deltas}) adds up the weights with the ranks, which is known
 * after its first superstep; where α is below 1 its ranks are within α · ε / (1 − α) of those that
 * a full run comes to. On the way there it starts from (1 − α) times the first ranks, as if nothing
 * had been drawn yet, so that after as many supersteps ranks that still change differ from a full
 * run's.
 */
public class ManifoldRanking {
  /** Most rankings of one run. */
  public static final int MAX_RANKINGS = 1024;

  private static final String CHANGE = "change";

  /** The superstep that adds up the weights. */
  private static final int WEIGHTS = 1;

  /** Only for classes with more ways in. */
  protected ManifoldRanking() {}

  /**
   * A vertex while it runs; all have k elements.
   *
   * @param ranks now
   * @param first ranks at the start
   * @param weights sums of the in-edges' weights
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(double[] ranks, double[] first, double[] weights) implements Serializable {}

  /**
   * A vertex of a change-driven run.
   *
   * @param ranks now
   * @param first ranks at the start
   */
  @DefaultSerializer(RecordSerializer.class)
  record Changing(double[] ranks, double[] first) implements Serializable {}

  /**
   * Sums over in-edges.
   *
   * @param ranks of the neighbours, weighted
   * @param weights which never change
   */
  @DefaultSerializer(RecordSerializer.class)
  record Sums(double[] ranks, double[] weights) implements Serializable {}

  /** As the next one, with every edge in every step. */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return run(graph, k, alpha, Convergence.everyEdge(tolerance, maxIterations), options);
  }

  /**
   * Runs on a resident graph, until no rank changes by more than the tolerance.
   *
   * @param graph vertex attributes are the first ranks, edge values the weights: arrays of k
   * @param k number of rankings, 1 to {@value #MAX_RANKINGS}
   * @param alpha share of the neighbours, from 0 to 1
   * @param until when it ends, and how it runs
   * @return ranks, {@code double[k]}
   * @throws IllegalArgumentException when a rank is NaN or infinite, a weight is negative, NaN or
   *     infinite, weights of a vertex add up to infinity, arrays have not k elements, or there is
   *     no vertex
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    boolean edges = graph.edgeCount() > 0;
    var program = program(ProgramBuilder.on(graph), edges, k, alpha, until, options);
    check(graph, k);
    return program.runVertices();
  }

  /** Tells what a run on a resident graph with every edge would do. */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int maxIterations,
      RunOptions options) {
    return explain(graph, k, alpha, Convergence.everyEdge(tolerance, maxIterations), options);
  }

  /** Tells what a run on a resident graph would do. */
  public static String explain(
      ResidentGraph<double[], double[]> graph,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    boolean edges = graph.edgeCount() > 0;
    return program(ProgramBuilder.on(graph), edges, k, alpha, until, options).explain();
  }

  /**
   * The program.
   *
   * @param edges whether there are any: how long their arrays are is known of the first one
   */
  protected static ProgramBuilder<double[], double[], ?, ?, double[]> program(
      ProgramBuilder<double[], double[], double[], Object, double[]> on,
      boolean edges,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    if (k < 1 || k > MAX_RANKINGS) {
      throw new IllegalArgumentException(
          "k, the number of rankings, must be from 1 to " + MAX_RANKINGS + ", but got " + k);
    }
    Checks.probability("alpha", alpha);
    return until.isChangeDriven()
        ? changing(on, edges, k, alpha, until, options)
        : everyEdge(on, edges, k, alpha, until, options);
  }

  private static ProgramBuilder<double[], double[], Changing, Sums, double[]> changing(
      ProgramBuilder<double[], double[], double[], Object, double[]> on,
      boolean edges,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    SendMessage<Changing, double[], Sums> send =
        edge ->
            edge.sendToDst(
                new Sums(Vectors.multiply(edge.attr(), edge.srcAttr().ranks()), edge.attr()));
    SendMessage<Changing, double[], Sums> none = edge -> {};
    return on.state((id, ranks, inDegree, outDegree) -> new Changing(ranks, ranks))
        .everyVertex(new Sums(new double[k], new double[k]))
        .maxIterations(until.maxIterations())
        .deltas(until.threshold())
        .vertexProgram(
            (id, v, sums) ->
                new Changing(
                    drawn(sums.ranks(), checked(sums.weights()), v.first(), alpha), v.first()))
        .sendMessage(edges ? send : none)
        .mergeMessage(
            (a, b) ->
                new Sums(Vectors.add(a.ranks(), b.ranks()), Vectors.add(a.weights(), b.weights())))
        .result((id, attribute, v) -> v.ranks())
        .options(options);
  }

  private static ProgramBuilder<double[], double[], Ranked, double[], double[]> everyEdge(
      ProgramBuilder<double[], double[], double[], Object, double[]> on,
      boolean edges,
      int k,
      double alpha,
      Convergence until,
      RunOptions options) {
    double tolerance = until.threshold();
    SendMessage.WithContext<Ranked, double[], double[]> send =
        (edge, run) -> {
          double[] weighted = edge.attr().clone();
          if (run.superstep() != WEIGHTS) {
            for (int i = 0; i < k; i++) {
              weighted[i] *= edge.srcAttr().ranks()[i];
            }
          }
          edge.sendToDst(weighted);
        };
    SendMessage.WithContext<Ranked, double[], double[]> none = (edge, run) -> {};
    return on.state((id, ranks, inDegree, outDegree) -> new Ranked(ranks, ranks, new double[k]))
        .everyVertex(new double[k])
        .maxIterations(Math.addExact(until.maxIterations(), WEIGHTS))
        .aggregate(
            CHANGE,
            AggregateOperation.MAX,
            (id, before, after) -> {
              double most = 0.0;
              for (int i = 0; i < k; i++) {
                most = Math.max(most, Math.abs(after.ranks()[i] - before.ranks()[i]));
              }
              return most;
            })
        .stopWhen(new AggregateAtMost(CHANGE, tolerance, WEIGHTS + 1, 1))
        .vertexProgram(
            (id, v, sums, run) -> {
              if (run.superstep() == WEIGHTS) {
                return new Ranked(v.ranks(), v.first(), checked(sums));
              }
              double[] ranks = drawn(sums, v.weights(), v.first(), alpha);
              return new Ranked(ranks, v.first(), v.weights());
            })
        .sendMessage(edges ? send : none)
        .mergeMessage(Vectors::add)
        .result((id, attribute, v) -> v.ranks())
        .options(options);
  }

  /** Ranks after a step. */
  private static double[] drawn(double[] sums, double[] weights, double[] first, double alpha) {
    double[] ranks = new double[sums.length];
    for (int i = 0; i < ranks.length; i++) {
      double mean = weights[i] > 0 ? sums[i] / weights[i] : 0.0;
      ranks[i] = alpha * mean + (1.0 - alpha) * first[i];
    }
    return ranks;
  }

  /** Sums of weights, if they are finite. */
  private static double[] checked(double[] weights) {
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "the weights of a vertex's in-edges add up to infinity: multiply all weights by the"
                + " same small number, which changes no rank");
      }
    }
    return weights;
  }

  /** Names the smallest vertex with a bad rank or a bad weight of an in-edge. */
  protected static void check(ResidentGraph<double[], double[]> graph, int k) {
    ArrayCheck.arrays(
        graph,
        ArrayCheck.Values.finite(
            "first ranks",
            "ranks",
            k,
            "k is " + k,
            "pass the length of the arrays as k",
            "ranks must be finite numbers; change it"),
        ArrayCheck.Values.finite(
                "weights",
                "weights",
                k,
                "k is " + k,
                "give every edge a weight for each ranking",
                "ranks need finite weights of 0 or more; leave such edges out, or change their"
                    + " values")
            .from(0, Double.MAX_VALUE));
  }
}
