package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Triangles: {@code count}, a long, how many pass through each vertex. Directions, loops and
 * parallel edges do not count.
 */
public final class TriangleCount extends SingleRun<Integer> {

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public TriangleCount(GraphTables graph) {
    super(
        graph,
        new StructType().add("count", DataTypes.LongType, false),
        FrameResult.expressed(count -> new Object[] {(long) count}, count -> count));
  }

  @Override
  VertexResult<Integer> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.TriangleCount.run(on.graph(), options);
  }
}
