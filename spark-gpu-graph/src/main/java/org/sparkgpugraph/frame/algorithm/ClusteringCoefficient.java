package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Local clustering coefficients as LDBC Graphalytics defines them: {@code coefficient}, a double in
 * [0, 1].
 */
public final class ClusteringCoefficient extends SingleRun<Double> {

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public ClusteringCoefficient(GraphTables graph) {
    super(
        graph, new StructType().add("coefficient", DataTypes.DoubleType, false), FrameResult.one());
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.ClusteringCoefficient.run(on.graph(), options);
  }
}
