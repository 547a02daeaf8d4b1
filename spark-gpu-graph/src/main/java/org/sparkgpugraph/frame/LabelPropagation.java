package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Communities by label propagation: {@code label}, a long. Each vertex takes the label that most of
 * its neighbours have, the smallest of several; the first labels are the ids if these are integers.
 */
public final class LabelPropagation {
  private static final String COLUMN = "label";
  private final PropertyGraph graph;
  private Integer maxIter;

  LabelPropagation(PropertyGraph graph) {
    this.graph = graph;
  }

  /** Iterations, at least 1; must be given. */
  public LabelPropagation maxIter(int value) {
    maxIter = value;
    return this;
  }

  /** The vertices with their labels. */
  public Dataset<Row> run() {
    if (maxIter == null) {
      throw new IllegalArgumentException("maxIter is not set: labels need not come to rest");
    }
    return graph.run(COLUMN, null, this::labels);
  }

  private Dataset<Row> labels(FrameGraph on, RunOptions options) {
    try (VertexResult<Long> result =
        org.sparkgpugraph.lib.LabelPropagation.run(on.graph(), maxIter, options)) {
      return on.join(
          FrameResult.of(on.spark(), result, COLUMN, DataTypes.LongType, label -> label), COLUMN);
    }
  }
}
