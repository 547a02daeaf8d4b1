package org.sparkgpugraph.frame.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldColumn;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.rapids.ColumnFunction;
import org.sparkgpugraph.testing.SharedSpark;

/** Tables whose columns are functions of positions, as Spark computes them without RAPIDS. */
@ExtendWith(SharedSpark.class)
class ResultColumnsTest {
  private static final SparkSession SPARK = SparkSession.builder().getOrCreate();

  private static HeldResult held(long[] ids, Object values) {
    Kind kind = Kind.of(values.getClass().getComponentType());
    return new HeldResult(
        new Columns(List.of(kind), new Object[] {values}, ids.length),
        null,
        0,
        ids.length,
        ValueType.of(kind.box()),
        List.of(),
        VertexIdsBuilder.ofSorted(ids));
  }

  private static UDF1<?, ?> onRows(Class<?> type, ColumnFunction column) {
    return (UDF1<Integer, Object>) column::at;
  }

  private static Dataset<Row> table(HeldResult held, DataType type) throws Exception {
    StructField column = new StructField("value", type, false, Metadata.empty());
    return ResultColumns.of(SPARK, held, column, ResultColumnsTest::onRows);
  }

  @Test
  void rowsAreThoseOfTheResult() throws Exception {
    Object[] arrays = {
      new double[] {0.5, 7, -1, 3},
      new long[] {5, 1L << 40, 0, -3},
      new int[] {5, 8, 0, -3},
      new float[] {0.5f, 7, -1, 3},
      new boolean[] {true, false, true, true}
    };
    DataType[] types = {
      DataTypes.DoubleType,
      DataTypes.LongType,
      DataTypes.IntegerType,
      DataTypes.FloatType,
      DataTypes.BooleanType
    };
    for (long[] ids :
        new long[][] {{0, 1, 2, 3}, {0, 2, 3, 4}, {-9, 0, 3, Long.MAX_VALUE}, {1, 2, 3, 4}}) {
      for (int t = 0; t < types.length; t++) {
        Dataset<Row> table = table(held(ids, arrays[t]), types[t]);
        assertThat(table.schema().simpleString())
            .isEqualTo("struct<__vertex_key:bigint,value:%s>".formatted(types[t].simpleString()));
        assertThat(table.schema().apply(0).nullable()).isFalse();
        Row[] expected = new Row[ids.length];
        for (int i = 0; i < ids.length; i++) {
          expected[i] = RowFactory.create(ids[i], Array.get(arrays[t], i));
        }
        assertThat(table.collectAsList()).containsExactly(expected);
      }
    }
  }

  @Test
  void aResultMayBeOfNoVertexOrOne() throws Exception {
    assertThat(table(held(new long[0], new double[0]), DataTypes.DoubleType).collectAsList())
        .isEmpty();
    assertThat(table(held(new long[] {7}, new int[] {3}), DataTypes.IntegerType).collectAsList())
        .containsExactly(RowFactory.create(7L, 3));
  }

  /** What Spark knows of a value below a join it asks of the other table, too: of its ids. */
  @Test
  void filtersAndJoinsAskForNoOtherPosition() throws Exception {
    long[] ids = LongStream.range(0, 100).toArray();
    int[] values = Arrays.stream(ids).mapToInt(id -> (int) id % 10).toArray();
    Dataset<Row> table =
        table(held(ids, values), DataTypes.IntegerType).withColumnRenamed("__vertex_key", "id");
    Dataset<Row> others = SPARK.range(-50, 1000).selectExpr("if(id = 70, null, id) as id");
    Row row =
        table
            .filter("value > 6")
            .join(others, "id")
            .agg(functions.count("id"), functions.sum("value"))
            .head();
    assertThat(row.getLong(0)).isEqualTo(30);
    assertThat(row.getLong(1)).isEqualTo(10 * (7 + 8 + 9));
    assertThat(table.filter("id between 7 and 8").select("value").collectAsList())
        .containsExactly(RowFactory.create(7), RowFactory.create(8));
  }

  /** The values stay as long as the table is referred to, and no longer. */
  @Test
  void valuesAreKeptForTheTable() throws Exception {
    HeldResult held = held(new long[] {1, 5}, new double[] {2, 4});
    WeakReference<HeldResult> kept = new WeakReference<>(held);
    Dataset<Row> table = table(held, DataTypes.DoubleType);
    held = null;
    Dataset<Row> derived = table.filter("value > 3");
    table = null;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(kept.get()).isNotNull();
    assertThat(derived.collectAsList()).containsExactly(RowFactory.create(5L, 4.0));
    derived = null;
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (kept.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.sleep(50);
    }
    assertThat(kept.get()).isNull();
  }

  @Test
  void anyPositionsAreGathered() {
    String key = "results/result-of-a-test";
    ExecutorRegistry.putResult(key, held(new long[] {3, 5, 9}, new float[] {1, 2, 4}));
    try {
      HeldColumn values = HeldColumn.values(key, null);
      assertThat(values.gather(new int[] {2, 0, 2})).isEqualTo(new float[] {4, 1, 4});
      assertThat(values.range(1, 2)).isEqualTo(new float[] {2, 4});
      assertThat(values.range(0, 3)).isEqualTo(new float[] {1, 2, 4});
      assertThat(values.range(0, 0)).isEqualTo(new float[0]);
      HeldColumn ids = HeldColumn.ids(key, null);
      assertThat(ids.gather(new int[] {2, 0, 2})).isEqualTo(new long[] {9, 3, 9});
      assertThat(ids.range(1, 2)).isEqualTo(new long[] {5, 9});
    } finally {
      ExecutorRegistry.remove(key);
    }
  }
}
