package org.sparkgpugraph.frame.table;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSizing;

/** Counts a property graph, and says what it would take. */
public final class FrameEstimate {
  /** Of what most algorithms have for a vertex. */
  private static final int VALUE_BYTES = 8;

  /** Standard error of the number of different ends. */
  private static final double ERROR = 0.01;

  private static final String SRC = "src";
  private static final String DST = "dst";

  private FrameEstimate() {}

  /**
   * Reads the ends of the edges once, and where there is a table of vertices counts it.
   *
   * @param vertices null: the ends of the edges
   * @param addsEnds whether ends of edges become vertices
   */
  public static GraphEstimate of(
      Dataset<Row> vertices,
      Dataset<Row> edges,
      VertexKeys keys,
      boolean addsEnds,
      RunOptions options) {
    Column source = keys.id(TableColumns.named(SRC));
    Column destination = keys.id(TableColumns.named(DST));
    Row counts =
        edges
            .select(functions.explode(functions.array(source, destination)).as("end"))
            .agg(
                functions.count(functions.lit(1)),
                functions.approx_count_distinct(functions.col("end"), ERROR))
            .first();
    long listed = vertices == null ? 0 : vertices.count();
    long ends = counts.getLong(1);
    return GraphSizing.of(
        edges.sparkSession().sparkContext(),
        options,
        addsEnds ? Math.max(listed, ends) : listed,
        counts.getLong(0) / 2,
        0,
        VALUE_BYTES);
  }
}
