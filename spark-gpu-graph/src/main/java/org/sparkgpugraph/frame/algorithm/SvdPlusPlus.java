package org.sparkgpugraph.frame.algorithm;

import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.SVDPlusPlus;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple4;

/**
 * Recommendations by SVD++, from ratings of items (dst) by users (src): {@code column1} and {@code
 * column2}, arrays of doubles, {@code column3} and {@code column4}, doubles, as in GraphFrames: of
 * a user p, U, bias and norm, of an item q, y, bias and squared error.
 */
public final class SvdPlusPlus extends SingleRun<Tuple4<double[], double[], Double, Double>> {
  private static final ArrayType VECTOR = DataTypes.createArrayType(DataTypes.DoubleType, false);

  private int rank = 10;
  private int maxIter = 2;
  private double minValue;
  private double maxValue = 5;
  private double gamma1 = 0.007;
  private double gamma2 = 0.007;
  private double gamma6 = 0.005;
  private double gamma7 = 0.015;
  private long seed = SVDPlusPlus.SEED;
  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public SvdPlusPlus(GraphTables graph) {
    super(
        graph,
        new StructType()
            .add("column1", VECTOR, false)
            .add("column2", VECTOR, false)
            .add("column3", DataTypes.DoubleType, false)
            .add("column4", DataTypes.DoubleType, false),
        learnt -> new Object[] {boxed(learnt._1()), boxed(learnt._2()), learnt._3(), learnt._4()});
  }

  private static Double[] boxed(double[] vector) {
    return Arrays.stream(vector).boxed().toArray(Double[]::new);
  }

  /** Length of the vectors, 1 to 64; 10 unless it is given. */
  public SvdPlusPlus rank(int value) {
    rank = value;
    return this;
  }

  /** Iterations, at least 1; 2 unless it is given. */
  public SvdPlusPlus maxIter(int value) {
    maxIter = value;
    return this;
  }

  /** The least rating; 0 unless it is given. */
  public SvdPlusPlus minValue(double value) {
    minValue = value;
    return this;
  }

  /** The largest rating; 5 unless it is given. */
  public SvdPlusPlus maxValue(double value) {
    maxValue = value;
    return this;
  }

  /** Learning rate of the biases; 0.007 unless it is given. */
  public SvdPlusPlus gamma1(double value) {
    gamma1 = value;
    return this;
  }

  /** Learning rate of the vectors; 0.007 unless it is given. */
  public SvdPlusPlus gamma2(double value) {
    gamma2 = value;
    return this;
  }

  /** Regularisation of the biases; 0.005 unless it is given. */
  public SvdPlusPlus gamma6(double value) {
    gamma6 = value;
    return this;
  }

  /** Regularisation of the vectors; 0.015 unless it is given. */
  public SvdPlusPlus gamma7(double value) {
    gamma7 = value;
    return this;
  }

  /** Of the first vectors; 1 unless it is given. */
  public SvdPlusPlus seed(long value) {
    seed = value;
    return this;
  }

  /** Column of the edges, the ratings; must be given. */
  public SvdPlusPlus weight(String column) {
    weight = column;
    return this;
  }

  @Override
  void check() {
    Objects.requireNonNull(weight, "weight is not set: give the column of the ratings");
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  VertexResult<Tuple4<double[], double[], Double, Double>> result(
      LoadedGraph on, RunOptions options) {
    SVDPlusPlus.Conf conf =
        new SVDPlusPlus.Conf(rank, maxIter, minValue, maxValue, gamma1, gamma2, gamma6, gamma7);
    return SVDPlusPlus.run(on.weighted(), conf, seed, options).vertices();
  }
}
