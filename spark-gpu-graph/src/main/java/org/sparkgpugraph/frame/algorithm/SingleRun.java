package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.frame.table.FrameResult.Cells;
import org.sparkgpugraph.run.RunOptions;

/**
 * An algorithm of the library's that is one run.
 *
 * @param <R> what it gives a vertex
 */
abstract class SingleRun<R> extends FrameAlgorithm {
  private final Cells<R> cells;

  /**
   * @param columns that the vertices get
   * @param cells what is in them
   */
  SingleRun(GraphTables graph, StructType columns, Cells<R> cells) {
    super(graph, columns);
    this.cells = cells;
  }

  @Override
  final Dataset<Row> values(LoadedGraph on, RunOptions options) {
    try (VertexResult<R> result = result(on, options)) {
      return FrameResult.of(on.spark(), result, columns(), cells);
    }
  }

  /** Runs it on the loaded graph. */
  abstract VertexResult<R> result(LoadedGraph on, RunOptions options);
}
