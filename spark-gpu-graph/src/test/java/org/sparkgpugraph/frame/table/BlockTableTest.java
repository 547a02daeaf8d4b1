package org.sparkgpugraph.frame.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.SharedSpark;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Results that Spark SQL reads as columns, without RAPIDS. */
@ExtendWith(SharedSpark.class)
class BlockTableTest {
  private static final List<ColumnType> KINDS =
      List.of(Kind.BOOLEAN, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);

  private final JavaSparkContext context;
  private final SparkSession spark = SparkSession.builder().getOrCreate();

  BlockTableTest(JavaSparkContext context) {
    this.context = context;
  }

  /** A value of each kind; the arrays are longer than the block, as those of a run may be. */
  private static VertexBlock block(long... ids) {
    int capacity = ids.length + 3;
    Columns values = Columns.allocate(KINDS, capacity);
    for (int i = 0; i < ids.length; i++) {
      Row row = row(ids[i]);
      for (int c = 0; c < KINDS.size(); c++) {
        values.set(c, i, row.get(c + 1));
      }
    }
    return new VertexBlock(ids.length, Arrays.copyOf(ids, capacity), null, capacity, values);
  }

  private static Row row(long id) {
    return RowFactory.create(
        id, id % 2 == 0, (int) id * 3, id * id, id / 4f, id == 0 ? Double.NaN : 1d / id);
  }

  private BlockTable table(long vertices, VertexBlock[]... partitions) {
    List<VertexBlock[]> all = new ArrayList<>(List.of(partitions));
    JavaRDD<VertexBlock> blocks =
        context
            .parallelize(all, all.size())
            .mapPartitions(arrays -> Arrays.asList(arrays.next()).iterator());
    ClassTag<VertexBlock> tag = ClassTag$.MODULE$.apply(VertexBlock.class);
    return new BlockTable(KeptRdd.of(blocks.rdd(), tag), vertices, ValueColumns.schema(KINDS));
  }

  private BlockTable table() {
    return table(
        7,
        new VertexBlock[] {block(-5, 0, 1), block(2, 8)},
        new VertexBlock[0],
        new VertexBlock[] {block()},
        new VertexBlock[] {block(Long.MAX_VALUE, 1L << 40)});
  }

  private static String plan(Dataset<Row> table) {
    return table.queryExecution().executedPlan().toString();
  }

  @Test
  void rowsAreThoseOfTheBlocks() {
    Dataset<Row> table = BlockSource.read(spark, table());
    Row[] expected =
        LongStream.of(-5, 0, 1, 2, 8, Long.MAX_VALUE, 1L << 40)
            .mapToObj(BlockTableTest::row)
            .toArray(Row[]::new);
    assertThat(table.collectAsList()).containsExactly(expected);
    assertThat(table.schema()).isEqualTo(ValueColumns.schema(KINDS));
    assertThat(table.count()).isEqualTo(7);
    assertThat(plan(table)).contains("ColumnarToRow").contains("BatchScan vertex values");
  }

