package org.sparkgpugraph.frame;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.run.RunOptions;

/**
 * An algorithm that gives every vertex something: options are set one after the other, then {@link
 * #run}.
 */
public abstract class FrameAlgorithm {
  private final PropertyGraph graph;
  private final StructType columns;

  /**
   * @param columns that the vertices get
   */
  FrameAlgorithm(PropertyGraph graph, StructType columns) {
    this.graph = graph;
    this.columns = columns;
  }

  /**
   * Runs it.
   *
   * @return the vertices with the columns of the result, which stays in Spark's storage as long as
   *     somebody refers to it
   * @throws FrameException when the tables are no graph, or the vertices have such a column
   * @throws IllegalArgumentException when an option is missing or outside of its range
   */
  public final Dataset<Row> run() {
    check();
    for (StructField column : columns.fields()) {
      graph.requireNew(column.name());
    }
    return graph.loaded(EdgeValues.weight(weight()), (on, options) -> on.join(values(on, options)));
  }

  /** Refuses options that do not go together, before anything is loaded. */
  void check() {}

  /** Column of the edges that the algorithm reads, or null. */
  String weight() {
    return null;
  }

  /** What the vertices get. */
  final StructType columns() {
    return columns;
  }

  /** Runs on the loaded graph; gives a table of keys and the columns. */
  abstract Dataset<Row> values(FrameGraph on, RunOptions options);
}
