package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * The k-core: {@code coreDegree}, an int, to how many members of it a vertex has edges, 0 if it is
 * no member. Each edge must be there in both directions.
 */
public final class KCore extends SingleRun<Integer> {
  private Integer k;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public KCore(GraphTables graph) {
    super(
        graph, new StructType().add("coreDegree", DataTypes.IntegerType, false), FrameResult.one());
  }

  /** The least number of edges between members, at least 1; must be given. */
  public KCore k(int value) {
    k = value;
    return this;
  }

  @Override
  void check() {
    if (k == null) {
      throw new IllegalArgumentException("k is not set: give the least number of edges");
    }
  }

  @Override
  VertexResult<Integer> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.run(on.graph(), k, options);
  }
}
