package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Coreness: {@code coreness}, an int, the largest k for which a vertex is in the k-core. Each edge
 * must be there in both directions.
 */
public final class Coreness extends SingleRun<Integer> {

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Coreness(GraphTables graph) {
    super(graph, new StructType().add("coreness", DataTypes.IntegerType, false), FrameResult.one());
  }

  @Override
  VertexResult<Integer> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.KCore.coreness(on.graph(), options);
  }
}
