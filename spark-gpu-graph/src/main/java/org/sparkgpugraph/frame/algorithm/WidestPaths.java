package org.sparkgpugraph.frame.algorithm;

import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Widest paths from a source: {@code width}, a double, the largest that the narrowest edge of a
 * path can be; infinite for the source, null where there is no path.
 */
public final class WidestPaths extends SingleRun<Double> {
  private Object source;
  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public WidestPaths(GraphTables graph) {
    super(
        graph,
        new StructType().add("width", DataTypes.DoubleType, true),
        FrameResult.expressed(
            width -> new Object[] {width == 0 ? null : width},
            width -> new Column[] {functions.when(width[0].notEqual(0.0), width[0])}));
  }

  /** Id of the source; must be given. */
  public WidestPaths source(Object id) {
    source = id;
    return this;
  }

  /** Column of the edges, their widths, not negative; must be given. */
  public WidestPaths weight(String column) {
    weight = column;
    return this;
  }

  @Override
  void check() {
    Objects.requireNonNull(source, "source is not set: give the id of a vertex");
    Objects.requireNonNull(weight, "weight is not set: give the column of the widths");
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.WidestPaths.run(
        on.weighted(), on.keyOf(source, "source"), options);
  }
}
