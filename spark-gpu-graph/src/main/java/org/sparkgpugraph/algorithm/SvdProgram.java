package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;
import scala.Tuple4;

/**
 * The program of {@link SVDPlusPlus}. Supersteps:
 *
 * <ol>
 *   <li>{@value #RATINGS}: both ends add up their ratings; bias and norm
 *   <li>even: users add up the implicit vectors y of their items, U = p + norm · Σ y
 *   <li>odd: errors and gradients, for both ends
 *   <li>the last, even: items add up the squares of the errors
 * </ol>
 *
 * <p>Only sums that depend on the edge travel. A user needs Σ err · q and Σ err; an item Σ err · U,
 * Σ err · norm(user) and Σ err: what GraphX subtracts per edge, a multiple of the receiver's own
 * value, is that value times the number of its edges.
 */
final class SvdProgram {
  /** The superstep of the ratings. */
  static final int RATINGS = 1;

  /** Index of the aggregate that has the sum of all squared errors in the last superstep. */
  static final int SQUARES = 0;

  /** What the elements of a vector are drawn by: SplitMix64's increment. */
  static final long INCREMENT = 0x9E3779B97F4A7C15L;

  /** 2 to the power of −53: the step between random numbers in [0, 1). */
  static final double STEP = 0x1p-53;

  private SvdProgram() {}

  /**
   * A vertex while it runs.
   *
   * @param first of a user p, of an item q
   * @param second of a user U, of an item y
   * @param bias what its ratings are above the mean
   * @param norm 1 / √count; in the end an item's squared error
   * @param count number of its ratings
   * @param user whether it is one; else an item
   */
  @DefaultSerializer(RecordSerializer.class)
  record Learner(
      double[] first, double[] second, double bias, double norm, double count, boolean user)
      implements Serializable {}

  /**
   * What edges tell a vertex, added up.
   *
   * @param vector of even supersteps Σ y, of odd ones Σ err · q or Σ err · U
   * @param number Σ rating, Σ err or Σ err²
   * @param norms of an item Σ err · norm(user)
   */
  @DefaultSerializer(RecordSerializer.class)
  record Told(double[] vector, double number, double norms) implements Serializable {}

  /** Number of supersteps after superstep 0. */
  static int supersteps(SVDPlusPlus.Conf conf) {
    return 2 * conf.maxIters() + 2;
  }

  /**
   * The program.
   *
   * @param mean of the ratings
   * @param seed of the first vectors
   */
  static <VD>
      ProgramBuilder<VD, Double, Learner, Told, Tuple4<double[], double[], Double, Double>> on(
          ProgramBuilder<VD, Double, VD, Object, VD> on,
          SVDPlusPlus.Conf conf,
          double mean,
          long seed,
          RunOptions options) {
    int rank = conf.rank();
    int last = supersteps(conf);
    double least = conf.minVal();
    double most = conf.maxVal();
    double gamma1 = conf.gamma1();
    double gamma2 = conf.gamma2();
    double gamma6 = conf.gamma6();
    double gamma7 = conf.gamma7();
    long key = Mixing.mix(seed + INCREMENT);
    return on.state(
            (id, attribute, inDegree, outDegree) -> {
              long base = Mixing.mix(id ^ key);
              return new Learner(
                  drawn(base, 0, rank),
                  drawn(base, rank, rank),
                  0.0,
                  0.0,
                  (double) outDegree + inDegree,
                  outDegree > 0);
            })
        .everyVertex(new Told(new double[rank], 0.0, 0.0))
        .maxIterations(last)
        .vertexProgram(
            (id, vertex, told, run) -> {
              int superstep = run.superstep();
              if (superstep == RATINGS) {
                // A vertex without ratings stays as it is: it has no mean.
                return vertex.count() == 0.0
                    ? vertex
                    : new Learner(
                        vertex.first(),
                        vertex.second(),
                        told.number() / vertex.count() - mean,
                        1.0 / Math.sqrt(vertex.count()),
                        vertex.count(),
                        vertex.user());
              } else if (superstep == last) {
                return vertex.user() ? vertex : withError(vertex, told.number());
              } else if ((superstep & 1) == 1) {
                return moved(vertex, told, gamma1, gamma2, gamma6, gamma7);
              }
              return superstep > 0 && vertex.user() ? withImplicit(vertex, told.vector()) : vertex;
            })
        .sendMessage(
            (edge, run) -> {
              int superstep = run.superstep();
              if (superstep != last && (superstep & 1) == 0) {
                edge.sendToSrc(new Told(edge.dstAttr().second(), 0.0, 0.0));
              } else {
                double factor = 0.0;
                double number = edge.attr();
                if (superstep != RATINGS) {
                  Learner user = edge.srcAttr();
                  Learner item = edge.dstAttr();
                  double predicted =
                      mean
                          + user.bias()
                          + item.bias()
                          + Reductions.dot(item.first(), user.second());
                  double error = edge.attr() - Math.min(Math.max(predicted, least), most);
                  factor = superstep == last ? 0.0 : error;
                  number = superstep == last ? error * error : error;
                }
                edge.sendToSrc(
                    new Told(Vectors.scale(factor, edge.dstAttr().first()), number, 0.0));
                edge.sendToDst(
                    new Told(
                        Vectors.scale(factor, edge.srcAttr().second()),
                        number,
                        factor * edge.srcAttr().norm()));
              }
            })
        .mergeMessage(
            (a, b) ->
                new Told(
                    Vectors.add(a.vector(), b.vector()),
                    a.number() + b.number(),
                    a.norms() + b.norms()))
        .aggregate(
            "squares",
            AggregateOperation.SUM,
            (id, before, after) -> after.user() ? 0.0 : after.norm())
        .result(
            (id, attribute, vertex) ->
                new Tuple4<>(vertex.first(), vertex.second(), vertex.bias(), vertex.norm()))
        .options(options);
  }

