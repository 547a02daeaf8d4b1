package org.sparkgpugraph.runtime.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.scaladsl.DerivedGraphs;
import org.sparkgpugraph.scaladsl.ScalaUser;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** The table of an application's calls. */
@ExtendWith(SharedSpark.class)
class ApplicationCallsTest {
  private final JavaSparkContext context;

  ApplicationCallsTest(JavaSparkContext context) {
    this.context = context;
  }

  @BeforeEach
  void asked() {
    context.setLocalProperty(GpuGraphConf.EXPLAIN.key(), "all");
    context.setLocalProperty(GpuGraphConf.ENGINE.key(), "cpu");
  }

  @AfterEach
  void asBefore() {
    context.setLocalProperty(GpuGraphConf.EXPLAIN.key(), null);
    context.setLocalProperty(GpuGraphConf.ENGINE.key(), null);
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
  }

  private String text() {
    return ApplicationCalls.of(context.sc()).text();
  }

  private Graph<String, Double> words() {
    return new TestGraph<>(
            "two",
            new long[] {1, 2},
            List.of("a", "b"),
            new long[] {1},
            new long[] {2},
            List.of(1.0))
        .toGraphx(context, 1, String.class, Double.class);
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void everyCallIsInItWithWhatBecameOfIt() {
    Graph<Object, Object> graph = DerivedGraphs.input(context.sc()).cache();
    DerivedGraphs.run(graph, false);
    DerivedGraphs.run(graph, false);
    PageRank.run(graph, 2);
    ConnectedComponents.run(graph);
    ScalaUser.labels((Graph) words());
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    assertThatThrownBy(() -> ScalaUser.labels((Graph) words()))
        .isInstanceOf(NotLiftableException.class);
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "always");
    DerivedGraphs.run(graph, false);
    assertThat(text())
        .startsWith("what this application ran (spark.gpugraph.explain):")
        .containsPattern("\\n  called at +what +became +runs +seconds\\n")
        .containsPattern(
            "\\n  DerivedGraphs.scala:\\d+ +GpuPregel +lifted, cpu +2 +\\d+\\.\\d\\d\\n")
        .containsPattern("\\n  DerivedGraphs.scala:\\d+ +GpuPregel +GraphX, as configured +1 ")
        .containsPattern("\\n  ApplicationCallsTest.java:\\d+ +PageRank.run +lifted, cpu +1 ")
        .containsPattern(
            "\\n  ApplicationCallsTest.java:\\d+ +ConnectedComponents.run +lifted, cpu +1 ")
        .containsPattern(
            "\\n  ScalaUser.scala:\\d+ +GpuPregel +fallback, GraphX +1 +[\\d.]+"
                + "(\\n    ! .*)*\\n    ! program: the vertex value is a String; ")
        .containsPattern(
            "\\n  ScalaUser.scala:\\d+ +GpuPregel +failed +1 +[\\d.]+(\\n    ! .*)*\\n    ! mergeMsg at"
                + " ScalaUser.scala:\\d+: ");
    graph.unpersist(false);
  }

  @Test
  void nothingIsNotedUnlessAskedFor() {
    context.setLocalProperty(GpuGraphConf.EXPLAIN.key(), null);
    String before = text();
    Graph<Object, Object> graph = DerivedGraphs.input(context.sc());
    DerivedGraphs.run(graph, false);
    assertThat(text()).isEqualTo(before);
  }

  @Test
  void explainTellsAllReasonsOfAProgramAndRunsNothing() {
    Graph<Object, Object> graph = DerivedGraphs.input(context.sc());
    assertThat(DerivedGraphs.explained(graph, true))
        .startsWith("engine: cpu (")
        .contains("vertexProgram reads: id, value, message");
    assertThat(DerivedGraphs.explained(graph, false))
        .startsWith("engine: stock GraphX, because the program cannot be lifted\n")
        .containsPattern("! vprog at DerivedGraphs.scala:\\d+ cannot run .*nanoTime")
        .containsPattern("! sendMsg at DerivedGraphs.scala:\\d+ cannot run .*nextDouble");
  }
}
