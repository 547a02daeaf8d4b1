package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Observed;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.runtime.serial.TaskResult;
import scala.Tuple4;

/**
 * SVD++, collaborative filtering from ratings ({@code org.apache.spark.graphx.lib.SVDPlusPlus};
 * Koren: Factorization meets the neighborhood, 2008, equation 15). An edge is a rating of an item
 * by a user. What is predicted is {@code mean + bias(u) + bias(i) + q(i) · U(u)}, limited to the
 * range of ratings, with {@code U(u) = p(u) + |N(u)|^−½ Σ y(i)} over the items that the user rated.
 * Every iteration moves all biases and vectors once along the gradient of the squared error, with
 * regularisation.
 *
 * <p>An iteration is two supersteps over all edges: users add up y (8 bytes · rank read per edge),
 * then both ends add up gradients (8 · (rank + 2) per edge and end). Two more supersteps take the
 * means at the start and the errors at the end.
 *
 * <p>The result is GraphX's: of a user p, U, bias and 1/√|N(u)|; of an item q, y, bias and the sum
 * of its squared errors; and the mean of the ratings. Differences: GraphX draws one pair of vectors
 * without a seed and gives it to every vertex, so that all its vectors stay within one plane
 * whatever the rank; here each vertex has vectors of its own, uniform in [0, 1), that depend on its
 * id and a seed. GraphX (3.5.5) merges two updates of y to twice the second, so that its y depend
 * on the order of the edges; here they are added up. A vertex that is both user and item is an
 * error, as is a rating that is no finite number, or outside of the range, where no prediction can
 * come near it; and learning rates by which what is learnt grows until it is no number.
 */
public class SVDPlusPlus {
  /** Seed of the first vectors unless another is given. */
  public static final long SEED = 1;

  /** Largest rank. */
  public static final int MAX_RANK = 64;

  /** Only for classes with more ways in. */
  protected SVDPlusPlus() {}

  /**
   * GraphX's configuration.
   *
   * @param rank length of the vectors, 1 to {@value #MAX_RANK}
   * @param maxIters iterations, at least 1
   * @param minVal smallest rating
   * @param maxVal largest rating
   * @param gamma1 learning rate of the biases
   * @param gamma2 learning rate of the vectors
   * @param gamma6 regularisation of the biases
   * @param gamma7 regularisation of the vectors
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Conf(
      int rank,
      int maxIters,
      double minVal,
      double maxVal,
      double gamma1,
      double gamma2,
      double gamma6,
      double gamma7)
      implements Serializable {
    public Conf {
      if (rank < 1 || rank > MAX_RANK) {
        throw new IllegalArgumentException(
            "rank must be from 1 to " + MAX_RANK + ", but got " + rank);
      }
      Checks.iterations(maxIters);
      if (!(maxVal > minVal)) {
        throw new IllegalArgumentException(
            "maxVal must be greater than minVal, but got " + maxVal + " and " + minVal);
      }
      for (double gamma : new double[] {gamma1, gamma2, gamma6, gamma7}) {
        if (!Double.isFinite(gamma)) {
          throw new IllegalArgumentException("gammas must be finite numbers, but got " + gamma);
        }
      }
    }
  }

  /**
   * What was learnt of a graph that executors hold.
   *
   * @param vertices of a user p, U, bias and norm; of an item q, y, bias and squared error
   * @param mean of the ratings
   */
  public record Model(
      VertexResult<Tuple4<double[], double[], Double, Double>> vertices, double mean)
      implements AutoCloseable {
    /**
     * The root of the mean squared error of the predictions of all ratings, by what was learnt of
     * them.
     */
    public double error() {
      return SVDPlusPlus.error(vertices.report());
    }

    @Override
    public void close() {
      vertices.close();
    }
  }

  /** What {@link Model#error} says, of the report of its run. */
  public static double error(RunReport report) {
    List<SuperstepStats> supersteps = report.summary().supersteps();
    double sum = supersteps.get(supersteps.size() - 1).aggregates()[SvdProgram.SQUARES];
    return Math.sqrt(sum / report.edges());
  }

  /**
   * Runs on a resident graph whose edge values are the ratings.
   *
   * @throws IllegalArgumentException when there is no rating, or one is not finite or outside of
   *     the range, or a vertex is both user and item
   */
  public static Model run(
      ResidentGraph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    double mean = mean(graph, conf, options);
    VertexResult<Tuple4<double[], double[], Double, Double>> learnt =
        program(ProgramBuilder.on(graph), conf, mean, seed, options).runVertices();
    return new Model(Observed.checked(learnt, report -> requireNumbers(report, conf)), mean);
  }

