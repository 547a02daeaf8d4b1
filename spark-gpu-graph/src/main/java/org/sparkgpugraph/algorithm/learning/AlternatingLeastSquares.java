package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Reductions;

/**
 * Alternating least squares (ALS): factors of users and items whose dot products are close to the
 * ratings. An edge is a rating of an item by a user. With the factors of one side fixed, those of a
 * vertex v of the other are the solution of k linear equations
 *
 * <pre>
 * (Σ x(u) x(u)ᵀ + λ(v) I) x(v) = Σ r(u, v) x(u)
 * </pre>
 *
 * <p>summed over its ratings (Zhou et al.: Large-scale parallel collaborative filtering for the
 * Netflix prize, 2008; ONYX, "Towards Feature-Aware Graph Processing on the GPU", its section on
 * ALS). λ(v) is λ times the number of v's ratings, as Zhou and Spark's {@code
 * org.apache.spark.ml.recommendation.ALS} have it, or plain λ, as ONYX has it. An iteration makes
 * the items' factors from the users', then the users' from the items'. It minimises the sum of the
 * squared errors and of λ(v) |x(v)|², which no step makes larger.
 *
 * <p>Users begin with directions, each as likely, that depend on id and seed alone (Spark's are
 * such, too, but depend on partitions). A user who rates an item twice has two ratings. A vertex
 * without ratings has factors of 0, so that predictions of it are 0. Ratings are explicit, factors
 * may be negative.
 *
 * <p>An iteration is two supersteps over all edges, in which an edge adds up (k + 1) (k + 2) / 2 +
 * 1 doubles, and solves k equations at every vertex. A vertex keeps that many doubles, which its
 * edges read: 544 bytes for k = 10, 4496 for k = 32. That is more than k, but on a GPU lanes share
 * an edge's array, and neither there nor on a CPU are products computed for every edge.
 */
public class AlternatingLeastSquares {
  /** Seed of the first factors unless another is given. */
  public static final long SEED = 1;

  /** Largest rank: matrices of k × k numbers are arrays of at most 1024. */
  public static final int MAX_RANK = 32;

  private static final Pattern VERTEX = Pattern.compile(", vertex (-?\\d+)");

  /** Only for classes with more ways in. */
  protected AlternatingLeastSquares() {}

