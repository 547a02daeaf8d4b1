package org.sparkgpugraph.frame.table;

import java.util.Arrays;
import java.util.function.Function;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.table.FrameResult.Cells;

/**
 * Tables of arrays with an element for each of some vertices, which a few runs may have to make.
 */
public final class ArrayRounds {
  private ArrayRounds() {}

  /**
   * Runs as often as the vertices need.
   *
   * @param width vertices of one run
   * @param keys of the vertices, at least one
   * @param type of the arrays
   * @param run a run for some of the vertices
   * @param cells of its values: the array
   * @return a table of {@link FrameResult#KEY} and a column {@code name}, the arrays of all runs
   *     behind each other
   */
  public static <R> Dataset<Row> of(
      SparkSession spark,
      String name,
      int width,
      long[] keys,
      ArrayType type,
      Function<long[], VertexResult<R>> run,
      Cells<R> cells) {
    Dataset<Row> all = null;
    Column arrays = null;
    for (int from = 0; from < keys.length; from += width) {
      String partName = name + from;
      Dataset<Row> part;
      long[] some = Arrays.copyOfRange(keys, from, Math.min(keys.length, from + width));
      try (VertexResult<R> result = run.apply(some)) {
        StructType columns = new StructType().add(partName, type, false);
        part = FrameResult.of(spark, result, columns, cells);
      }
      Column column = TableColumns.named(partName);
      all = all == null ? part : all.join(part, FrameResult.KEY);
      arrays = arrays == null ? column : functions.concat(arrays, column);
    }
    return all.select(TableColumns.named(FrameResult.KEY), arrays.as(name));
  }
}
