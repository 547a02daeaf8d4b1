package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Communities by label propagation: {@code label}, a long. Each vertex takes the label that most of
 * its neighbours have, the smallest of several; the first labels are the ids if these are integers.
 */
public final class LabelPropagation extends SingleRun<Long> {
  private Integer maxIter;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public LabelPropagation(GraphTables graph) {
    super(graph, new StructType().add("label", DataTypes.LongType, false), FrameResult.one());
  }

  /** Iterations, at least 1; must be given. */
  public LabelPropagation maxIter(int value) {
    maxIter = value;
    return this;
  }

  @Override
  void check() {
    if (maxIter == null) {
      throw new IllegalArgumentException("maxIter is not set: labels need not come to rest");
    }
  }

  @Override
  VertexResult<Long> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.LabelPropagation.run(on.graph(), maxIter, options);
  }
}
