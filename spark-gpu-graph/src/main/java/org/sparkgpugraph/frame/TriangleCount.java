package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Triangles: {@code count}, a long, how many pass through each vertex. Directions, loops and
 * parallel edges do not count.
 */
public final class TriangleCount {
  private static final String COLUMN = "count";
  private final PropertyGraph graph;

  TriangleCount(PropertyGraph graph) {
    this.graph = graph;
  }

  /** The vertices with their counts. */
  public Dataset<Row> run() {
    return graph.run(COLUMN, null, TriangleCount::counts);
  }

  private static Dataset<Row> counts(FrameGraph on, RunOptions options) {
    try (VertexResult<Integer> result =
        org.sparkgpugraph.lib.TriangleCount.run(on.graph(), options)) {
      return on.join(
          FrameResult.of(
              on.spark(), result, COLUMN, DataTypes.LongType, count -> (long) (int) count),
          COLUMN);
    }
  }
}
