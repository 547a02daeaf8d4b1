package org.sparkgpugraph.frame.algorithm;

import java.util.OptionalLong;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * PageRank: {@code pagerank}, a double. Either {@link #maxIter} iterations or until no rank changes
 * by more than {@link #tol}; one of them must be given.
 */
public final class PageRank extends SingleRun<Double> {
  private double resetProbability = org.sparkgpugraph.algorithm.PageRank.RESET_PROBABILITY;
  private Integer maxIter;
  private Double tol;
  private Object sourceId;
  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public PageRank(GraphTables graph) {
    super(graph, new StructType().add("pagerank", DataTypes.DoubleType, false), FrameResult.one());
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

  /** Id of a vertex: all random jumps go there (personalised PageRank). */
  public PageRank sourceId(Object id) {
    sourceId = id;
    return this;
  }

  /** Column of the edges: a rank is divided among them by it. Takes maxIter. */
  public PageRank weight(String column) {
    weight = column;
    return this;
  }

  @Override
  void check() {
    if ((maxIter == null) == (tol == null)) {
      throw new IllegalArgumentException(
          maxIter == null
              ? "neither maxIter nor tol is set: give one of them"
              : "maxIter and tol are both set: give one of them");
    }
    if (weight != null && maxIter == null) {
      throw new IllegalArgumentException("weight is set: give maxIter in the place of tol");
    }
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    OptionalLong source =
        sourceId == null ? OptionalLong.empty() : OptionalLong.of(on.keyOf(sourceId, "source"));
    if (weight != null) {
      return org.sparkgpugraph.algorithm.WeightedPageRank.run(
          on.weighted(), maxIter, resetProbability, source, options);
    }
    return maxIter == null
        ? org.sparkgpugraph.algorithm.PageRank.runUntilConvergence(
            on.graph(), tol, resetProbability, source, options)
        : org.sparkgpugraph.algorithm.PageRank.run(
            on.graph(), maxIter, resetProbability, source, options);
  }
}
