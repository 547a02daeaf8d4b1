package org.sparkgpugraph.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;

/**
 * Columns of arrays: no weights, and nothing that engines compute with; Spark does, whatever their
 * lengths are.
 */
class ArrayColumnsTest {
  private static SparkSession spark() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  /** Arrays of different lengths, an empty one, a null. */
  private static PropertyGraph graph(String type) {
    Dataset<Row> vertices =
        spark()
            .sql(
                "select id, cast(list as array<TYPE>) as list from values (1L, array(1.5, 2)),"
                        .replace("TYPE", type)
                    + " (2L, array(4)), (3L, array()), (4L, null) as t(id, list)");
    Dataset<Row> edges =
        spark()
            .sql(
                "select src, dst, cast(w as array<TYPE>) as w from values (1L, 2L, array(1, 2)),"
                        .replace("TYPE", type)
                    + " (2L, 3L, array(3)), (3L, 4L, array()) as t(src, dst, w)");
    return PropertyGraph.of(vertices, edges);
  }

  private static Pregel program(PropertyGraph graph, RunOptions.Fallback fallback) {
    return graph
        .options(RunOptions.DEFAULT.withFallback(fallback))
        .pregel()
        .setMaxIter(1)
        .withVertexColumn(
            "n",
            functions.expr("cast(coalesce(size(list), -1) as bigint)"),
            functions.col("n").plus(functions.coalesce(Pregel.msg(), functions.lit(0L))))
        .sendMsgToDst(functions.size(Pregel.edge("w")))
        .aggMsgs(functions.sum(Pregel.msg()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double"})
  void aProgramThatReadsOneIsSparks(String type) {
    assertThatThrownBy(() -> program(graph(type), RunOptions.Fallback.NEVER).run())
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("column w is of type array<" + type + ">");
    Dataset<Row> result = program(graph(type), RunOptions.Fallback.AUTO).run();
    List<Row> rows = result.select("id", "n").orderBy("id").collectAsList();
    assertThat(rows.stream().map(row -> ((Number) row.get(1)).intValue()).toList())
        .containsExactly(2, 3, 1, -1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double"})
  void oneIsNoWeight(String type) {
    assertThatThrownBy(() -> graph(type).distances().source(1).weight("w").run())
        .hasMessageContaining("'w'")
        .hasMessageContaining("array<" + type + ">")
        .hasMessageContaining("weights are numbers");
  }

  @Test
  void oneIsCarriedAlong() {
    List<Row> rows =
        graph("double").hops().source(1).run().orderBy("id").select("list").collectAsList();
    assertThat(rows.get(0).getList(0)).containsExactly(1.5, 2.0);
    assertThat(rows.get(2).getList(0)).isEmpty();
    assertThat(rows.get(3).isNullAt(0)).isTrue();
  }
}
