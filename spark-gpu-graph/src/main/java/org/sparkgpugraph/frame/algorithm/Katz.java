package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Katz centrality: {@code katz}, a double, beta and alpha times the sum over the vertices that
 * point to a vertex. Converges where alpha is smaller than one over the largest in-degree.
 */
public final class Katz extends SingleRun<Double> {
  private Double alpha;
  private double beta = 1;
  private double tol = 1e-6;
  private int maxIter = 100;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Katz(GraphTables graph) {
    super(graph, new StructType().add("katz", DataTypes.DoubleType, false), FrameResult.one());
  }

  /** Attenuation, not negative; must be given. */
  public Katz alpha(double value) {
    alpha = value;
    return this;
  }

  /** What every vertex has for itself; 1 unless it is given. */
  public Katz beta(double value) {
    beta = value;
    return this;
  }

  /** Ends when no value changes by more; 0.000001 unless it is given. */
  public Katz tol(double value) {
    tol = value;
    return this;
  }

  /** Most iterations, at least 1; 100 unless it is given. */
  public Katz maxIter(int value) {
    maxIter = value;
    return this;
  }

  @Override
  void check() {
    if (alpha == null) {
      throw new IllegalArgumentException(
          "alpha is not set: give less than one over the largest in-degree");
    }
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.Katz.run(on.graph(), alpha, beta, tol, maxIter, options);
  }
}
