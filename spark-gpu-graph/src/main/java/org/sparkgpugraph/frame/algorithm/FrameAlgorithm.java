package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.run.RunOptions;

/**
 * An algorithm that gives every vertex something: options are set one after the other, then {@link
 * #run}.
 */
public abstract class FrameAlgorithm {
  private final GraphTables graph;
  private final StructType columns;

  /**
   * @param columns that the vertices get
   */
  FrameAlgorithm(GraphTables graph, StructType columns) {
    this.graph = graph;
    this.columns = columns;
  }

  /**
   * Runs it.
   *
   * @return the vertices with the columns of the result, which stays in Spark's storage as long as
   *     somebody refers to it
   * @throws org.sparkgpugraph.frame.FrameException when the tables are no graph, or the vertices
   *     have such a column
   * @throws IllegalArgumentException when an option is missing or outside of its range
   */
  public final Dataset<Row> run() {
    requireColumns();
    return graph.loaded(EdgeValues.weight(weight()), (on, options) -> on.join(values(on, options)));
  }

  /** Refuses what can be refused before anything is loaded. */
  private void requireColumns() {
    check();
    for (StructField column : columns.fields()) {
      graph.requireNew(column.name());
    }
    graph.requireWeight(weight());
  }

  /**
   * What {@link #run} adds to the columns of the vertices, or gives where there is no table of
   * them; refuses what it refuses before it reads a row.
   */
  public final StructType resultColumns() {
    requireColumns();
    StructType all = graph.idColumn();
    for (StructField column : columns(graph.idType()).fields()) {
      all = all.add(column);
    }
    return all;
  }

  /** Refuses options that do not go together, before anything is loaded. */
  void check() {}

  /** Column of the edges that the algorithm reads, or null. */
  String weight() {
    return null;
  }

  /** What the vertices get, whose ids are of a type. */
  StructType columns(DataType ids) {
    return columns;
  }

  /** What the vertices get. */
  final StructType columns() {
    return columns;
  }

  /** Runs on the loaded graph; gives a table of keys and the columns. */
  abstract Dataset<Row> values(LoadedGraph on, RunOptions options);
}
