package org.sparkgpugraph.frame.table;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldColumn;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.load.GpuColumns;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.rapids.ColumnFunction;
import org.sparkgpugraph.runtime.rapids.GpuFunction;

/**
 * A result as a table whose columns RAPIDS has on the GPU: numbers from 0 on, of which functions
 * make keys and values, batch by batch. No row is made of them before an operator that is not on
 * the GPU asks for rows.
 */
final class ResultColumns {
  private static final Logger LOG = LoggerFactory.getLogger(ResultColumns.class);
  private static final Cleaner CLEANER = Cleaner.create();

  /**
   * Part of the heap that values of tables take at most: they count as graphs do, and Spark can
   * neither write them to disk nor know of tables that nobody refers to before the JVM does.
   */
  private static final int HEAP_PARTS = 8;

  private static final AtomicLong KEPT = new AtomicLong();

  /** Rows of a partition at least: a GPU takes many at once. */
  private static final int ROWS = 1 << 22;

  private ResultColumns() {}

  /**
   * The table of keys and values.
   *
   * @param result may be closed afterwards: the values stay in this process' heap as long as
   *     somebody refers to the table
   * @param columns of the table beside the keys
   * @param expressions what these are of the columns of the values
   * @return null where it has to be one of Spark's storage
   */
  static Dataset<Row> of(
      SparkSession spark,
      VertexResult<?> result,
      StructType columns,
      FrameResult.Expressions expressions) {
    if (!GpuColumns.areAsked(spark.sparkContext())) {
      return null;
    }
    HeldBlocks blocks = Internals.held(result);
    Optional<String> obstacle = blocks.columnsObstacle();
    if (obstacle.isPresent()) {
      LOG.info("results stay in Spark's storage: {}", obstacle.get());
      return null;
    }
    HeldResult held = blocks.here();
    if (!held.isWhole()) {
      LOG.info("results stay in Spark's storage: the graph is a part of another one");
      return null;
    }
    if (!fits(held.values().bytes(), Runtime.getRuntime().maxMemory())) {
      LOG.info(
          "results stay in Spark's storage: tables of results take {} MB of the heap, of which they may take"
              + " an eighth",
          KEPT.get() >> 20);
      return null;
    }
    try {
      Dataset<Row> table = of(spark, held, columns, expressions, GpuFunction::of);
      LOG.info("results are columns on the GPU where RAPIDS reads them");
      return table;
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.warn(
          "results stay in Spark's storage: RAPIDS' functions are not found: {}", e.toString());
      return null;
    }
  }

  /** Whether there is room for the values of one more table. */
  static boolean fits(long bytes, long heap) {
    return KEPT.get() + bytes <= heap / HEAP_PARTS;
  }

  /** Makes what Spark calls of a column. */
  @FunctionalInterface
  interface Wrapping {
    UDF1<?, ?> of(Class<UDF1> onRows, ColumnFunction column) throws ReflectiveOperationException;
  }

  static Dataset<Row> of(
      SparkSession spark,
      HeldResult held,
      StructType columns,
      FrameResult.Expressions expressions,
      Wrapping wrapping)
      throws ReflectiveOperationException {
    String key = RegistryKey.ofResult(spark.sparkContext());
    // Whoever refers to the table refers to its functions, and these to this.
    Object owner = new Object();
    List<ColumnType> kinds = held.values().kinds();
    StructType raw = ValueColumns.schema(kinds);
    Column place = functions.col("id");
    Column position = place.cast(DataTypes.IntegerType);
    Column[] read = new Column[kinds.size() + 1];
    read[0] =
        areThemselves(held.ids())
            ? place
            : call(wrapping.of(UDF1.class, HeldColumn.ids(key, owner)), "id", DataTypes.LongType)
                .apply(position);
    read[0] = read[0].as(FrameResult.KEY);
    for (int c = 0; c < kinds.size(); c++) {
      String name = kinds.size() == 1 ? columns.apply(0).name() : "value" + c;
      UDF1<?, ?> function = wrapping.of(UDF1.class, HeldColumn.values(key, c, owner));
      StructField value = raw.apply(c + 1);
      read[c + 1] = call(function, name, value.dataType()).apply(position).as(value.name());
    }
    long bytes = held.values().bytes();
    ExecutorRegistry.putResult(key, held);
    KEPT.addAndGet(bytes);
    CLEANER.register(
        owner,
        () -> {
          KEPT.addAndGet(-bytes);
          ExecutorRegistry.remove(key);
        });
    return ValueColumns.expressed(
        numbers(spark, held.ids().size()).select(read), columns, expressions);
  }

  /** 0…n−1. */
  private static Dataset<Long> numbers(SparkSession spark, long vertices) {
    int cores = spark.sparkContext().defaultParallelism();
    return spark.range(
        0, vertices, 1, (int) Math.max(1, Math.min(cores, (vertices + ROWS - 1) / ROWS)));
  }

  /**
   * Told to Spark as one that is not deterministic, though it is: so it is called for these
   * positions alone, once each. A filter would be pushed below it, and to tables that are joined,
   * whose ids are no positions.
   */
  private static UserDefinedFunction call(UDF1<?, ?> function, String name, DataType type) {
    return functions.udf(function, type).asNonNullable().asNondeterministic().withName(name);
  }

  /** Whether ids, which ascend, are 0…n−1. */
  private static boolean areThemselves(VertexIds ids) {
    long last = ids.size() - 1;
    return ids.ascending() && last >= 0 && ids.original(0) == 0 && ids.original(last) == last;
  }
}
