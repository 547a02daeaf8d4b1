package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * A maximal independent set: {@code member}, whether a vertex is in it. No two vertices with an
 * edge between them are, and no other could come in.
 */
public final class IndependentSet extends SingleRun<Boolean> {
  private long seed = 1;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public IndependentSet(GraphTables graph) {
    super(graph, new StructType().add("member", DataTypes.BooleanType, false), FrameResult.one());
  }

  /** Another seed gives another set; 1 unless it is given. */
  public IndependentSet seed(long value) {
    seed = value;
    return this;
  }

  @Override
  VertexResult<Boolean> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.MaximalIndependentSet.run(on.graph(), seed, options);
  }
}
