package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Connected components, whatever the directions of edges: {@code component}, a long that vertices
 * of one component have in common. If ids are integers it is the smallest of theirs.
 */
public final class ConnectedComponents extends SingleRun<Long> {

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public ConnectedComponents(GraphTables graph) {
    super(graph, new StructType().add("component", DataTypes.LongType, false), FrameResult.one());
  }

  @Override
  VertexResult<Long> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.ConnectedComponents.run(
        on.graph(), Integer.MAX_VALUE, options);
  }
}
