package org.sparkgpugraph.files.input;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.StructType;

/** Rows as Spark SQL computes them, which no row object is made of. */
public final class InternalRows {
  private InternalRows() {}

  /**
   * The rows of a table; a row is valid until the next one is asked for.
   *
   * @throws IllegalArgumentException if the table is none of this JVM's Spark, but of Spark Connect
   */
  public static RDD<InternalRow> of(Dataset<Row> table) {
    return queryExecution(table).toRdd();
  }

  /** The same the other way round: rows that Spark SQL computed as a table. */
  @SuppressWarnings("unchecked")
  public static Dataset<Row> table(
      SparkSession session, RDD<InternalRow> rows, StructType columns) {
    try {
      // As above: in Spark 4 a method of a class that 3.5 does not have, with another result.
      return (Dataset<Row>)
          session
              .getClass()
              .getMethod("internalCreateDataFrame", RDD.class, StructType.class, boolean.class)
              .invoke(session, rows, columns, false);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          session.getClass().getName() + " makes no table of rows of Spark SQL", e);
    }
  }

  /**
   * The plan of a table.
   *
   * <p>Found by its name: Spark 3.5 has the method in {@code Dataset}, Spark 4 in a subclass that
   * 3.5 does not have, and one jar is for both.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static QueryExecution queryExecution(Dataset<Row> table) {
    MethodHandle method;
    try {
      method =
          MethodHandles.publicLookup()
              .findVirtual(
                  table.getClass(), "queryExecution", MethodType.methodType(QueryExecution.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException(
          table.getClass().getName()
              + " has no query plan in this JVM, so its rows cannot be read here;"
              + " a table of the application's own SparkSession is needed",
          e);
    }
    try {
      return (QueryExecution) method.invoke(table);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("planning " + table.getClass().getName(), e);
    }
  }
}
