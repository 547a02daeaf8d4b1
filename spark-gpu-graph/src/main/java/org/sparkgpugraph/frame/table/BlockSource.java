package org.sparkgpugraph.frame.table;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Hands a {@link BlockTable} to Spark, which takes tables by the name of such a class alone. Not
 * for users.
 */
public final class BlockSource implements TableProvider {
  private static final String TABLE = "table";

  /** Tables that Spark is being given. */
  private static final Map<String, BlockTable> GIVEN = new ConcurrentHashMap<>();

  static Dataset<Row> read(SparkSession spark, BlockTable table) {
    String key = UUID.randomUUID().toString();
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    GIVEN.put(key, table);
    // Spark looks for the class by the thread's loader, which need not know this library.
    thread.setContextClassLoader(BlockSource.class.getClassLoader());
    try {
      return spark.read().format(BlockSource.class.getName()).option(TABLE, key).load();
    } finally {
      thread.setContextClassLoader(loader);
      GIVEN.remove(key);
    }
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return given(options).schema();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return given(properties);
  }

  private static BlockTable given(Map<String, String> options) {
    BlockTable table = GIVEN.get(options.getOrDefault(TABLE, ""));
    if (table == null) {
      throw new IllegalArgumentException(
          BlockSource.class.getName()
              + " is no format to be read: an algorithm or a program of a PropertyGraph gives tables");
    }
    return table;
  }
}
