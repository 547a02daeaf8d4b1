package org.sparkgpugraph.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.testing.SharedSpark;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What is read of tables in files, by the plans that Spark executes: no column that is not used.
 */
class TableFormatsTest {
  private static final Pattern SCAN =
      Pattern.compile("PartitionFilters: \\[(.*?)\\].*?ReadSchema: (struct<.*?>)(?=[\\s,]|$)");
  private static final ConcurrentLinkedQueue<String> PLANS = new ConcurrentLinkedQueue<>();

  private static SparkSession before;
  private static SparkSession spark;

  /** Shows every physical plan on its way to execution. */
  private static final class Watch extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new Rule<>() {
        @Override
        public SparkPlan apply(SparkPlan plan) {
          PLANS.add(plan.toString());
          return plan;
        }
      };
    }
  }

  @TempDir Path folder;

  @BeforeAll
  static void session() {
    SharedSpark.context();
    before = SparkSession.builder().getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    spark =
        SparkSession.builder()
            .withExtensions(
                new AbstractFunction1<SparkSessionExtensions, BoxedUnit>() {
                  @Override
                  public BoxedUnit apply(SparkSessionExtensions extensions) {
                    extensions.injectColumnar(
                        new AbstractFunction1<>() {
                          @Override
                          public ColumnarRule apply(SparkSession any) {
                            return new Watch();
                          }
                        });
                    return BoxedUnit.UNIT;
                  }
                })
            .getOrCreate();
  }

  @AfterAll
  static void restore() {
    SparkSession.setActiveSession(before);
    SparkSession.setDefaultSession(before);
  }

  @BeforeEach
  void active() {
    SparkSession.setActiveSession(spark);
  }

  /** Each scan as its filters on partitions and its columns. */
  private static TreeSet<String> scans(Runnable action) {
    PLANS.clear();
    action.run();
    List<String> scans = new ArrayList<>();
    for (String plan : PLANS) {
      Matcher scan = SCAN.matcher(plan);
      while (scan.find()) {
        scans.add(scan.group(2) + " where " + scan.group(1).replaceAll("#\\d+", ""));
      }
    }
    return new TreeSet<>(scans);
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void onlyColumnsAndPartitionsThatAreUsedAreRead(String format) {
    String edgePath = folder.resolve("edges").toUri().toString();
    String personPath = folder.resolve("persons").toUri().toString();
    String outPath = folder.resolve("out").toUri().toString();
    spark
        .range(300)
        .selectExpr(
            "id % 50 as src",
            "(id * 7 + 1) % 50 as dst",
            "double(id) as weight",
            "repeat('x', 100) as note",
            "named_struct('a', id, 'b', id) as more",
            "id % 3 as day")
        .write()
        .partitionBy("day")
        .format(format)
        .save(edgePath);
    spark
        .range(50)
        .withColumn("name", functions.lit("n"))
        .withColumn("note", functions.lit("long"))
        .write()
        .format(format)
        .save(personPath);
    Dataset<Row> edges = spark.read().format(format).load(edgePath).where("day = 1");
    PropertyGraph graph = PropertyGraph.of(spark.read().format(format).load(personPath), edges);
    String day = " where isnotnull(day), (day = 1)";
    Dataset<Row>[] ranks = new Dataset[1];
    assertThat(scans(() -> ranks[0] = graph.pageRank().maxIter(2).run()))
        .as("a run")
        .containsExactly("struct<id:bigint> where ", "struct<src:bigint,dst:bigint>" + day);
    assertThat(scans(() -> graph.distances().source(1).weight("weight").run()))
        .as("a run with weights")
        .contains("struct<src:bigint,dst:bigint,weight:double>" + day)
        .noneMatch(scan -> scan.contains("note") || scan.contains("more"));
    assertThat(
            scans(() -> ranks[0].select("name", "pagerank").write().format(format).save(outPath)))
        .as("the result's columns")
        .containsExactly("struct<id:bigint,name:string> where ");
    Dataset<Row> written = spark.read().format(format).load(outPath);
    assertThat(written.columns()).containsExactly("name", "pagerank");
    assertThat(written.count()).isEqualTo(50);
    long inPartition = edges.count();
    assertThat(inPartition).isEqualTo(100);
    assertThat(
            PropertyGraph.ofEdges(edges).outDegrees().agg(functions.sum("outDegree")).head().get(0))
        .isEqualTo(inPartition);
  }
}