  protected static void requireNumbers(RunReport report, Conf conf) {
    if (!(error(report) <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "what is learnt grows until it is no number: use smaller learning rates than "
              + conf.gamma1()
              + " (gamma1, of biases) and "
              + conf.gamma2()
              + " (gamma2, of vectors), 0.007 is usual");
    }
  }

  /** Tells what {@link #run(ResidentGraph, Conf, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return program(ProgramBuilder.on(graph), conf, 0, SEED, options).explain();
  }

  /** The program, on a graph whose edge values are the ratings. */
  protected static <VD>
      ProgramBuilder<VD, Double, ?, ?, Tuple4<double[], double[], Double, Double>> program(
          ProgramBuilder<VD, Double, VD, Object, VD> on,
          Conf conf,
          double mean,
          long seed,
          RunOptions options) {
    return SvdProgram.on(on, conf, mean, seed, options);
  }

  /** Sums of ratings, with the smallest user that has a bad one and the smallest vertex of both. */
  @DefaultSerializer(RecordSerializer.class)
  private record Totals(double sum, Long bad, Long both) implements Serializable {
    static final Totals NONE = new Totals(0, null, null);

    Totals plus(Totals other) {
      return new Totals(sum + other.sum, least(bad, other.bad), least(both, other.both));
    }

    private static Long least(Long one, Long other) {
      return one == null || other != null && other < one ? other : one;
    }

    static Totals of(VertexBlock block) {
      double[] sums = (double[]) block.values();
      Totals totals = NONE;
      double sum = 0;
      for (int i = 0; i < block.size(); i++) {
        double value = sums[block.slot(i)];
        if (Double.isFinite(value)) {
          sum += value;
        } else {
          Long id = block.ids()[i];
          totals = totals.plus(new Totals(0, value < 0 ? null : id, value < 0 ? id : null));
        }
      }
      return totals.plus(new Totals(sum, null, null));
    }
  }

  /** The mean of the ratings, which are checked. */
  protected static double mean(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    PregelJob.refuseGraphX(graph.sparkContext(), "SVDPlusPlus", options);
    Weights ratings =
        new Weights(
            "rating",
            "ratings are from minVal to maxVal, here "
                + conf.minVal()
                + " to "
                + conf.maxVal()
                + ": set these to the ratings' range",
            conf.minVal(),
            conf.maxVal());
    try (VertexResult<Double> sums =
        ratings.checked(graph, () -> sums(ProgramBuilder.on(graph), conf, options).runVertices())) {
      // Added up here, in the blocks' order: a fold takes them as the tasks end.
      Totals totals =
          sums.blocks().map(block -> TaskResult.pack(Totals.of(block))).collect().stream()
              .map(packed -> TaskResult.unpack(packed, Totals.class))
              .reduce(Totals.NONE, Totals::plus);
      if (totals.both != null) {
        throw new IllegalArgumentException(
            "vertex "
                + totals.both
                + " is both a user and an item, an edge's source and another's destination: give"
                + " users and items different ids");
      }
      if (totals.bad != null) {
        throw new IllegalArgumentException(
            "ratings of user "
                + totals.bad
                + " are NaN or infinite: leave out edges whose rating is no finite number");
      }
      long edges = sums.report().edges();
      if (edges == 0) {
        throw new IllegalArgumentException("there are no ratings: the graph has no edges");
      }
      return totals.sum / edges;
    }
  }

  /**
   * Each user's sum of ratings, and 0 for items; NaN for a user with a bad rating, −∞ for a vertex
   * that is both.
   */
  static <VD> ProgramBuilder<VD, Double, Double, Double, Double> sums(
      ProgramBuilder<VD, Double, VD, Object, VD> on, Conf conf, RunOptions options) {
    double least = conf.minVal();
    double most = conf.maxVal();
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                inDegree > 0 && outDegree > 0 ? Double.NEGATIVE_INFINITY : 0.0)
        .everyVertex(0.0)
        .maxIterations(1)
        .vertexProgram(
            (id, role, sum) ->
                role == 0.0 ? (Math.abs(sum) <= Double.MAX_VALUE ? sum : Double.NaN) : role)
        .sendMessage(
            edge -> {
              // Such as are no finite number come up as a sum that is none.
              if (Math.abs(edge.attr()) <= Double.MAX_VALUE
                  && !(edge.attr() >= least && edge.attr() <= most)) {
                throw new IllegalArgumentException("a rating " + Weights.FAULT_OF_RANGE);
              }
              edge.sendToSrc(edge.attr());
            })
        .mergeMessage(Double::sum)
        .options(options);
  }
}
