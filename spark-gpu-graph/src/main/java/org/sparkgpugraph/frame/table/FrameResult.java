package org.sparkgpugraph.frame.table;

import java.io.Serializable;
import java.lang.reflect.Array;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The result of a run as a table of keys and values. */
public final class FrameResult {
  /** Name of the column of the keys; no user's column has it. */
  public static final String KEY = "__vertex_key";

  private FrameResult() {}

  /** What a value is in a row: a cell for each column. */
  public interface Cells<R> extends Serializable {
    Object[] of(R value);
  }

  /** What columns of values are in a table: a column for each of its own. */
  @FunctionalInterface
  public interface Expressions extends Serializable {
    Column[] of(Column[] values);
  }

  /** Cells that expressions make of the values' columns, too, so that no row need be made. */
  record Expressed<R>(Cells<R> cells, Expressions expressions) implements Cells<R> {
    @Override
    public Object[] of(R value) {
      return cells.of(value);
    }
  }

  /** One column of the values as they are. */
  public static <R> Cells<R> one() {
    return expressed(value -> new Object[] {value}, values -> values);
  }

  /**
   * Cells of values of primitives, or records of them.
   *
   * @param expressions the same of their columns, in the order of a record's components
   */
  public static <R> Cells<R> expressed(Cells<R> cells, Expressions expressions) {
    return new Expressed<>(cells, expressions);
  }

  /** What a vertex of a block is in a row: a cell for each column. */
  public interface BlockCells extends Serializable {
    Object[] of(VertexBlock block, int position);
  }

  /**
   * The values of a run, in Spark's storage as long as the table is referred to; the run's own
   * result may be closed. Numbers are columns there, of which Spark SQL makes rows as it needs them
   * ({@link BlockTable}); where RAPIDS can take them to its GPU in this process they stay in the
   * heap instead ({@link ResultColumns}).
   */
  @SuppressWarnings("unchecked") // the result has this type
  public static <R> Dataset<Row> of(
      SparkSession spark, VertexResult<R> result, StructType columns, Cells<R> cells) {
    BlockCells ofBlocks =
        (block, position) -> cells.of((R) Array.get(block.values(), block.slot(position)));
    return cells instanceof Expressed<R> expressed
        ? ofColumns(spark, result, columns, expressed.expressions, ofBlocks)
        : ofBlocks(spark, result, columns, ofBlocks);
  }

  /**
   * As above, of values that are no objects.
   *
   * @param expressions what their columns are in the table; null: rows are to be made
   * @param cells the same of a row
   */
  public static Dataset<Row> ofColumns(
      SparkSession spark,
      VertexResult<?> result,
      StructType columns,
      Expressions expressions,
      BlockCells cells) {
    Dataset<Row> onGpu =
        expressions == null ? null : ResultColumns.of(spark, result, columns, expressions);
    if (onGpu != null) {
      return onGpu;
    }
    return expressions != null && result.type().isNumbers()
        ? ofColumnBlocks(spark, result, columns, expressions)
        : ofBlocks(spark, result, columns, cells);
  }

  private static Dataset<Row> ofColumnBlocks(
      SparkSession spark, VertexResult<?> result, StructType columns, Expressions expressions) {
    HeldBlocks held = Internals.held(result);
    BlockTable table =
        new BlockTable(
            kept(held.columnBlocks()).rdd(),
            held.vertices(),
            ValueColumns.schema(result.type().columns()));
    return ValueColumns.expressed(BlockSource.read(spark, table), columns, expressions);
  }

  private static JavaRDD<VertexBlock> kept(JavaRDD<VertexBlock> blocks) {
    ClassTag<VertexBlock> tag = ClassTag$.MODULE$.apply(VertexBlock.class);
    return new JavaRDD<>(KeptRdd.of(blocks.rdd(), tag), tag);
  }

  private static Dataset<Row> ofBlocks(
      SparkSession spark, VertexResult<?> result, StructType columns, BlockCells cells) {
    JavaRDD<VertexBlock> kept = kept(result.blocks());
    StructType schema = new StructType().add(KEY, DataTypes.LongType, false);
    for (StructField column : columns.fields()) {
      schema = schema.add(column);
    }
    return spark.createDataFrame(
        kept.flatMap(block -> new IndexedRows(block.size(), i -> row(block, i, cells))), schema);
  }

  private static Row row(VertexBlock block, int position, BlockCells cells) {
    Object[] given = cells.of(block, position);
    Object[] row = new Object[given.length + 1];
    row[0] = block.ids()[position];
    System.arraycopy(given, 0, row, 1, given.length);
    return RowFactory.create(row);
  }
}
