package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * PageRank: {@code pagerank}, a double. Either {@link #maxIter} iterations or until no rank changes
 * by more than {@link #tol}; one of them must be given.
 */
public final class PageRank {
  private static final String COLUMN = "pagerank";
  private final PropertyGraph graph;
  private double resetProbability = org.sparkgpugraph.lib.PageRank.RESET_PROBABILITY;
  private Integer maxIter;
  private Double tol;

  PageRank(PropertyGraph graph) {
    this.graph = graph;
  }

  /** Probability of a random jump, in [0, 1]; 0.15 unless it is given. */
  public PageRank resetProbability(double value) {
    resetProbability = value;
    return this;
  }

  /** Iterations, at least 1. */
  public PageRank maxIter(int value) {
    maxIter = value;
    return this;
  }

  /** Tolerance, not negative. */
  public PageRank tol(double value) {
    tol = value;
    return this;
  }

  /** The vertices with their ranks. */
  public Dataset<Row> run() {
    if ((maxIter == null) == (tol == null)) {
      throw new IllegalArgumentException(
          maxIter == null
              ? "neither maxIter nor tol is set: give one of them"
              : "maxIter and tol are both set: give one of them");
    }
    return graph.run(COLUMN, null, this::ranks);
  }

  private Dataset<Row> ranks(FrameGraph on, RunOptions options) {
    try (VertexResult<Double> result =
        maxIter == null
            ? org.sparkgpugraph.lib.PageRank.runUntilConvergence(
                on.graph(), tol, resetProbability, options)
            : org.sparkgpugraph.lib.PageRank.run(on.graph(), maxIter, resetProbability, options)) {
      return on.join(
          FrameResult.of(on.spark(), result, COLUMN, DataTypes.DoubleType, rank -> rank), COLUMN);
    }
  }
}
