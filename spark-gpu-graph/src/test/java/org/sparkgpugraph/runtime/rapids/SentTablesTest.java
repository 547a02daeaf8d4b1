package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.testing.SharedSpark;

/**
 * Tables whose edges are sent to several shards by a query, over classes that have the names of
 * RAPIDS' own, which make columns of whatever Spark computes. There is no GPU: each shard is made
 * on the host of what has come to it.
 */
@ExtendWith(SharedSpark.class)
class SentTablesTest {
  private static final String COLUMNAR = "com.nvidia.spark.rapids.ColumnarRdd";
  private static final String COPIED = "edges are copied from the GPU to the host in columns: ";
  private static final String PLACEMENT = "spark.gpugraph.placement";
  private static final String ROWS_ON = "spark.gpugraph.gpu.buildRows";
  private static final String POOL_FRACTION = "spark.gpugraph.gpu.poolFraction";
  private static final String RMM = "ai.rapids.cudf.Rmm";

  @TempDir static Path classes;

  private static FakeRapids running;

  private final List<String> plans = new ArrayList<>();

  @BeforeAll
  static void compile() throws Exception {
    FakeRapids.compile(classes);
  }

  @BeforeEach
  void start(JavaSparkContext sc) throws Exception {
    running = FakeRapids.start(classes);
    Function<Dataset<Row>, RDD<?>> made = this::columns;
    running.set(COLUMNAR, "made", made);
    running.set(RMM, "pool", 1L << 30);
  }

  @AfterEach
  void stop(JavaSparkContext sc) {
    sc.setLocalProperty(ROWS_ON, null);
    try {
      assertThat(running.get("ai.rapids.cudf.Table", "open")).as("tables").isEqualTo(0);
    } finally {
      running.close();
      running = null;
    }
  }

  /** Tables of a query's rows, one a partition; their RDD is not one that ends with rows. */
  private RDD<?> columns(Dataset<Row> table) {
    plans.add(InternalRows.queryExecution(table).optimizedPlan().toString());
    JavaRDD<Row> rows = table.toJavaRDD();
    for (int step = 0; step < 4; step++) {
      rows = rows.map(row -> row);
    }
    int columns = table.columns().length;
    return rows.mapPartitions(some -> List.of(some).iterator())
        .map(some -> table(some, columns))
        .rdd();
  }

  private static Object table(Iterator<Row> rows, int columns) throws Exception {
    List<Row> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    Class<?> type = running.type("ai.rapids.cudf.ColumnVector");
    Object made = Array.newInstance(type, columns);
    for (int c = 0; c < columns; c++) {
      int column = c;
      long[] content =
          IntStream.range(0, all.size())
              .mapToLong(
                  r ->
                      column < 2
                          ? all.get(r).getLong(column)
                          : Double.doubleToRawLongBits(all.get(r).getDouble(column)))
              .toArray();
      Array.set(
          made,
          c,
          type.getConstructor(long.class, boolean.class, long[].class)
              .newInstance(64L * (c + 1), false, content));
    }
    return running.type("ai.rapids.cudf.Table").getConstructor(made.getClass()).newInstance(made);
  }

  private static Dataset<Row> edges() {
    return SparkSession.builder()
        .getOrCreate()
        .range(0, 3_000, 1, 3)
        .selectExpr(
            "pmod(id * 7919, 400) - 50 as src",
            "pmod(id * id, 133) - 50 as dst",
            "cast(pmod(id, 17) + 1 as double) as weight");
  }

  private static Map<Object, Object> values(Dataset<Row> result) {
    Map<Object, Object> values = new HashMap<>();
    result.collectAsList().forEach(row -> values.put(row.get(0), row.get(1)));
    return values;
  }

  /** Ranks (forwards), distances (weights) and components (both ways), and the last notes. */
  private record Found(List<Map<Object, Object>> results, List<String> notes) {}