  /**
   * Elements {@code from} … {@code from + count − 1} of a vertex's random numbers, in [0, 1).
   *
   * @param base the vertex's own
   */
  private static double[] drawn(long base, int from, int count) {
    double[] vector = new double[count];
    for (int i = 0; i < count; i++) {
      vector[i] = (Mixing.mix(base + (from + i + 1) * INCREMENT) >>> 11) * STEP;
    }
    return vector;
  }

  private static Learner withError(Learner item, double squares) {
    return new Learner(
        item.first(), item.second(), item.bias(), squares, item.count(), item.user());
  }

  /** U = p + norm · Σ y. */
  private static Learner withImplicit(Learner user, double[] sum) {
    return new Learner(
        user.first(),
        Vectors.axpy(user.norm(), sum, user.first()),
        user.bias(),
        user.norm(),
        user.count(),
        user.user());
  }

  /**
   * A step along the gradient:
   *
   * <pre>
   * bias'   = bias   + γ1 (Σ err − γ6 count bias)
   * first'  = first  + γ2 (v − γ7 count first)
   * y'      = y      + γ2 (Σ err norm(user) q − γ7 count y)
   * U'      = U      + γ2 (norm v − γ7 Σ y)
   * </pre>
   *
   * <p>U is changed by what GraphX adds to it; Σ y = (U − p) / norm. Only the last one is seen, by
   * the errors; before that U is made anew.
   */
  private static Learner moved(
      Learner vertex, Told told, double gamma1, double gamma2, double gamma6, double gamma7) {
    boolean user = vertex.user();
    double shrink = gamma7 * vertex.count();
    double sums = user ? vertex.norm() : 0.0;
    double other = user ? gamma7 / vertex.norm() : told.norms();
    double own = user ? gamma7 / vertex.norm() : shrink;
    double[] first = vertex.first().clone();
    double[] second = vertex.second().clone();
    for (int i = 0; i < first.length; i++) {
      double from = vertex.first()[i];
      double sum = told.vector()[i];
      first[i] += gamma2 * (sum - shrink * from);
      second[i] += gamma2 * (sums * sum + other * from - own * second[i]);
    }
    double bias =
        vertex.bias() + gamma1 * (told.number() - gamma6 * (vertex.count() * vertex.bias()));
    return new Learner(first, second, bias, vertex.norm(), vertex.count(), user);
  }
}