  /**
   * What is to be learnt.
   *
   * @param rank k, the number of factors of a vertex, 1 to {@value #MAX_RANK}
   * @param iterations at least 1
   * @param lambda regularisation λ, finite and 0 or more; with 0 every vertex needs k ratings by
   *     neighbours whose factors are independent
   * @param weighted whether λ counts once for each rating of a vertex
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Conf(int rank, int iterations, double lambda, boolean weighted)
      implements Serializable {
    public Conf {
      if (rank < 1 || rank > MAX_RANK) {
        throw new IllegalArgumentException(
            "rank must be from 1 to " + MAX_RANK + ", but got " + rank);
      }
      Checks.iterations(iterations);
      if (!(lambda >= 0 && lambda <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "lambda must be a finite number of 0 or more, but got " + lambda);
      }
    }

    /** With λ weighted by the number of ratings. */
    public Conf(int rank, int iterations, double lambda) {
      this(rank, iterations, lambda, true);
    }
  }

  /**
   * What was learnt of a graph that executors hold.
   *
   * @param factors of users and items, {@code double[rank]}
   */
  public record Model(VertexResult<double[]> factors) implements AutoCloseable {
    /**
     * The root of the mean squared error of the predictions of all ratings that it was learnt of.
     */
    public double error() {
      return AlternatingLeastSquares.error(factors.report());
    }

    @Override
    public void close() {
      factors.close();
    }
  }

  /**
   * The rating that is predicted.
   *
   * @param user factors
   * @param item factors
   */
  public static double predict(double[] user, double[] item) {
    return Reductions.dot(user, item);
  }

  /** What {@link Model#error} says, of the report of its run. */
  public static double error(RunReport report) {
    List<SuperstepStats> supersteps = report.summary().supersteps();
    double sum = supersteps.get(supersteps.size() - 1).aggregates()[AlsProgram.SQUARES];
    return Math.sqrt(sum / report.edges());
  }

  /**
   * Runs on a resident graph whose edge values are the ratings.
   *
   * @throws IllegalArgumentException when there is no rating, one is not finite, a vertex is both
   *     user and item, equations have no single solution (λ = 0), or numbers become too large
   */
  public static Model run(
      ResidentGraph<?, Double> graph, Conf conf, long seed, RunOptions options) {
    return new Model(
        checked(
            graph,
            conf,
            options,
            () -> program(ProgramBuilder.on(graph), conf, seed, options).runVertices()));
  }

  /**
   * Runs change-driven ({@link ProgramBuilder#deltas}), until no vertex tells anything or the
   * iterations are over: a vertex tells its factors and their products when one of them is off what
   * it told last by more than ε, edges of other vertices are not evaluated, and sums of whom
   * nothing new is told stay.
   *
   * @param epsilon from 0 to below 1; 0 tells every change, with the results of {@link
   *     #run(ResidentGraph, Conf, long, RunOptions)} but for rounding
   * @return factors, {@code double[rank]}; the report does not know their error
   * @throws IllegalArgumentException as that
   */
  public static VertexResult<double[]> runDeltas(
      ResidentGraph<?, Double> graph, Conf conf, double epsilon, long seed, RunOptions options) {
    return checked(
        graph,
        conf,
        options,
        () -> deltas(ProgramBuilder.on(graph), conf, epsilon, seed, options).runVertices());
  }

  /** The change-driven program. */
  protected static <VD> ProgramBuilder<VD, Double, ?, ?, double[]> deltas(
      ProgramBuilder<VD, Double, VD, Object, VD> on,
      Conf conf,
      double epsilon,
      long seed,
      RunOptions options) {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw new IllegalArgumentException(
          "epsilon must be from 0 to below 1, but got " + epsilon + "; 0.001 is usual");
    }
    return AlsProgram.deltas(on, conf, epsilon, seed, options);
  }

  /** Tells what {@link #run(ResidentGraph, Conf, long, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return program(ProgramBuilder.on(graph), conf, SEED, options).explain();
  }

  /** The program, on a graph whose edge values are the ratings. */
  protected static <VD> ProgramBuilder<VD, Double, ?, ?, double[]> program(
      ProgramBuilder<VD, Double, VD, Object, VD> on, Conf conf, long seed, RunOptions options) {
    return AlsProgram.on(on, conf, seed, options);
  }

  /** Runs the program, and says what of the graph made it stop. */
  protected static <T> T checked(
      ResidentGraph<?, Double> graph, Conf conf, RunOptions options, Supplier<T> run) {
    PregelJob.refuseGraphX(graph.sparkContext(), "AlternatingLeastSquares", options);
    if (graph.edgeCount() == 0) {
      throw new IllegalArgumentException("there are no ratings: the graph has no edges");
    }
    try {
      return run.get();
    } catch (Exception e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      String fault = fault(e);
      if (fault == null) {
        throw e;
      }
      throw new IllegalArgumentException(reason(graph, conf, fault, e), e);
    }
  }

  /** What the program itself said, whatever the engine wraps that in; null: it said nothing. */
  private static String fault(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null
          && (message.contains(AlsProgram.BOTH)
              || message.contains(AlsProgram.NOT_FINITE)
              || message.contains(ArithmeticException.class.getName()))) {
        return message;
      }
    }
    return null;
  }

  private static String reason(
      ResidentGraph<?, Double> graph, Conf conf, String fault, Exception failure) {
    try {
      String bad = BadRatings.first(graph);
      if (bad != null) {
        return bad;
      }
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
    Matcher vertex = VERTEX.matcher(fault);
    String of = vertex.find() ? "vertex " + vertex.group(1) : "a vertex";
    return fault.contains("positive definite")
        ? "the equations of "
            + of
            + " have no single solution up to rounding, with lambda "
            + conf.lambda()
            + " and rank "
            + conf.rank()
            + ": use a larger lambda, 0.1 is usual, or a smaller rank"
        : "the numbers in the equations of "
            + of
            + " become infinite: multiply all ratings by the same small number, or use a larger"
            + " lambda than "
            + conf.lambda();
  }
}
