package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.Graphalytics;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** What is said of a program before it runs, and what is refused before anything is loaded. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ExplainTest {
  private final JavaSparkContext context;
  private final Graph<Double, Double> graph;

  ExplainTest(JavaSparkContext context) {
    this.context = context;
    graph =
        new TestGraph<>(
                "four vertices",
                new long[] {1, 2, 3, 4},
                List.of(1.0, 2.0, 3.0, 4.0),
                new long[] {1, 2, 3, 3},
                new long[] {2, 3, 1, 4},
                List.of(1.0, 1.0, 1.0, 1.0))
            .toGraphx(context, 2, Double.class, Double.class);
  }

  private PregelBuilder<Double, Double, Double, Double, Double> shortestPaths() {
    return GpuPregel.on(graph, Double.class, Double.class)
        .initialMessage(Double.POSITIVE_INFINITY)
        .activeDirection(EdgeDirection.Out())
        .vertexProgram((id, distance, message) -> Math.min(distance, message))
        .sendMessage(
            edge -> {
              if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            })
        .mergeMessage(Math::min);
  }

  @Test
  void saysWhetherAndWhyValuesAreUpdatedInPlace() {
    assertThat(shortestPaths().explain())
        .contains("engine: cpu (")
        .contains("values updated in place")
        .contains("updated in place because the program is monotone")
        .contains("messages are merged by [MIN]")
        .contains("sendMessage reads: srcAttr, attr, dstAttr");
    assertThat(shortestPaths().maxIterations(3).explain())
        .contains("two value buffers")
        .contains("not updated in place because maxIterations counts supersteps");
    assertThat(shortestPaths().activeDirection(EdgeDirection.In()).explain())
        .contains("not updated in place because the active direction is IN");
    assertThat(shortestPaths().activeWhen((id, before, after) -> after < before).explain())
        .contains("activeWhen is set");
  }

  @Test
  void describesTheLoadedGraph() {
    RunOptions two = RunOptions.DEFAULT.withPartitions(2);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, two)) {
      // Ranges 1, 2 and 3, 4; the first has the ghost 3, the second the ghosts 1 and 2. PageRank
      // ships one double, BFS an int: a vertex takes 4 bytes for its position and the value, a list
      // two words of flags.
      assertThat(PageRank.explain(resident, 10, 0.15, RunOptions.DEFAULT))
          .contains("every vertex in every superstep (dense)")
          .contains("4 vertices, 4 edges, 2 partition(s)")
          .contains("bytes beside the graph")
          .contains("partition 0: 2 vertices, 1 ghost")
          .contains("partition 1: 2 vertices, 2 ghosts")
          .contains("sends at most 40 bytes per superstep to 1 partition")
          .contains("sends at most 28 bytes per superstep to 1 partition")
          .contains("sendMessage reads: srcAttr (2 of 2 columns)");
      assertThat(Bfs.explain(resident, 1, Integer.MAX_VALUE, RunOptions.DEFAULT))
          .contains("sends at most 32 bytes per superstep to 1 partition")
          .contains("sends at most 24 bytes per superstep to 1 partition");
    }
  }

  @Test
  void saysWhatIsComputedOncePerVertex() {
    RunOptions two = RunOptions.DEFAULT.withPartitions(2);
    String note =
        " of sendMessage computed once per vertex, not per edge (org.sparkgpugraph.algorithm.";
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, two)) {
      assertThat(PageRank.explain(resident, 10, 0.15, RunOptions.DEFAULT))
          .contains("note: 1 value" + note)
          .contains("an edge reads 8 bytes of its other end instead of 16")
          .contains(
              "vertex value: org.sparkgpugraph.algorithm.PageRank$Ranked [DOUBLE, DOUBLE], 16 bytes");
      assertThat(PageRank.explainUntilConvergence(resident, 0.1, 0.15, RunOptions.DEFAULT))
          .contains("note: 2 values" + note)
          .contains("an edge reads 9 bytes of its other end instead of 16");
      context.setLocalProperty("spark.gpugraph.hoist", "off");
      // Rank and weight travel instead of their product: a double more for each ghost.
      assertThat(PageRank.explain(resident, 10, 0.15, RunOptions.DEFAULT))
          .doesNotContain("once per vertex")
          .contains("sends at most 56 bytes per superstep to 1 partition")
          .contains("sends at most 36 bytes per superstep to 1 partition");
    } finally {
      context.setLocalProperty("spark.gpugraph.hoist", null);
    }
    assertThat(shortestPaths().explain()).doesNotContain("once per vertex");
  }

  /** What is other algorithms' under another name, or has no result that stays with executors. */
  @Test
  void everyAlgorithmExplainsItself() {
    RunOptions any = RunOptions.DEFAULT;
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      assertThat(Graphalytics.explainWcc(resident, any))
          .contains("operator: ConnectedComponents, no vertex program")
          .contains("result: java.lang.Long [LONG]");
      assertThat(Graphalytics.explainCdlp(resident, 3, any))
          .contains("message: java.lang.Long [LONG]")
          .contains("maxIterations counts supersteps");
      assertThat(Graphalytics.explainSssp(resident, 1, any))
          .contains("updated in place because the program is declared monotone")
          .contains("sendMessage reads: srcAttr, attr");
      assertThat(Neighborhoods.explain(resident, any))
          .contains("operator: neighbourhood intersection, no vertex program")
          .contains("result: org.sparkgpugraph.run.Neighborhood [");
      assertThat(PageRank.explainWithPreviousPageRank(resident, 2, 0.15, any))
          .contains("sendMessage reads: srcAttr, attr\n");
      assertThat(
              PageRank.explainParallelPersonalizedPageRank(
                  resident, 2, 0.15, new long[] {1, 2}, any))
          .contains("result: [D [DOUBLE[2]], 16 bytes");
      long[] unknown = {9};
      assertThatThrownBy(
              () -> PageRank.explainParallelPersonalizedPageRank(resident, 2, 0.15, unknown, any))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("9");
    }
  }

  @Test
  void namesWhatCannotBeLifted() {
    var program =
        GpuPregel.on(graph, Double.class, Double.class)
            .initialMessage(0.0)
            .vertexProgram((id, value, message) -> Double.parseDouble("" + value))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
            .mergeMessage(Double::sum);
    assertThat(program.explain())
        .startsWith("engine: stock GraphX, because the program cannot be lifted\n")
        .containsPattern(
            "! vertexProgram at ExplainTest.java:\\d+ cannot run on an engine because calls java");
    assertThat(
            program.options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER)).explain())
        .startsWith("engine: none, the program cannot be lifted and spark.gpugraph.fallback");
    assertThat(program.options(RunOptions.DEFAULT.withEngine(EngineChoice.CPU)).explain())
        .as("the engine is that of lifted programs")
        .startsWith("engine: stock GraphX, because the program cannot be lifted\n");
  }

  @Test
  void classesThatTheGraphDoesNotHoldAreRefusedAtOnce() {
    assertThatThrownBy(() -> GpuPregel.on(graph, Integer.class, Double.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the graph's vertex attributes are java.lang.Double, the program was given"
                + " java.lang.Integer: pass Double.class");
    assertThatThrownBy(() -> GpuPregel.load(graph, Double.class, String.class))
        .hasMessageContaining("the graph's edge attributes are java.lang.Double");
    assertThatThrownBy(() -> GpuPregel.on(graph, null, Double.class))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("vertex attributes");
    assertThat(GpuPregel.on(graph, double.class, Object.class)).isNotNull();
  }

  @Test
  void aClosedResultSaysSo() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      VertexResult<Integer> result = Bfs.run(resident, 1, RunOptions.DEFAULT);
      assertThat(result.collectAsMap()).hasSize(4);
      result.close();
      assertThatThrownBy(result::collectAsMap)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }
}
