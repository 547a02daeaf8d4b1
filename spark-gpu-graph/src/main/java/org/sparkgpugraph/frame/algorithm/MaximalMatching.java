package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * A maximal matching: {@code partner}, the id of the vertex at the other end of the edge that a
 * vertex is matched by; null where it is not. No two of these edges touch, and no other could come
 * in. Directions, parallel edges and self-loops do not count.
 */
public final class MaximalMatching extends FrameAlgorithm {
  private static final String COLUMN = "partner";

  private long seed = 1;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public MaximalMatching(GraphTables graph) {
    super(graph, columnOf(DataTypes.LongType));
  }

  private static StructType columnOf(DataType partner) {
    return new StructType().add(COLUMN, partner, true);
  }

  @Override
  StructType columns(DataType ids) {
    return columnOf(ids);
  }

  /** Another seed gives another matching; 1 unless it is given. */
  public MaximalMatching seed(long value) {
    seed = value;
    return this;
  }

  @Override
  Dataset<Row> values(LoadedGraph on, RunOptions options) {
    try (VertexResult<Long> partners =
        org.sparkgpugraph.algorithm.MaximalMatching.run(on.graph(), seed, options)) {
      return on.naming(FrameResult.of(on.spark(), partners, columns(), FrameResult.one()), COLUMN);
    }
  }
}