  @Test
  void whatAQueryDoesNotReadIsNotTouched() {
    VertexBlock block = block(3, 4);
    ColumnarBatch batch = new BlockReaders(new int[] {3, 0}).batch(block);
    assertThat(batch.numCols()).isEqualTo(2);
    assertThat(batch.numRows()).isEqualTo(2);
    assertThat(batch.column(0).getLong(1)).isEqualTo(16);
    assertThat(batch.column(1).getLong(1)).isEqualTo(4);
    assertThat(batch.column(0).hasNull()).isFalse();
    assertThatThrownBy(() -> batch.column(0).getUTF8String(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("BIGINT");
    Dataset<Row> table = BlockSource.read(spark, table());
    String value = table.columns()[5];
    Dataset<Row> one = table.select(value);
    assertThat(plan(one)).contains(value).doesNotContain(FrameResult.KEY);
    assertThat(one.agg(functions.count(value)).head().getLong(0)).isEqualTo(7);
  }

  @Test
  void tablesAreFilteredJoinedAndGrouped() {
    Dataset<Row> table = BlockSource.read(spark, table());
    Column id = functions.col(FrameResult.KEY);
    String square = table.columns()[3];
    assertThat(table.filter(id.between(1, 8)).select(id, functions.col(square)).collectAsList())
        .containsExactly(
            RowFactory.create(1L, 1L), RowFactory.create(2L, 4L), RowFactory.create(8L, 64L));
    Dataset<Row> other = table.select(id, functions.col(square).as("other"));
    assertThat(
            table
                .filter(id.lt(3))
                .join(other, FrameResult.KEY)
                .agg(functions.sum("other"), functions.count("*"))
                .head())
        .isEqualTo(RowFactory.create(25L + 0 + 1 + 4, 4L));
  }

  /** Spark knows how small it is, and sends it to the other table instead of shuffling both. */
  @Test
  void sizesAreTold() {
    BlockTable table = table();
    Dataset<Row> read = BlockSource.read(spark, table);
    assertThat(read.queryExecution().optimizedPlan().stats().sizeInBytes().toLong())
        .isBetween(7L, 1000L);
    assertThat(new BlockScan(table, List.of(0)).estimateStatistics().sizeInBytes()).hasValue(7 * 8);
    assertThat(new BlockScan(table, List.of(0, 1)).estimateStatistics().numRows()).hasValue(7);
    assertThat(new BlockScan(table, List.of(0, 1)))
        .isEqualTo(new BlockScan(table, List.of(0, 1)))
        .isNotEqualTo(new BlockScan(table, List.of(1, 0)))
        .isNotEqualTo(new BlockScan(table(), List.of(0, 1)));
  }

  @Test
  void aTableMayHaveNoVertexOrNoBlock() {
    assertThat(BlockSource.read(spark, table(0, new VertexBlock[0])).collectAsList()).isEmpty();
    assertThat(BlockSource.read(spark, table(0, new VertexBlock[] {block()})).count()).isZero();
  }

  /** The blocks stay as long as a table is made of them, and no longer. */
  @Test
  void blocksAreKeptForTheTable() throws Exception {
    BlockTable table = table();
    int key = table.blocks().id();
    Dataset<Row> derived = BlockSource.read(spark, table).filter(FrameResult.KEY + " = 8");
    table = null;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(derived.collectAsList()).containsExactly(row(8));
    derived = null;
    // Spark's cleaner has a thread of its own.
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (isStored(key) && System.nanoTime() < deadline) {
      System.gc();
      Thread.sleep(50);
    }
    assertThat(isStored(key)).isFalse();
  }

  private boolean isStored(int rdd) {
    return Arrays.stream(context.sc().getRDDStorageInfo()).anyMatch(info -> info.id() == rdd);
  }

  @Test
  void itIsNoFormatForUsers() {
    assertThatThrownBy(() -> spark.read().format(BlockSource.class.getName()).load())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no format to be read")
        .hasMessageContaining("PropertyGraph");
  }

  /** What an algorithm gives has the declared columns, and no row is made before it is read. */
  @Test
  void algorithmsGiveColumns() {
    PropertyGraph graph =
        PropertyGraph.ofEdges(spark.range(20).selectExpr("id as src", "(id + 1) % 20 as dst"));
    Dataset<Row> ranks = graph.pageRank().maxIter(3).run();
    assertThat(ranks.schema())
        .isEqualTo(
            new StructType()
                .add("id", DataTypes.LongType, false)
                .add("pagerank", DataTypes.DoubleType, false));
    assertThat(plan(ranks)).contains("BatchScan vertex values").doesNotContain("ExistingRDD");
    assertThat(ranks.filter("pagerank > 0.99 and pagerank < 1.01").count()).isEqualTo(20);
  }
}
