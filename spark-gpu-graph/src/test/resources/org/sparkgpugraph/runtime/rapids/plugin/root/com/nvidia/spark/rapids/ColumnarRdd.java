package com.nvidia.spark.rapids;

import java.util.function.Function;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

public final class ColumnarRdd {
  /** What is made of a table; null: nothing but its rows. */
  public static RDD<?> tables;

  /** Makes it of each table; null: it is the same for all. */
  public static Function<Dataset<Row>, RDD<?>> made;

  public static RDD<?> convert(Dataset<Row> table) {
    if (made != null) {
      return made.apply(table);
    }
    return tables == null ? table.rdd() : tables;
  }
}
