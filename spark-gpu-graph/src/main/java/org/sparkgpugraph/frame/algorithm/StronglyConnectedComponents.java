package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Strongly connected components: {@code component}, a long that vertices have in common each of
 * which can be reached from every other. If ids are integers it is the smallest of theirs.
 */
public final class StronglyConnectedComponents extends SingleRun<Long> {
  private int maxIter = Integer.MAX_VALUE;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public StronglyConnectedComponents(GraphTables graph) {
    super(graph, new StructType().add("component", DataTypes.LongType, false), FrameResult.one());
  }

  /** Rounds, at least 1; without it until all components are found. */
  public StronglyConnectedComponents maxIter(int value) {
    maxIter = value;
    return this;
  }

  @Override
  VertexResult<Long> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.StronglyConnectedComponents.run(
        on.graph(), maxIter, options);
  }
}
