package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.runtime.held.HostCopies;
import org.sparkgpugraph.testing.SharedSpark;

/** Tables of RAPIDS, over classes that have the names of its own. */
@ExtendWith(SharedSpark.class)
class CudfTableTest {
  private static final String TABLE = "ai.rapids.cudf.Table";

  @TempDir static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    FakeRapids.compile(classes);
  }

  private static Object column(FakeRapids rapids, long address, boolean nulls, long... content)
      throws Exception {
    return rapids
        .type("ai.rapids.cudf.ColumnVector")
        .getConstructor(long.class, boolean.class, long[].class)
        .newInstance(address, nulls, content);
  }

  private static Object table(FakeRapids rapids, Object... columns) throws Exception {
    Object array = Array.newInstance(columns[0].getClass(), columns.length);
    for (int c = 0; c < columns.length; c++) {
      Array.set(array, c, columns[c]);
    }
    return rapids.type(TABLE).getConstructor(array.getClass()).newInstance(array);
  }

  private static CudfBinding cudf(FakeRapids rapids) throws Exception {
    return new CudfBinding(rapids.type(TABLE).getClassLoader());
  }

  @Test
  void columnsAreWhereTheyAre() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      long[] weights = {Double.doubleToRawLongBits(0.5), Double.doubleToRawLongBits(-3)};
      Object table =
          table(
              rapids,
              column(rapids, 4096, false, -7, 8),
              column(rapids, 8192, false, 8, 1L << 40),
              column(rapids, 512, false, weights));
      CudfTable edges = new CudfTable(cudf(rapids), table, true);
      assertThat(edges.size()).isEqualTo(2);
      assertThat(edges.sources()).isEqualTo(4096);
      assertThat(edges.destinations()).isEqualTo(8192);
      assertThat(edges.values()).isEqualTo(512);
      assertThat(rapids.get("ai.rapids.cudf.Cuda", "streamWaits"))
          .as("until what made them is done")
          .isEqualTo(1);
      DeviceEdgeBlock block = new DeviceEdgeBlock(edges, true);
      assertThat(block.copyBytes()).isEqualTo(48);
      assertThat(block.bytes()).isZero();
      assertThat(block.destination(1)).isEqualTo(1L << 40);
      GlobalEdgeBlock copied = block.onHost();
      assertThat(copied.sources()).containsExactly(-7, 8);
      assertThat(copied.destinations()).containsExactly(8, 1L << 40);
      assertThat((double[]) copied.values()).containsExactly(0.5, -3);
      assertThat(block.bytes()).isEqualTo(copied.bytes());
      assertThat(rapids.get(TABLE, "open")).as("copied, it is not needed any more").isEqualTo(0);
      block.close();
      assertThat(rapids.get("ai.rapids.cudf.HostColumnVector", "open")).isEqualTo(0);
    }
  }

  @Test
  void itsMethodsAreLookedUpOnce() throws Exception {
    CudfBinding before;
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      before = CudfBinding.of(table(rapids, column(rapids, 64, false, 1)));
      assertThat(CudfBinding.of(table(rapids, column(rapids, 64, false, 2)))).isSameAs(before);
    }
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      assertThat(CudfBinding.of(table(rapids, column(rapids, 64, false, 3))))
          .as("of another plugin's classes")
          .isNotSameAs(before);
    }
  }

  @Test
  void aTableMayHaveNoRows() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      for (boolean values : new boolean[] {false, true}) {
        Object table =
            table(
                rapids,
                column(rapids, 0, false),
                column(rapids, 0, false),
                column(rapids, 0, false));
        CudfTable none = new CudfTable(cudf(rapids), table, values);
        assertThat(none.size()).isZero();
        assertThat(none.copyEnds(true)).isEmpty();
        assertThat(none.copyValues() == null).isEqualTo(!values);
        none.close();
        none.close();
      }
      assertThat(rapids.get(TABLE, "open")).isEqualTo(0);
    }
  }

  @Test
  void nullsAreRefused() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      for (int of = 0; of < 3; of++) {
        Object table =
            table(
                rapids,
                column(rapids, 1, of == 0, 5),
                column(rapids, 1, of == 1, 5),
                column(rapids, 1, of == 2, 5));
        String what = of == 2 ? "weight" : "end";
        CudfBinding cudf = cudf(rapids);
        assertThatThrownBy(() -> new CudfTable(cudf, table, true))
            .isInstanceOf(NullInTableException.class)
            .hasMessageContaining("null for a" + (of == 2 ? " " : "n ") + what);
        assertThat(rapids.get(TABLE, "open")).as("closed").isEqualTo(0);
      }
    }
  }

  /** Where the plan gives rows, or the plugin is another one than known, edges come as rows. */
  @Test
  void whatIsNotOnTheGpuComesAsRows(JavaSparkContext sc) throws Exception {
    Dataset<Row> table = SparkSession.builder().getOrCreate().sql("select 1L as src, 2L as dst");
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      assertThatThrownBy(
              () -> ColumnarTables.edges(table, false, ColumnarTables.To.DEVICE, () -> "Project"))
          .isInstanceOf(ColumnarTables.RowsException.class)
          .hasMessage("Project, with which the plan of their table ends, is not on the GPU");
      rapids.set("com.nvidia.spark.rapids.ColumnarRdd", "tables", sc.parallelize(List.of(1)).rdd());
      JavaRDD<?> blocks =
          ColumnarTables.edges(table, false, ColumnarTables.To.DEVICE, () -> "Project");
      assertThat(blocks).isNotNull();
    }
    assertThatThrownBy(
            () -> ColumnarTables.edges(table, false, ColumnarTables.To.DEVICE, () -> "Project"))
        .as("without its classes")
        .isInstanceOf(ColumnarTables.RowsException.class)
        .hasMessageContaining("ShimLoader");
  }

  private static FakeRapids running;

  /** In a task. */
  private static Object made(int first) throws Exception {
    return table(running, column(running, 64, false, first, -1), column(running, 128, false, 7, 8));
  }

  /** For executors of a cluster, where no task may hand over what is on its GPU. */
  @Test
  void columnsAreCopiedToTheHost(JavaSparkContext sc) throws Exception {
    Dataset<Row> table = SparkSession.builder().getOrCreate().sql("select 1L as src, 2L as dst");
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      running = rapids;
      rapids.set(
          "com.nvidia.spark.rapids.ColumnarRdd",
          "tables",
          sc.parallelize(List.of(3, 5), 2).map(CudfTableTest::made).rdd());
      List<EdgeBlock> blocks =
          ColumnarTables.edges(table, false, ColumnarTables.To.HOST, () -> "Project")
              .mapPartitions(all -> new HostCopies(all, BuildMemory.Reservation.NONE))
              .collect();

      assertThat(blocks).allMatch(GlobalEdgeBlock.class::isInstance);
      assertThat(blocks.stream().map(block -> block.source(0))).containsExactly(3L, 5L);
      assertThat(blocks.stream().map(block -> block.destination(1))).containsExactly(8L, 8L);
      assertThat(rapids.get(TABLE, "open")).as("freed").isEqualTo(0);
    } finally {
      running = null;
    }
  }
}
