package org.sparkgpugraph.frame.sql;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.files.input.InternalRows;

/** The tables of a call between Spark's plans and the functions. */
final class QueryTables {
  private QueryTables() {}

  /** Asks with tables of the same columns that have no rows. */
  static StructType resultColumns(GraphQuery query, StructType vertices, StructType edges) {
    return query.resultColumns(vertices == null ? null : empty(vertices), empty(edges));
  }

  private static Dataset<Row> empty(StructType columns) {
    return SparkSession.active().createDataFrame(List.of(), columns);
  }

  /**
   * Runs.
   *
   * @param vertices null: there is no such table
   */
  static RDD<InternalRow> run(GraphQuery query, SparkSession session, Rows vertices, Rows edges) {
    return InternalRows.of(
        query.run(vertices == null ? null : vertices.table(session), edges.table(session)));
  }

  /** A table as Spark's plans have it. */
  record Rows(RDD<InternalRow> rows, StructType columns) {
    Dataset<Row> table(SparkSession session) {
      return InternalRows.table(session, rows, columns);
    }
  }
}
