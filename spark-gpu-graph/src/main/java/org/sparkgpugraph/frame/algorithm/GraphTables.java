package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.run.RunOptions;

/**
 * What an algorithm asks of the tables that it is of: a check before anything is read, and the
 * graph that they are. {@code PropertyGraph} has one; users need none.
 */
public interface GraphTables {

  /** Refuses a column of a result that the vertices have already. */
  void requireNew(String column);

  /** Refuses a column of weights, if there is one, that is missing or holds no numbers. */
  void requireWeight(String column);

  /** The column of ids of a result, where vertices have no table with it. */
  StructType idColumn();

  /** The common type of ids. */
  DataType idType();

  /** What is done with a loaded graph. */
  @FunctionalInterface
  interface Use {
    Dataset<Row> with(LoadedGraph graph, RunOptions options);
  }

  /**
   * Does something with the loaded graph; it is freed afterwards, unless it is to stay.
   *
   * @param values of the edges, that are loaded
   */
  Dataset<Row> loaded(EdgeValues values, Use use);
}
