package org.sparkgpugraph.frame.sql;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A call of a table function, whatever tables it is given. Calls with the same arguments are equal,
 * by which Spark finds what it has computed or cached already; {@code toString} is what {@code
 * EXPLAIN} shows.
 */
public interface GraphQuery {
  /** Columns of the edges that are read. */
  List<String> edgeColumns();

  /** The column of the vertices that is read; all others are only carried along. */
  String vertexColumn();

  /**
   * The columns that the vertices get, behind those that they have; without vertices all columns.
   * Reads no row.
   *
   * @param vertices null: there is no such table
   * @throws IllegalArgumentException when these tables are refused for their columns
   */
  StructType resultColumns(Dataset<Row> vertices, Dataset<Row> edges);

  /**
   * Runs.
   *
   * @param vertices null: there is no such table; columns that nobody wants may be missing
   * @return the columns of the vertices, then {@link #resultColumns}
   */
  Dataset<Row> run(Dataset<Row> vertices, Dataset<Row> edges);
}
