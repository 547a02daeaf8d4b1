package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Connected components, whatever the directions of edges: {@code component}, a long that vertices
 * of one component have in common. If ids are integers it is the smallest of theirs.
 */
public final class ConnectedComponents {
  private static final String COLUMN = "component";
  private final PropertyGraph graph;

  ConnectedComponents(PropertyGraph graph) {
    this.graph = graph;
  }

  /** The vertices with their components. */
  public Dataset<Row> run() {
    return graph.run(COLUMN, null, ConnectedComponents::components);
  }

  private static Dataset<Row> components(FrameGraph on, RunOptions options) {
    try (VertexResult<Long> result =
        org.sparkgpugraph.lib.ConnectedComponents.run(on.graph(), Integer.MAX_VALUE, options)) {
      return on.join(
          FrameResult.of(on.spark(), result, COLUMN, DataTypes.LongType, component -> component),
          COLUMN);
    }
  }
}
