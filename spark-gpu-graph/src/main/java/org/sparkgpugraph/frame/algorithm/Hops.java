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
 * Breadth-first search: {@code hops}, an int, of edges on a shortest path from the source; null
 * where there is none.
 */
public final class Hops extends SingleRun<Integer> {
  private Object source;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Hops(GraphTables graph) {
    super(
        graph,
        new StructType().add("hops", DataTypes.IntegerType, true),
        FrameResult.expressed(
            hops -> new Object[] {hops < 0 ? null : hops},
            hops -> new Column[] {functions.when(hops[0].geq(0), hops[0])}));
  }

  /** Id of the source; must be given. */
  public Hops source(Object id) {
    source = id;
    return this;
  }

  @Override
  void check() {
    Objects.requireNonNull(source, "source is not set: give the id of a vertex");
  }

  @Override
  VertexResult<Integer> result(LoadedGraph on, RunOptions options) {
    return org.sparkgpugraph.algorithm.Bfs.run(on.graph(), on.keyOf(source, "source"), options);
  }
}
