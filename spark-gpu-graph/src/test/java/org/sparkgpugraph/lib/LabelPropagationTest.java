package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Label propagation against a sequential one, GraphX's, and by hand. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class LabelPropagationTest {
  private static final ClassTag<Double> DOUBLE = ClassTag$.MODULE$.apply(Double.class);
  private static final RunOptions THREE =
      RunOptions.DEFAULT
          .withEngine(EngineChoice.CPU)
          .withPartitions(3)
          .withFallback(RunOptions.Fallback.NEVER);

  private final JavaSparkContext context;

  LabelPropagationTest(JavaSparkContext context) {
    this.context = context;
  }

  private Graph<Double, Double> graphx(TestGraph<Double, Double> graph) {
    return graph.toGraphx(context, 2, Double.class, Double.class);
  }

  private static TestGraph<Double, Double> graph(long[] ids, long[] sources, long[] destinations) {
    return new TestGraph<>(
        "by hand",
        ids,
        Collections.nCopies(ids.length, 0.0),
        sources,
        destinations,
        Collections.nCopies(sources.length, 1.0));
  }

  /** Every vertex sorts its neighbours' labels and takes the longest run. */
  private static Map<Long, Long> labels(TestGraph<?, ?> graph, int steps) {
    Map<Long, Long> labels = new TreeMap<>();
    Arrays.stream(graph.ids()).forEach(id -> labels.put(id, id));
    for (int step = 0; step < steps; step++) {
      Map<Long, List<Long>> heard = new TreeMap<>();
      for (int e = 0; e < graph.edgeCount(); e++) {
        long s = graph.sources()[e];
        long d = graph.destinations()[e];
        if (labels.containsKey(s) && labels.containsKey(d)) {
          heard.computeIfAbsent(d, id -> new ArrayList<>()).add(labels.get(s));
          heard.computeIfAbsent(s, id -> new ArrayList<>()).add(labels.get(d));
        }
      }
      heard.forEach((id, list) -> labels.put(id, mode(list)));
    }
    return labels;
  }

  private static long mode(List<Long> labels) {
    labels.sort(null);
    long best = 0;
    int most = 0;
    for (long label : labels) {
      int count = labels.lastIndexOf(label) - labels.indexOf(label) + 1;
      if (count > most) {
        most = count;
        best = label;
      }
    }
    return best;
  }

  @ParameterizedTest
  @EnumSource(
      value = RandomGraphs.Shape.class,
      names = {"SKEWED", "DISCONNECTED"})
  void labelsAreThoseOfASequentialLoop(RandomGraphs.Shape shape) {
    TestGraph<Double, Double> graph =
        RandomGraphs.of(shape, 21)
            .withAttributes(new Random(1), Random::nextDouble, Random::nextDouble);
    Graph<Double, Double> input = graphx(graph);
    Map<Long, Long> expected = labels(graph, 4);
    assertThat(Compare.vertices(LabelPropagation.run(input, 4, THREE))).isEqualTo(expected);
    RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
    assertThat(Compare.vertices(Graphalytics.cdlp(input, 4, stock))).isEqualTo(expected);
  }

  /** An edge that is there 2^i times beats all that are there less often: nothing is ever tied. */
  @Test
  void labelsAreGraphXsWhereNothingIsTied() {
    Random random = new Random(5);
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    long[] ids = {1, 4, 5, 8, 12, 40};
    for (int edge = 0; edge < 9; edge++) {
      long source = ids[random.nextInt(ids.length)];
      long destination = ids[random.nextInt(ids.length)];
      for (int copy = 0; copy < 1 << edge; copy++) {
        sources.add(source);
        destinations.add(destination);
      }
    }
    TestGraph<Double, Double> graph =
        graph(
            ids,
            sources.stream().mapToLong(id -> id).toArray(),
            destinations.stream().mapToLong(id -> id).toArray());
    Graph<Double, Double> input = graphx(graph);
    for (int steps = 1; steps < 3; steps++) {
      Map<Long, ?> expected =
          Compare.vertices(org.apache.spark.graphx.lib.LabelPropagation.run(input, steps, DOUBLE));
      assertThat((Map<Long, ?>) Compare.vertices(LabelPropagation.run(input, steps, THREE)))
          .as("after %d steps", steps)
          .isEqualTo(expected)
          .isEqualTo(labels(graph, steps));
    }
  }

  /**
   * 2 and 9 point at each other, so 2 hears 9 twice and 1 and 3 once; 7 is alone, 8 has a loop.
   * Then 2 hears only its own old label, and gives it up for 9's.
   */
  @Test
  void aPairOfOppositeEdgesCountsTwice() {
    Graph<Double, Double> input =
        graphx(
            graph(
                new long[] {1, 2, 3, 7, 8, 9},
                new long[] {9, 2, 1, 3, 8},
                new long[] {2, 9, 2, 2, 8}));
    assertThat(Compare.vertices(Graphalytics.cdlp(input, 1, THREE)))
        .isEqualTo(Map.of(1L, 2L, 2L, 9L, 3L, 2L, 7L, 7L, 8L, 8L, 9L, 2L));
    assertThat(Compare.vertices(Graphalytics.cdlp(input, 2, THREE)))
        .isEqualTo(Map.of(1L, 9L, 2L, 2L, 3L, 9L, 7L, 7L, 8L, 8L, 9L, 9L));
  }

  /** A triangle agrees on its smallest id after three steps; a fourth would change nothing. */
  @Test
  void stepsThatWouldChangeNothingAreLeftOut() {
    Graph<Double, Double> input =
        graphx(graph(new long[] {3, 4, 6}, new long[] {3, 4, 6}, new long[] {4, 6, 3}));
    assertThat(Compare.vertices(LabelPropagation.run(input, Integer.MAX_VALUE, THREE)))
        .isEqualTo(Map.of(3L, 3L, 4L, 3L, 6L, 3L));
  }

  @Test
  void badArgumentsAreNamed() {
    Graph<Double, Double> input = graphx(graph(new long[] {1}, new long[] {1}, new long[] {1}));
    assertThatThrownBy(() -> LabelPropagation.run(input, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Maximum of steps must be greater than 0, but got 0");
    assertThatThrownBy(() -> Graphalytics.cdlp(input, -1, THREE))
        .hasMessage("Number of iterations must be greater than 0, but got -1");
    PregelBuilder<Double, Double, Double, Long, Double> declared =
        GpuPregel.on(input, Double.class, Double.class)
            .initialMessage(1L)
            .vertexProgram((id, value, message) -> (double) message)
            .sendMessage(edge -> edge.sendToDst(2L))
            .mergeMode();
    assertThatThrownBy(() -> declared.monotone().run())
        .hasMessageContaining("a program with mergeMode() is not monotone()");
    assertThatThrownBy(
            () ->
                GpuPregel.on(input, Double.class, Double.class)
                    .initialMessage(1.0)
                    .vertexProgram((id, value, message) -> message)
                    .sendMessage(edge -> edge.sendToDst(2.0))
                    .mergeMode()
                    .run())
        .hasMessageContaining("finds the most frequent Integer or Long")
        .hasMessageContaining("java.lang.Double");
  }
}
