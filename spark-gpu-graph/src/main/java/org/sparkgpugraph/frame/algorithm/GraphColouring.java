package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * A colouring: {@code colour}, an int from 0, another one than those of a vertex's neighbours, at
 * most as large as the largest number of neighbours that a vertex has. Directions, parallel edges
 * and self-loops do not count.
 */
public final class GraphColouring extends SingleRun<Integer> {
  private long seed = 1;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public GraphColouring(GraphTables graph) {
    super(graph, new StructType().add("colour", DataTypes.IntegerType, false), FrameResult.one());
  }

  /** Another seed gives another colouring; 1 unless it is given. */
  public GraphColouring seed(long value) {
    seed = value;
    return this;
  }

  @Override
  VertexResult<Integer> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.GraphColouring.run(on.graph(), seed, options);
  }
}
