package org.sparkgpugraph.files.input;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;

/** Columns of tables, by name and by type. */
public final class TableColumns {
  private TableColumns() {}

  /** A column by its name as it is, dots and backticks and all. */
  public static Column named(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Whether values are integers of at most 64 bits. */
  public static boolean isInteger(DataType type) {
    return type instanceof LongType
        || type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType;
  }
}
