package io.sparkgpugraph.io;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows as Spark SQL computes them, which no row object is made of; its place moved in Spark 4. */
final class InternalRows {
  private InternalRows() {}

  /** The rows of a table; a row is valid until the next one is asked for. */
  static RDD<InternalRow> of(Dataset<Row> table) {
    return table.queryExecution().toRdd();
  }
}
