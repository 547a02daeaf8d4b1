package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Cholesky;
import org.sparkgpugraph.vector.Vectors;

/**
 * The program of {@link AlternatingLeastSquares}. In odd supersteps items hear of their users, in
 * even ones users of their items; who hears of nobody stays as it is.
 *
 * <p>What a vertex tells is an array of its own that edges multiply element by element, so that
 * lanes of a GPU can share it: of k factors x
 *
 * <ol>
 *   <li>the lower triangle of x xᵀ, row by row, k (k + 1) / 2 numbers
 *   <li>x, which an edge multiplies by its rating
 *   <li>1, which an edge multiplies by the square of its rating
 *   <li>1
 *   <li>perhaps a 0, so that the length is even: lanes load two numbers at once
 * </ol>
 *
 * Sums of that are the normal equations, the sum of the squares of the ratings, and their number.
 */
final class AlsProgram {
  /** Index of the aggregate that has the sum of all squared errors behind a superstep. */
  static final int SQUARES = 0;

  static final String BOTH = "is both a user and an item";
  static final String NOT_FINITE = "the equations have numbers that are NaN or infinite";

  /** Of SplitMix64, by which vectors are drawn. */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  /** 2 to the power of −53: the step between random numbers in [0, 1). */
  private static final double STEP = 0x1p-53;

  private AlsProgram() {}

  /**
   * A vertex while it runs.
   *
   * @param told what its edges read
   * @param squares of the side whose turn it was: the squared errors of its ratings
   */
  @DefaultSerializer(RecordSerializer.class)
  record Learner(double[] told, double squares) implements Serializable {}

  /**
   * A vertex in a change-driven run.
   *
   * @param told what its edges read; zeros: nothing yet
   * @param rated number of items that it rated: an item none
   */
  @DefaultSerializer(RecordSerializer.class)
  record Teller(double[] told, int rated) implements Serializable {}

  /**
   * Where things are in what is told.
   *
   * @param rank k
   * @param factors index of the first factor: numbers of the triangle
   * @param squares index of what becomes the sum of the squares
   * @param count index of what becomes the number
   * @param length of it all
   * @param matrix numbers of a matrix of k × k
   */
  record Layout(int rank, int factors, int squares, int count, int length, int matrix) {
    static Layout of(int rank) {
      int factors = rank * (rank + 1) / 2;
      int count = factors + rank + 1;
      return new Layout(
          rank, factors, factors + rank, count, count + 1 + (count + 1) % 2, rank * rank);
    }
  }

  /** Number of supersteps after superstep 0. */
  static int supersteps(AlternatingLeastSquares.Conf conf) {
    return Math.multiplyExact(2, conf.iterations());
  }

  /**
   * The program.
   *
   * @param seed of the users' first factors
   */
  static <VD> ProgramBuilder<VD, Double, Learner, double[], double[]> on(
      ProgramBuilder<VD, Double, VD, Object, VD> on,
      AlternatingLeastSquares.Conf conf,
      long seed,
      RunOptions options) {
    Layout layout = Layout.of(conf.rank());
    int rank = layout.rank();
    int factors = layout.factors();
    int squares = layout.squares();
    int count = layout.count();
    int length = layout.length();
    int matrix = layout.matrix();
    double lambda = conf.lambda();
    boolean weighted = conf.weighted();
    return on.state(
            (id, attribute, inDegree, outDegree) -> {
              checkSide(inDegree, outDegree);
              double[] told = new double[length];
              if (outDegree > 0) {
                tell(told, drawn(id, seed, rank), squares, count);
              }
              return new Learner(told, 0.0);
            })
        .everyVertex(new double[length])
        .maxIterations(supersteps(conf))
        .vertexProgram(
            (id, vertex, sums) -> {
              if (sums[count] == 0.0) {
                return new Learner(vertex.told(), 0.0);
              }
              double[] x = solved(sums, weighted ? lambda * sums[count] : lambda, rank, matrix);
              double[] told = new double[length];
              tell(told, x, squares, count);
              return new Learner(told, squaredErrors(sums, x, sums[squares]));
            })
        .sendMessage(
            (edge, run) -> {
              if ((run.superstep() & 1) == 1) {
                edge.sendToDst(rated(edge.srcAttr().told(), edge.attr(), factors, squares));
              } else {
                edge.sendToSrc(rated(edge.dstAttr().told(), edge.attr(), factors, squares));
              }
            })
        .mergeMessage(Vectors::add)
        .aggregate("squares", AggregateOperation.SUM, (id, before, after) -> after.squares())
        .result((id, attribute, vertex) -> told(vertex.told(), rank, factors))
        .options(options);
  }

