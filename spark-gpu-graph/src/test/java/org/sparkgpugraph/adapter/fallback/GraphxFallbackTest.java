package org.sparkgpugraph.adapter.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Ties the oracle to stock GraphX: plain programs run through {@code
 * org.apache.spark.graphx.Pregel}, the others through the loop over aggregateMessages, and both
 * must give what {@link PregelOracle} gives.
 */
@ExtendWith(SharedSpark.class)
class GraphxFallbackTest {
  private final JavaSparkContext spark;

  GraphxFallbackTest(JavaSparkContext spark) {
    this.spark = spark;
  }

  static LongStream plainSeeds() {
    return LongStream.range(0, Integer.getInteger("fallbackRuns", 20));
  }

  static LongStream extendedSeeds() {
    return LongStream.range(0, Integer.getInteger("fallbackRuns", 20));
  }

  @ParameterizedTest
  @MethodSource("plainSeeds")
  void stockPregelGivesWhatTheReferenceGives(long seed) {
    TestProgram<?, ?, ?, ?, ?> program = RandomPrograms.plain(seed);
    assertThat(program.isPlain()).isTrue();
    check(program, seed);
  }

  @ParameterizedTest
  @MethodSource("extendedSeeds")
  void theLoopGivesWhatTheReferenceGives(long seed) {
    TestProgram<?, ?, ?, ?, ?> program = RandomPrograms.extended(seed);
    assertThat(program.isPlain()).isFalse();
    check(program, seed);
  }

  private <VD, ED, S, A, R> void check(TestProgram<VD, ED, S, A, R> program, long seed) {
    TestGraph<VD, ED> graph = program.on(RandomGraphs.any(seed), seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    int partitions = 1 + (int) (seed % 3);
    Graph<VD, ED> input =
        graph.toGraphx(spark, partitions, program.attribute, program.edge).cache();
    GraphxRun<R, ED> run = run(input, program);
    Compare.assertSame(
        expected.result(), Compare.vertices(run.graph()), graph, program, "seed " + seed);
    if (run.summary() != null) {
      assertSameSteps(expected.steps(), run);
    }
    run.graph().unpersist(false);
    input.unpersist(false);
  }

  private static void assertSameSteps(List<PregelOracle.Step> expected, GraphxRun<?, ?> run) {
    assertThat(run.summary().supersteps()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      var actual = run.summary().supersteps().get(i);
      assertThat(actual.superstep()).isEqualTo(i);
      assertThat(actual.verticesRun()).isEqualTo(expected.get(i).verticesRun());
      assertThat(actual.activeVertices()).isEqualTo(expected.get(i).activeVertices());
      assertThat(actual.aggregates()).isEqualTo(expected.get(i).aggregates());
    }
  }

  private static <VD, ED, S, A, R> GraphxRun<R, ED> run(
      Graph<VD, ED> graph, TestProgram<VD, ED, S, A, R> program) {
    ClassTag<A> messages = ClassTag$.MODULE$.apply(program.message);
    ClassTag<R> results = ClassTag$.MODULE$.apply(program.resultType);
    return GraphxFallback.run(
        graph,
        program.source(),
        new FallbackSettings<>(
            program.initialMessage,
            program.emptyMessage,
            program.direction,
            program.gather,
            program.maxIterations,
            program.stopWhen),
        stats -> {},
        messages,
        results);
  }

  /** A path of n vertices takes n supersteps. */
  private static TestGraph<Long, Integer> longPath(int n) {
    List<Long> attributes = new ArrayList<>();
    List<Integer> edges = new ArrayList<>();
    long[] ids = new long[n];
    long[] sources = new long[n - 1];
    long[] destinations = new long[n - 1];
    for (int i = 0; i < n; i++) {
      ids[i] = i;
      attributes.add(i == 0 ? 0L : 1_000_000L);
      if (i > 0) {
        sources[i - 1] = i - 1;
        destinations[i - 1] = i;
        edges.add(1);
      }
    }
    return new TestGraph<>("path", ids, attributes, sources, destinations, edges);
  }

  private static TestProgram<Long, Integer, Long, Long, Long> hops() {
    return new TestProgram<Long, Integer, Long, Long, Long>(
            "hops", Long.class, Integer.class, Long.class, Long.class)
        .initial(Long.MAX_VALUE)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            })
        .merge(Math::min)
        .direction(ActiveDirection.OUT);
  }

  @Test
  void manySuperstepsOfAProgramWithAggregates() {
    TestProgram<Long, Integer, Long, Long, Long> program =
        hops().aggregate("ran", AggregateOperation.SUM, (id, before, after) -> 1);
    checkPath(program, 80);
  }

  /** More than GraphX's own Pregel is trusted with: it goes through the loop. */
  @Test
  void manySuperstepsOfAPlainProgram() {
    checkPath(hops(), 60);
  }

  @Test
  void boundedPlainProgramsGoThroughStockPregel() {
    TestGraph<Long, Integer> graph = longPath(5);
    Graph<Long, Integer> input = graph.toGraphx(spark, 2, Long.class, Integer.class);
    assertThat(run(input, hops().maxIterations(50)).summary()).isNull();
    assertThat(run(input, hops().maxIterations(51)).summary().iterations()).isEqualTo(5);
  }

  private void checkPath(TestProgram<Long, Integer, Long, Long, Long> program, int n) {
    TestGraph<Long, Integer> graph = longPath(n);
    Graph<Long, Integer> input = graph.toGraphx(spark, 2, Long.class, Integer.class).cache();
    input.vertices().count();
    input.edges().count();
    Map<Integer, ?> before = spark.getPersistentRDDs();
    GraphxRun<Long, Integer> run = run(input, program);
    assertThat(spark.getPersistentRDDs())
        .as("persisted RDDs beside the input's and the result's")
        .hasSizeLessThanOrEqualTo(before.size() + 2);
    Map<Long, Long> vertices = Compare.vertices(run.graph());
    for (int i = 0; i < n; i++) {
      assertThat(vertices).containsEntry((long) i, (long) i);
    }
    run.graph().unpersist(false);
    input.unpersist(false);
  }

  @Test
  void refusesNoIterations() {
    assertThatThrownBy(
            () -> new FallbackSettings<>(1, null, ActiveDirection.OUT, Gather.ACTIVE, 0, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Maximum number of iterations must be greater than 0, but got 0");
  }
}
