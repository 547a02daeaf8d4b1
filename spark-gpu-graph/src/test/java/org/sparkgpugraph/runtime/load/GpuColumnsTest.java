package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.frame.Pregel;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.rapids.Rapids;
import org.sparkgpugraph.testing.SharedSpark;

/** What is told of columns that may stay on the GPU. */
@ExtendWith(SharedSpark.class)
class GpuColumnsTest {
  private static final String PLUGINS = "spark.plugins";

  private static void with(JavaSparkContext sc, String key, String value, Runnable work) {
    sc.sc().setLocalProperty(key, value);
    try {
      work.run();
    } finally {
      sc.sc().setLocalProperty(key, null);
    }
  }

  @Test
  void settingsKeepEdgesFromStayingThere(JavaSparkContext sc) {
    RunOptions auto = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
    assertThat(GpuColumns.edgesObstacle(sc.sc(), auto)).isEmpty();
    assertThat(GpuColumns.edgesObstacle(sc.sc(), auto.withEngine(EngineChoice.CPU)))
        .contains("spark.gpugraph.engine = cpu");
    assertThat(GpuColumns.edgesObstacle(sc.sc(), auto.withPartitions(2)))
        .contains("spark.gpugraph.partitions = 2");
    assertThat(GpuColumns.edgesObstacle(sc.sc(), auto.withExecutors(3)))
        .contains("spark.gpugraph.executors = 3");
    with(
        sc,
        GpuGraphConf.POOL_FRACTION.key(),
        "0.0",
        () ->
            assertThat(GpuColumns.edgesObstacle(sc.sc(), auto))
                .contains("spark.gpugraph.gpu.poolFraction = 0.0"));
    assertThat(GpuColumns.rowsAsked(sc.sc(), auto)).isEmpty();
    with(
        sc,
        GpuGraphConf.GPU_BUILD_ROWS.key(),
        "host",
        () ->
            assertThat(GpuColumns.rowsAsked(sc.sc(), auto))
                .contains("spark.gpugraph.gpu.buildRows = host"));
  }

  /** Over several executors edges stay on GPUs by default, where nothing forbids it. */
  @Test
  void columnsAreSentToSeveralExecutors(JavaSparkContext sc) {
    RunOptions auto = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
    for (String rows : new String[] {null, "auto", "device"}) {
      with(
          sc,
          GpuGraphConf.GPU_BUILD_ROWS.key(),
          rows,
          () -> {
            for (RunOptions any : List.of(auto, auto.withExecutors(1), auto.withExecutors(2))) {
              assertThat(GpuColumns.shardsObstacle(sc.sc(), any)).isEmpty();
            }
            assertThat(GpuColumns.shardsObstacle(sc.sc(), auto.withEngine(EngineChoice.CPU)))
                .contains("spark.gpugraph.engine = cpu");
            assertThat(GpuColumns.shardsObstacle(sc.sc(), auto.withPartitions(2)))
                .contains("spark.gpugraph.partitions = 2");
            with(
                sc,
                GpuGraphConf.PLACEMENT.key(),
                "neighbours",
                () ->
                    assertThat(GpuColumns.shardsObstacle(sc.sc(), auto.withExecutors(2)))
                        .contains("spark.gpugraph.placement = neighbours"));
            with(
                sc,
                GpuGraphConf.POOL_FRACTION.key(),
                "0.0",
                () ->
                    assertThat(GpuColumns.shardsObstacle(sc.sc(), auto.withExecutors(2)))
                        .contains("spark.gpugraph.gpu.poolFraction = 0.0"));
          });
    }
  }

  private static GraphHandle handle(String... locations) {
    return new GraphHandle(
        "graph",
        new ArrayList<>(Arrays.asList(locations)),
        null,
        5,
        5,
        5,
        1,
        0,
        new Needs(false, false, true),
        null);
  }

  @Test
  void resultsOfOneProcessAndOfSingleNumbersMayBeColumns(JavaSparkContext sc) {
    GraphHandle here = handle((String) null);
    ValueType number = ValueType.of(Double.class);
    assertThat(GpuColumns.resultObstacle(sc.sc(), here, number))
        .contains("RAPIDS uses no GPU in this process");
    assertThat(GpuColumns.resultObstacle(sc.sc(), handle("executor_a_1"), number))
        .contains("the master is not local[n]");
    assertThat(GpuColumns.resultObstacle(sc.sc(), handle(null, null), number))
        .contains("the master is not local[n]");
    assertThat(GpuColumns.resultObstacle(sc.sc(), here, ValueType.of(double[].class)))
        .contains("its values are not single numbers");
    with(
        sc,
        GpuGraphConf.GPU_BUILD_ROWS.key(),
        "host",
        () ->
            assertThat(GpuColumns.ofResult(sc.sc(), here, number))
                .isEqualTo(
                    "a table of the result has columns in Spark's storage:"
                        + " spark.gpugraph.gpu.buildRows = host"));
    assertThat(GpuColumns.ofResult(sc.sc(), here, ValueType.of(double[].class)))
        .isEqualTo("a table of the result has rows: its values are not single numbers");
  }

  /** Reports and {@code explain()} say it, and only of an application that has RAPIDS. */
  @Test
  void reportsAndExplanationsTellIt(JavaSparkContext sc) {
    Dataset<Row> edges =
        SparkSession.builder()
            .getOrCreate()
            .range(100)
            .selectExpr("id as src", "(id * 7) % 100 as dst", "cast(id as decimal(9, 1)) as cost");
    String plan = "edges come as rows: RAPIDS' columns are not found";
    String result =
        "a table of the result has columns in Spark's storage: RAPIDS uses no GPU in this process";
    assertThat(notes(edges, null)).noneMatch(note -> note.contains("rows: "));
    assertThat(explained(edges)).doesNotContain("columns: ");
    sc.sc().conf().set(PLUGINS, Rapids.PLUGIN);
    try {
      assertThat(notes(edges, null)).anyMatch(note -> note.startsWith(plan)).contains(result);
      assertThat(notes(edges, "cost")).contains("edges come as rows: weights are decimals");
      assertThat(explained(edges))
          .contains("columns: " + plan, "columns: a table of the result has columns in Spark's");
    } finally {
      sc.sc().conf().remove(PLUGINS);
    }
  }

  private static List<String> notes(Dataset<Row> edges, String weight) {
    List<RunReport> reports = Collections.synchronizedList(new ArrayList<>());
    RunObserver observer =
        new RunObserver() {
          @Override
          public void finished(RunReport report) {
            reports.add(report);
          }
        };
    PropertyGraph.ofEdges(edges)
        .options(RunOptions.DEFAULT.withObserver(observer))
        .pageRank()
        .maxIter(2)
        .weight(weight)
        .run();
    return reports.get(reports.size() - 1).notes();
  }

  private static String explained(Dataset<Row> edges) {
    return PropertyGraph.ofEdges(edges)
        .pregel()
        .withVertexColumn("most", functions.col("id"), functions.col("id"))
        .sendMsgToDst(Pregel.src("most"))
        .aggMsgs(functions.max(Pregel.msg()))
        .setMaxIter(2)
        .explain();
  }
}