  /**
   * The change-driven program. Its functions know no superstep: both ends of an edge tell always,
   * and a vertex makes its factors whenever it hears of any. Since items begin with nothing to
   * tell, their first factors come from the users' first, those of users, until then the first,
   * from these, and so on: who is not in turn makes of the same sums what it has.
   */
  static <VD> ProgramBuilder<VD, Double, Teller, double[], double[]> deltas(
      ProgramBuilder<VD, Double, VD, Object, VD> on,
      AlternatingLeastSquares.Conf conf,
      double epsilon,
      long seed,
      RunOptions options) {
    Layout layout = Layout.of(conf.rank());
    int rank = layout.rank();
    int factors = layout.factors();
    int squares = layout.squares();
    int count = layout.count();
    int length = layout.length();
    int matrix = layout.matrix();
    double lambda = conf.lambda();
    boolean weighted = conf.weighted();
    return on.state(
            (id, attribute, inDegree, outDegree) -> {
              checkSide(inDegree, outDegree);
              return new Teller(new double[length], outDegree);
            })
        .everyVertex(new double[length])
        .maxIterations(supersteps(conf))
        .deltas(epsilon)
        .vertexProgram(
            (id, vertex, sums) -> {
              double[] told = new double[length];
              if (sums[count] != 0.0) {
                double regularisation = weighted ? lambda * sums[count] : lambda;
                tell(told, solved(sums, regularisation, rank, matrix), squares, count);
              } else if (vertex.rated() > 0) {
                tell(told, drawn(id, seed, rank), squares, count);
              }
              return new Teller(told, vertex.rated());
            })
        .sendMessage(
            edge -> {
              edge.sendToDst(rated(edge.srcAttr().told(), edge.attr(), factors, squares));
              edge.sendToSrc(rated(edge.dstAttr().told(), edge.attr(), factors, squares));
            })
        .mergeMessage(Vectors::add)
        .result((id, attribute, vertex) -> told(vertex.told(), rank, factors))
        .options(options);
  }

  private static void checkSide(int inDegree, int outDegree) {
    if (inDegree > 0 && outDegree > 0) {
      throw new IllegalArgumentException(BOTH);
    }
  }

  /**
   * Factors from sums of what neighbours tell.
   *
   * @param matrix numbers of a matrix
   */
  private static double[] solved(double[] sums, double regularisation, int rank, int matrix) {
    double[] a = new double[matrix];
    double[] x = new double[rank];
    equations(a, x, sums, regularisation);
    return Cholesky.solve(a, x);
  }

  /** What is told, as an edge passes it on. */
  private static double[] rated(double[] told, double rating, int factors, int squares) {
    double square = rating * rating;
    double[] message = told.clone();
    for (int i = 0; i < message.length; i++) {
      message[i] *= i < factors ? 1.0 : i < squares ? rating : i == squares ? square : 1.0;
    }
    return message;
  }

  /**
   * A direction, every one as likely: normally distributed numbers (Box and Muller), scaled to a
   * length of 1.
   */
  private static double[] drawn(long id, long seed, int rank) {
    long base = Mixing.mix(id, seed);
    double[] x = new double[rank];
    double squares = 0.0;
    for (int i = 0; i < rank; i++) {
      // In (0, 1): the logarithm is neither infinite nor 0.
      double radius = ((Mixing.mix(base + (2 * i + 1) * INCREMENT) >>> 11) + 0.5) * STEP;
      double angle = (Mixing.mix(base + (2 * i + 2) * INCREMENT) >>> 11) * STEP;
      double normal = Math.sqrt(-2.0 * Math.log(radius)) * Math.cos(2.0 * Math.PI * angle);
      x[i] = normal;
      squares += normal * normal;
    }
    double norm = Math.sqrt(squares);
    for (int i = 0; i < rank; i++) {
      x[i] /= norm;
    }
    return x;
  }

  private static void tell(double[] told, double[] x, int squares, int count) {
    int factors = x.length * (x.length + 1) / 2;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j <= i; j++) {
        told[i * (i + 1) / 2 + j] = x[i] * x[j];
      }
      told[factors + i] = x[i];
    }
    told[squares] = 1.0;
    told[count] = 1.0;
  }

  /** The factors in what is told. */
  private static double[] told(double[] told, int rank, int factors) {
    double[] x = new double[rank];
    for (int i = 0; i < rank; i++) {
      x[i] = told[factors + i];
    }
    return x;
  }

  /** Makes A, of which only the lower triangle, and the right-hand side. */
  private static void equations(double[] a, double[] b, double[] sums, double regularisation) {
    int k = b.length;
    int factors = k * (k + 1) / 2;
    for (int i = 0; i < k; i++) {
      for (int j = 0; j <= i; j++) {
        a[i * k + j] = sums[i * (i + 1) / 2 + j];
      }
      a[i * k + i] += regularisation;
      b[i] = sums[factors + i];
      // A rating that is none, or numbers that are too large: they come up on the diagonal.
      if (!(a[i * k + i] <= Double.MAX_VALUE && Math.abs(b[i]) <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(NOT_FINITE);
      }
    }
  }

  /** Σ r² − 2 xᵀ b + xᵀ A x, where A has no regularisation; rounding may make less than 0 of 0. */
  private static double squaredErrors(double[] sums, double[] x, double ratings) {
    int k = x.length;
    int factors = k * (k + 1) / 2;
    double[] rows = x.clone();
    // Row by row first: lanes share the rows.
    for (int i = 0; i < k; i++) {
      double row = -2.0 * sums[factors + i];
      for (int j = 0; j < i; j++) {
        row += 2.0 * sums[i * (i + 1) / 2 + j] * x[j];
      }
      rows[i] = (row + sums[i * (i + 1) / 2 + i] * x[i]) * x[i];
    }
    double squares = ratings;
    for (int i = 0; i < k; i++) {
      squares += rows[i];
    }
    return Math.max(0.0, squares);
  }
}
