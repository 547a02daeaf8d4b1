package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Hits.Scores;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/** Hubs and authorities (Kleinberg 1999): {@code hub} and {@code authority}, doubles. */
public final class Hits extends SingleRun<Scores> {
  private Integer maxIter;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Hits(GraphTables graph) {
    super(
        graph,
        new StructType()
            .add("hub", DataTypes.DoubleType, false)
            .add("authority", DataTypes.DoubleType, false),
        FrameResult.expressed(
            scores -> new Object[] {scores.hub(), scores.authority()},
            scores -> new Column[] {scores[1], scores[0]}));
  }

  /** Iterations, at least 1; must be given. */
  public Hits maxIter(int value) {
    maxIter = value;
    return this;
  }

  @Override
  void check() {
    if (maxIter == null) {
      throw new IllegalArgumentException("maxIter is not set: give the number of iterations");
    }
  }

  @Override
  VertexResult<Scores> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.Hits.run(on.graph(), maxIter, options);
  }
}
