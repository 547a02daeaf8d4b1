package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Strongly connected components: {@code component}, a long that vertices have in common each of
 * which can be reached from every other. If ids are integers it is the smallest of theirs.
 */
public final class StronglyConnectedComponents {
  private static final String COLUMN = "component";
  private final PropertyGraph graph;
  private int maxIter = Integer.MAX_VALUE;

  StronglyConnectedComponents(PropertyGraph graph) {
    this.graph = graph;
  }

  /** Rounds, at least 1; without it until all components are found. */
  public StronglyConnectedComponents maxIter(int value) {
    maxIter = value;
    return this;
  }

  /** The vertices with their components. */
  public Dataset<Row> run() {
    return graph.run(COLUMN, null, this::components);
  }

  private Dataset<Row> components(FrameGraph on, RunOptions options) {
    try (VertexResult<Long> result =
        org.sparkgpugraph.lib.StronglyConnectedComponents.run(on.graph(), maxIter, options)) {
      return on.join(
          FrameResult.of(on.spark(), result, COLUMN, DataTypes.LongType, component -> component),
          COLUMN);
    }
  }
}