  private static Found run(RunOptions options) {
    AtomicReference<RunReport> report = new AtomicReference<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void finished(RunReport of) {
            report.set(of);
          }
        };
    PropertyGraph graph = PropertyGraph.ofEdges(edges()).options(options.withObserver(observer));
    List<Map<Object, Object>> results =
        List.of(
            values(graph.connectedComponents().run()),
            values(graph.distances().source(-50).weight("weight").run()),
            values(graph.pageRank().maxIter(5).run()));
    return new Found(results, report.get().notes());
  }

  private static RunOptions over(int executors) {
    return RunOptions.DEFAULT.withExecutors(executors);
  }

  @Test
  void eachShardGetsItsEdges() {
    for (int executors : new int[] {2, 3}) {
      plans.clear();
      List<Map<Object, Object>> expected =
          run(over(executors).withEngine(EngineChoice.CPU)).results();
      assertThat(plans).as("on the CPU").noneMatch(plan -> plan.contains("Generate"));
      assertThat(expected).noneMatch(Map::isEmpty);
      Found found = run(over(executors));
      assertThat(found.results()).isEqualTo(expected);
      assertThat(plans).anyMatch(plan -> plan.contains("Generate explode"));
      assertThat(found.notes())
          .anyMatch(note -> note.startsWith("edges on the GPU go through the host: shard 0: "));
    }
  }

  /** By default as where the device is asked for; rows and copies are other ways. */
  @Test
  void settingsChooseTheWay(JavaSparkContext sc) {
    List<Map<Object, Object>> expected = run(over(2).withEngine(EngineChoice.CPU)).results();
    for (String rows : new String[] {null, "auto", "device", "host"}) {
      plans.clear();
      sc.setLocalProperty(ROWS_ON, rows);
      Found found = run(over(2));
      assertThat(found.results()).as(rows).isEqualTo(expected);
      if ("host".equals(rows)) {
        assertThat(plans).isEmpty();
        assertThat(found.notes()).contains("edges come as rows: " + ROWS_ON + " = host");
      } else {
        assertThat(plans).as(rows).anyMatch(plan -> plan.contains("Generate explode"));
      }
    }
    plans.clear();
    sc.setLocalProperty(ROWS_ON, null);
    sc.setLocalProperty(POOL_FRACTION, "0");
    try {
      Found found = run(over(2));
      assertThat(found.results()).isEqualTo(expected);
      assertThat(found.notes()).contains(COPIED + POOL_FRACTION + " = 0.0");
      assertThat(plans).isNotEmpty().noneMatch(plan -> plan.contains("Generate"));
    } finally {
      sc.setLocalProperty(POOL_FRACTION, null);
    }
  }

  /** Of a shard they have no room in what graphs may take of the pool: nothing waits there. */
  @Test
  void aPoolThatIsTooSmallHasThemCopied(JavaSparkContext sc) {
    List<Map<Object, Object>> expected = run(over(2).withEngine(EngineChoice.CPU)).results();
    running.set(RMM, "pool", 20_000L);
    // Tasks do not see the classes by which it is found.
    assertThat(Rapids.here()).isPresent();
    for (String rows : new String[] {"device", null}) {
      sc.setLocalProperty(ROWS_ON, rows);
      Found found = run(over(2));
      assertThat(found.results()).isEqualTo(expected);
      assertThat(found.notes())
          .anyMatch(
              note ->
                  note.matches(
                      Pattern.quote(COPIED)
                          + "shard [01]: edges take \\d+ bytes of a GPU, and may take 10000 "
                          + Pattern.quote("(" + POOL_FRACTION + ")")));
      assertThat(running.get("ai.rapids.cudf.Table", "open")).as("tables").isEqualTo(0);
    }
  }

  /** RAPIDS runs out of memory, at once or in the tasks that read what it sends. */
  @Test
  void aQueryThatFailsHasThemCopied(JavaSparkContext sc) {
    List<Map<Object, Object>> expected = run(over(2).withEngine(EngineChoice.CPU)).results();
    Function<Dataset<Row>, RDD<?>> atOnce =
        table -> {
          if (plan(table).contains("Generate")) {
            throw new IllegalStateException("no GPU memory is left");
          }
          return columns(table);
        };
    Function<Dataset<Row>, RDD<?>> later =
        table ->
            plan(table).contains("Generate")
                ? columns(table)
                    .toJavaRDD()
                    .mapPartitionsWithIndex(
                        (index, tables) -> index == 1 ? failing(tables) : tables, true)
                    .rdd()
                : columns(table);
    for (Function<Dataset<Row>, RDD<?>> made : List.of(atOnce, later)) {
      running.set(COLUMNAR, "made", made);
      sc.setLocalProperty(ROWS_ON, "device");
      assertThatThrownBy(() -> run(over(2))).hasMessageContaining("no GPU memory is left");
      sc.setLocalProperty(ROWS_ON, null);
      Found found = run(over(2));
      assertThat(found.results()).isEqualTo(expected);
      assertThat(found.notes())
          .contains(
              COPIED + "RAPIDS did not send them: IllegalStateException: no GPU memory is left");
    }
  }

  private static <T> Iterator<T> failing(Iterator<T> tables) {
    throw new IllegalStateException("no GPU memory is left");
  }

  @Test
  void whatIsInTheWayIsTold(JavaSparkContext sc) {
    assertThat(run(over(2).withEngine(EngineChoice.CPU)).notes())
        .contains(COPIED + "spark.gpugraph.engine = cpu");
    sc.setLocalProperty(PLACEMENT, "neighbours");
    try {
      assertThat(run(over(2)).notes()).contains(COPIED + PLACEMENT + " = neighbours");
    } finally {
      sc.setLocalProperty(PLACEMENT, null);
    }
    assertThat(plans).noneMatch(plan -> plan.contains("Generate"));
  }

  /** The exchange is not on the GPU, or has other partitions: edges come in parcels. */
  @Test
  void anotherPlanIsNotTaken() {
    List<Map<Object, Object>> expected = run(over(2)).results();
    Function<Dataset<Row>, RDD<?>> rows =
        table -> plan(table).contains("Generate") ? table.rdd() : columns(table);
    running.set(COLUMNAR, "made", rows);
    Found found = run(over(2));
    assertThat(found.results()).isEqualTo(expected);
    assertThat(found.notes())
        .anyMatch(
            note ->
                note.startsWith(COPIED)
                    && note.endsWith("with which the plan of their table ends, is not on the GPU"));
    Function<Dataset<Row>, RDD<?>> others =
        table -> columns(plan(table).contains("Generate") ? table.coalesce(1) : table);
    running.set(COLUMNAR, "made", others);
    found = run(over(2));
    assertThat(found.results()).isEqualTo(expected);
    assertThat(found.notes())
        .anyMatch(
            note -> note.matches(Pattern.quote(COPIED) + "an exchange into \\d+ partitions has 1"));
  }

  private static String plan(Dataset<Row> table) {
    return InternalRows.queryExecution(table).optimizedPlan().toString();
  }
}
