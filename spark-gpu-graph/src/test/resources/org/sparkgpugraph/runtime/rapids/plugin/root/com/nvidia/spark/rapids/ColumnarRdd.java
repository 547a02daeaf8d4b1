package com.nvidia.spark.rapids;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

public final class ColumnarRdd {
  /** What is made of a table; null: nothing but its rows. */
  public static RDD<?> tables;

  public static RDD<?> convert(Dataset<Row> table) {
    return tables == null ? table.rdd() : tables;
  }
}
