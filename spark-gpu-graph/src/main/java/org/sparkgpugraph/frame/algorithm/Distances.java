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
 * Single-source shortest paths: {@code distance}, a double, the least sum of weights on a path from
 * the source; null where there is none.
 */
public final class Distances extends SingleRun<Double> {
  private Object source;
  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Distances(GraphTables graph) {
    super(
        graph,
        new StructType().add("distance", DataTypes.DoubleType, true),
        FrameResult.expressed(
            distance -> new Object[] {distance == Double.POSITIVE_INFINITY ? null : distance},
            distance ->
                new Column[] {
                  functions.when(distance[0].notEqual(Double.POSITIVE_INFINITY), distance[0])
                }));
  }

  /** Id of the source; must be given. */
  public Distances source(Object id) {
    source = id;
    return this;
  }

  /** Column of the edges, not negative; must be given. */
  public Distances weight(String column) {
    weight = column;
    return this;
  }

  @Override
  void check() {
    Objects.requireNonNull(source, "source is not set: give the id of a vertex");
    Objects.requireNonNull(weight, "weight is not set: give a column, or use hops()");
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.Sssp.run(on.weighted(), on.keyOf(source, "source"), options);
  }
}
