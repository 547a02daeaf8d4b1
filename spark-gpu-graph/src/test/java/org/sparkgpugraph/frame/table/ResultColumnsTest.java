package org.sparkgpugraph.frame.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.algorithm.Hits;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.frame.algorithm.FrameAlgorithm;
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
    StructType columns = new StructType().add("value", type, false);
    return ResultColumns.of(SPARK, held, columns, all -> all, ResultColumnsTest::onRows);
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

  /** Records have a column for each component, and a table may have others made of them. */
  @Test
  void columnsAreExpressionsOfTheValues() throws Exception {
    Columns values =
        new Columns(
            List.of(Kind.BOOLEAN, Kind.INT, Kind.DOUBLE),
            new Object[] {new boolean[] {true, false}, new int[] {3, 4}, new double[] {0.5, 2}},
            2);
    HeldResult held =
        new HeldResult(
            values,
            null,
            0,
            2,
            ValueType.of(Double.class),
            List.of(),
            VertexIdsBuilder.ofSorted(new long[] {-1, 8}));
    StructType columns =
        new StructType()
            .add("some", DataTypes.ShortType, true)
            .add("half", DataTypes.DoubleType, false)
            .add("count", DataTypes.LongType, false);
    Dataset<Row> table =
        ResultColumns.of(
            SPARK,
            held,
            columns,
            of -> new Column[] {functions.when(of[0], of[1]), of[2].divide(2), of[1]},
            ResultColumnsTest::onRows);
    assertThat(table.schema().simpleString())
        .isEqualTo("struct<__vertex_key:bigint,some:smallint,half:double,count:bigint>");
    assertThat(table.collectAsList())
        .containsExactly(
            RowFactory.create(-1L, (short) 3, 0.25, 3L), RowFactory.create(8L, null, 1.0, 4L));
  }

  /** Of each algorithm the expressions give what the cells of rows give. */
  @Test
  void algorithmsHaveTheSameColumnsAndRows() throws Exception {
    PropertyGraph graph =
        PropertyGraph.ofEdges(SPARK.range(1).selectExpr("id as src", "id as dst", "0.5D as w"));
    int[] counts = {-1, 0, 5};
    double[] widths = {Double.POSITIVE_INFINITY, 0, 2.5};
    double[] others = {1, 2, 3};
    check(graph.hops(), List.of(-1, 0, 5), counts);
    check(graph.distances(), List.of(Double.POSITIVE_INFINITY, 0.0, 2.5), widths);
    check(graph.widestPaths(), List.of(Double.POSITIVE_INFINITY, 0.0, 2.5), widths);
    check(graph.triangleCount(), List.of(-1, 0, 5), counts);
    check(graph.pageRank(), List.of(Double.POSITIVE_INFINITY, 0.0, 2.5), widths);
    check(
        graph.hits(),
        List.of(
            new Hits.Scores(Double.POSITIVE_INFINITY, 1),
            new Hits.Scores(0, 2),
            new Hits.Scores(2.5, 3)),
        widths,
        others);
  }

  private static <R> void check(FrameAlgorithm algorithm, List<R> values, Object... arrays)
      throws Exception {
    Field field = algorithm.getClass().getSuperclass().getDeclaredField("cells");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    FrameResult.Expressed<R> cells = (FrameResult.Expressed<R>) field.get(algorithm);
    Method of = FrameAlgorithm.class.getDeclaredMethod("columns");
    of.setAccessible(true);
    StructType columns = (StructType) of.invoke(algorithm);
    ValueType type = ValueType.of(values.get(0).getClass());
    List<Kind> kinds =
        Arrays.stream(arrays).map(array -> Kind.of(array.getClass().getComponentType())).toList();
    assertThat(type.columns()).isEqualTo(kinds);
    HeldResult held =
        new HeldResult(
            new Columns(kinds, arrays, 3),
            null,
            0,
            3,
            type,
            List.of(),
            VertexIdsBuilder.ofSorted(new long[] {0, 1, 2}));
    Dataset<Row> table =
        ResultColumns.of(SPARK, held, columns, cells.expressions(), ResultColumnsTest::onRows);
    Row[] expected = new Row[3];
    for (int i = 0; i < expected.length; i++) {
      Object[] of3 = cells.of(values.get(i));
      Object[] row = new Object[of3.length + 1];
      row[0] = (long) i;
      System.arraycopy(of3, 0, row, 1, of3.length);
      expected[i] = RowFactory.create(row);
    }
    assertThat(table.collectAsList())
        .as(algorithm.getClass().getSimpleName())
        .containsExactly(expected);
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
    // Those of other tests may go meanwhile: what is kept of them is far less than of this one.
    long[] ids = LongStream.range(0, 1 << 17).map(id -> 4 * id + 1).toArray();
    double[] doubles = new double[ids.length];
    doubles[1] = 4;
    long bytes = 8L * ids.length;
    long heap = 8 * 2 * bytes;
    assertThat(ResultColumns.fits(bytes, heap)).isTrue();
    HeldResult held = held(ids, doubles);
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
    assertThat(ResultColumns.fits(2 * bytes, heap)).isFalse();
    assertThat(derived.collectAsList()).containsExactly(RowFactory.create(5L, 4.0));
    derived = null;
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (kept.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.sleep(50);
    }
    assertThat(kept.get()).isNull();
    assertThat(ResultColumns.fits(bytes + bytes / 2, heap)).isTrue();
  }

  @Test
  void anyPositionsAreGathered() {
    String key = "results/result-of-a-test";
    ExecutorRegistry.putResult(key, held(new long[] {3, 5, 9}, new float[] {1, 2, 4}));
    try {
      HeldColumn values = HeldColumn.values(key, 0, null);
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
