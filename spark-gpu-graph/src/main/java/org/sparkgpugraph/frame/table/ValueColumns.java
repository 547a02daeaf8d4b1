package org.sparkgpugraph.frame.table;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** The columns of a result's values in tables: as the run has left them, and as users see them. */
final class ValueColumns {
  /** Names of the values' columns, with a number behind; no user's column has one. */
  private static final String VALUE = "__vertex_value_";

  private static final Map<ColumnType, DataType> TYPES =
      Map.of(
          Kind.BOOLEAN, DataTypes.BooleanType,
          Kind.INT, DataTypes.IntegerType,
          Kind.LONG, DataTypes.LongType,
          Kind.FLOAT, DataTypes.FloatType,
          Kind.DOUBLE, DataTypes.DoubleType);

  private ValueColumns() {}

  /** What Spark calls columns of a kind. */
  static DataType type(Kind kind) {
    return TYPES.get(kind);
  }

  /**
   * Keys, and behind them the columns of the values as the run has left them.
   *
   * @param kinds of the values' columns; no arrays
   */
  static StructType schema(List<ColumnType> kinds) {
    StructType schema = new StructType().add(FrameResult.KEY, DataTypes.LongType, false);
    for (int c = 0; c < kinds.size(); c++) {
      schema = schema.add(VALUE + c, TYPES.get(kinds.get(c)), false);
    }
    return schema;
  }

  /**
   * What users see of a table of that {@link #schema}.
   *
   * @param columns of the new table beside the keys
   * @param expressions what these are of the columns of the values
   */
  static Dataset<Row> expressed(
      Dataset<Row> values, StructType columns, FrameResult.Expressions expressions) {
    int width = values.columns().length - 1;
    Column[] seen =
        expressions.of(
            IntStream.range(0, width)
                .mapToObj(c -> functions.col(VALUE + c))
                .toArray(Column[]::new));
    Column[] all = new Column[columns.length() + 1];
    all[0] = functions.col(FrameResult.KEY);
    for (int c = 0; c < seen.length; c++) {
      StructField column = columns.apply(c);
      all[c + 1] = seen[c].cast(column.dataType()).as(column.name());
    }
    return values.select(all);
  }
}
