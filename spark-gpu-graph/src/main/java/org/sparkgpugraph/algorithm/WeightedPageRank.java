package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.OptionalLong;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Runs;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * PageRank along edge weights: {@code rank(v) = resetProb + (1 − resetProb) · Σ rank(u) · w(u, v) /
 * W(u)} over the in-edges, where W(u) is the sum of u's out-edges' weights; a fixed number of times
 * from 1, in the end scaled so that the ranks add up to the number of vertices. Personalised:
 * {@code resetProb} for the source alone, which starts with 1 and the others with 0, and the ranks
 * add up to 1. With equal weights it is {@link PageRank}, which is GraphX's. Vertices whose
 * out-edges weigh nothing keep what they have.
 *
 * <p>Two programs: one superstep adds up the weights, then each iteration evaluates all edges.
 * GraphX has no such algorithm.
 */
public class WeightedPageRank {
  private static final String SUM = "sum";

  private static final Weights WEIGHTS =
      Weights.finite("weight", "ranks need finite weights of 0 or more");

  /** Only for classes with more ways in. */
  protected WeightedPageRank() {}

  /**
   * A vertex while it runs.
   *
   * @param rank its rank
   * @param share rank / W, 0 where W is
   * @param weight W
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(double rank, double share, double weight) implements Serializable {}

  /**
   * Runs on a resident graph, whose edge values are the weights.
   *
   * @param graph edge values are the weights
   * @param numIter at least 1
   * @param resetProb probability of a random jump, in [0, 1]
   * @throws IllegalArgumentException when a weight is negative, NaN or infinite, or those of a
   *     vertex's out-edges add up to infinity
   */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph, int numIter, double resetProb, RunOptions options) {
    return run(graph, numIter, resetProb, OptionalLong.empty(), options);
  }

  /** As above, personalised when a source is given. */
  public static VertexResult<Double> run(
      ResidentGraph<?, Double> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    check(numIter, resetProb);
    try (ResidentGraph<Double, Double> weighed = weighed(graph, srcId, options)) {
      return program(ProgramBuilder.on(weighed), numIter, resetProb, srcId, options).runVertices();
    }
  }

  /** Tells what the second program would do, which iterates. */
  public static String explain(
      ResidentGraph<?, Double> graph,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    check(numIter, resetProb);
    srcId.ifPresent(source -> Sources.check(graph, source));
    try (ResidentGraph<Double, Double> weighed = Runs.constant(graph, Double.class, 1.0)) {
      return program(ProgramBuilder.on(weighed), numIter, resetProb, srcId, options).explain();
    }
  }

  protected static void check(int numIter, double resetProb) {
    Checks.iterations(numIter);
    Checks.probability("Random reset probability", resetProb);
  }

  /** The graph with W as its vertex attributes. */
  protected static ResidentGraph<Double, Double> weighed(
      ResidentGraph<?, Double> graph, OptionalLong srcId, RunOptions options) {
    srcId.ifPresent(source -> Sources.check(graph, source));
    try (VertexResult<Double> weights =
        WEIGHTS.checked(graph, () -> weights(ProgramBuilder.on(graph), options).runVertices())) {
      return graph.withVertices(weights, Double.class);
    }
  }

  static <VD> ProgramBuilder<VD, Double, Double, Double, Double> weights(
      ProgramBuilder<VD, Double, VD, Object, VD> on, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> 0.0)
        .initialMessage(0.0)
        .activeDirection(ActiveDirection.IN)
        .maxIterations(1)
        .vertexProgram(
            (id, weight, sum) -> {
              // Each share of it would be 0.
              if (sum > Double.MAX_VALUE) {
                throw new IllegalArgumentException(
                    "the weights of a vertex's " + Weights.FAULT_OF_OUT_EDGES);
              }
              return sum;
            })
        .sendMessage(
            edge -> {
              if (!(edge.attr() >= 0 && edge.attr() <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                    "an edge weight "
                        + Weights.FAULT_IF_FINITE
                        + ": ranks need finite ones of 0 or more");
              }
              edge.sendToSrc(edge.attr());
            })
        .mergeMessage(Double::sum)
        .options(options);
  }

  /**
   * The iterations.
   *
   * @param on a graph whose attributes are W
   */
  protected static ProgramBuilder<Double, Double, Ranked, Double, Double> program(
      ProgramBuilder<Double, Double, Double, Object, Double> on,
      int numIter,
      double resetProb,
      OptionalLong srcId,
      RunOptions options) {
    boolean personalized = srcId.isPresent();
    ProgramBuilder<Double, Double, Ranked, Double, Ranked> program =
        (personalized
                ? personalized(on, resetProb, srcId.getAsLong())
                : unpersonalized(on, resetProb))
            .maxIterations(numIter)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().share() * edge.attr()))
            .mergeMessage(Double::sum)
            .finalAggregate(SUM, AggregateOperation.SUM, (id, before, after) -> after.rank())
            .options(options);
    return personalized
        ? program.result((id, weight, vertex, run) -> vertex.rank() / run.aggregate(SUM))
        : program.result(
            (id, weight, vertex, run) -> vertex.rank() * (run.vertexCount() / run.aggregate(SUM)));
  }

  /** Does not look at ids, so that none have to be at hand. */
  private static ProgramBuilder<Double, Double, Ranked, Double, Ranked> unpersonalized(
      ProgramBuilder<Double, Double, Double, Object, Double> on, double resetProb) {
    return on.state((id, weight, inDegree, outDegree) -> ranked(1.0, weight))
        .everyVertex(0.0)
        .vertexProgram(
            (id, vertex, sum) -> ranked(resetProb + (1.0 - resetProb) * sum, vertex.weight()));
  }

  private static ProgramBuilder<Double, Double, Ranked, Double, Ranked> personalized(
      ProgramBuilder<Double, Double, Double, Object, Double> on, double resetProb, long source) {
    return on.state((id, weight, inDegree, outDegree) -> ranked(id == source ? 1.0 : 0.0, weight))
        .everyVertex(0.0)
        .vertexProgram(
            (id, vertex, sum) ->
                ranked(
                    (id == source ? resetProb : 0.0) + (1.0 - resetProb) * sum, vertex.weight()));
  }

  private static Ranked ranked(double rank, double weight) {
    return new Ranked(rank, weight == 0 ? 0.0 : rank / weight, weight);
  }
}
