package org.sparkgpugraph.lib.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.algorithm.learning.SoftLabels.Pull;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Soft labels against sums made one after the other. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class SoftLabelsTest {
  private final JavaSparkContext sc;

  SoftLabelsTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  /** A third of the vertices has a label; with loops, parallel edges and weights of 0. */
  private static TestGraph<double[], Double> random(int k, int edges) {
    Random random = new Random(k);
    long[] ids = new long[30];
    List<double[]> labels = new ArrayList<>();
    for (int v = 0; v < ids.length; v++) {
      ids[v] = 7L * v - 50;
      double[] own = new double[k];
      if (v % 3 == 0) {
        own[random.nextInt(k)] += 2;
        own[random.nextInt(k)] += 1;
      }
      labels.add(own);
    }
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    List<Double> weights = new ArrayList<>();
    for (int e = 0; e < edges; e++) {
      boolean parallel = e > 0 && e % 10 == 0;
      sources[e] = parallel ? sources[e - 1] : ids[random.nextInt(29)];
      destinations[e] =
          parallel ? destinations[e - 1] : e % 7 == 0 ? sources[e] : ids[random.nextInt(29)];
      weights.add(Math.max(0, random.nextDouble() - 0.1));
    }
    return new TestGraph<>("random " + k, ids, labels, sources, destinations, weights);
  }

  private static double[] normalised(double[] labels) {
    double total = DoubleStream.of(labels).sum();
    return DoubleStream.of(labels).map(label -> total == 0 ? 0 : label / total).toArray();
  }

  private static Map<Long, double[]> oracle(
      TestGraph<double[], Double> graph, int k, double alpha, Pull pull, int steps) {
    Map<Long, double[]> first = new TreeMap<>();
    for (int v = 0; v < graph.vertexCount(); v++) {
      first.put(graph.ids()[v], normalised(graph.attributes().get(v)));
    }
    return steps(graph, k, alpha, pull, steps, first, first);
  }

  private static Map<Long, double[]> steps(
      TestGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      int steps,
      Map<Long, double[]> first,
      Map<Long, double[]> from) {
    Map<Long, double[]> labels = from;
    for (int step = 0; step < steps; step++) {
      Map<Long, double[]> next = new TreeMap<>();
      for (long id : graph.ids()) {
        double[] sum = new double[k];
        for (int e = 0; e < graph.edgeCount(); e++) {
          if (graph.destinations()[e] == id) {
            for (int i = 0; i < k; i++) {
              sum[i] += graph.edgeAttributes().get(e) * labels.get(graph.sources()[e])[i];
            }
          }
        }
        double[] mean = normalised(sum);
        double[] back = (pull == Pull.FIRST ? first : labels).get(id);
        for (int i = 0; i < k; i++) {
          mean[i] = alpha * mean[i] + (1 - alpha) * back[i];
        }
        next.put(id, normalised(mean));
      }
      labels = next;
    }
    return labels;
  }

  private Map<Long, double[]> run(
      TestGraph<double[], Double> graph,
      int k,
      double alpha,
      Pull pull,
      Convergence until,
      EngineChoice engine) {
    return Compare.vertices(
        SoftLabels.run(
            graph.toGraphx(sc, 2, double[].class, Double.class),
            k,
            alpha,
            pull,
            until,
            options(engine)));
  }

  private static void assertClose(
      Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, labels) ->
            assertThat(found.get(id))
                .as("vertex " + id)
                .containsExactly(labels, within(bound + 1e-12)));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void labelsAreThoseOfSumsMadeInOrder(EngineChoice engine) {
    for (int k : new int[] {1, 3, 33}) {
      for (Pull pull : Pull.values()) {
        TestGraph<double[], Double> graph = random(k, 90);
        assertClose(
            run(graph, k, 0.85, pull, Convergence.everyEdge(0, 5), engine),
            oracle(graph, k, 0.85, pull, 5),
            0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void changesGiveWhatAllEdgesGive(EngineChoice engine) {
    for (int k : new int[] {2, 31}) {
      TestGraph<double[], Double> graph = random(k, 90);
      assertClose(
          run(graph, k, 0.9, Pull.FIRST, Convergence.deltas(0, 5), engine),
          oracle(graph, k, 0.9, Pull.FIRST, 5),
          0);
      double epsilon = 1e-3;
      Map<Long, double[]> found =
          run(graph, k, 0.9, Pull.FIRST, Convergence.deltas(epsilon, 1000), engine);
      Map<Long, double[]> first = oracle(graph, k, 0.9, Pull.FIRST, 0);
      assertClose(found, steps(graph, k, 0.9, Pull.FIRST, 1, first, found), epsilon);
    }
  }

  @Test
  void labelsAreWithinTheBoundWhereAllAreKnown() {
    TestGraph<double[], Double> graph = random(5, 90);
    graph.attributes().forEach(labels -> labels[0] += 0.5);
    double epsilon = 1e-2;
    Map<Long, double[]> found =
        run(graph, 5, 0.8, Pull.FIRST, Convergence.deltas(epsilon, 1000), EngineChoice.CPU);
    Map<Long, double[]> settled = oracle(graph, 5, 0.8, Pull.FIRST, 300);
    assertClose(found, settled, 0.8 * epsilon / (1 - 0.8));
    assertThat(settled.keySet())
        .as("some changes were too small to be told")
        .anyMatch(id -> Math.abs(found.get(id)[0] - settled.get(id)[0]) > 1e-6);
  }

  @Test
  void itEndsWhenLabelsSettle() {
    TestGraph<double[], Double> graph = random(4, 90);
    assertClose(
        run(graph, 4, 0.5, Pull.FIRST, Convergence.everyEdge(1e-14, 10_000), EngineChoice.CPU),
        oracle(graph, 4, 0.5, Pull.FIRST, 200),
        0);
  }

  @Test
  void neighboursAloneDecideWithAlphaOne() {
    TestGraph<double[], Double> graph = random(3, 90);
    assertClose(
        run(graph, 3, 1, Pull.FIRST, Convergence.everyEdge(0, 4), EngineChoice.CPU),
        oracle(graph, 3, 1, Pull.FIRST, 4),
        0);
    assertThatThrownBy(
            () -> run(graph, 3, 1, Pull.FIRST, Convergence.deltas(0, 4), EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing where alpha is 1: use a smaller one");
  }

  @Test
  void withoutEdgesTheFirstLabelsAreLeft() {
    TestGraph<double[], Double> graph = random(2, 0);
    for (Convergence until : List.of(Convergence.everyEdge(0, 3), Convergence.deltas(0, 3))) {
      assertClose(
          run(graph, 2, 0.25, Pull.FIRST, until, EngineChoice.CPU),
          oracle(graph, 2, 0.25, Pull.FIRST, 0),
          0);
    }
  }

  @Test
  void badValuesAreNamed() {
    TestGraph<double[], Double> graph = random(3, 40);
    Convergence until = Convergence.everyEdge(0, 2);
    graph.attributes().get(4)[2] = -1;
    assertThatThrownBy(() -> run(graph, 3, 0.5, Pull.FIRST, until, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element 2 of the first labels of vertex -22 is -1.0: labels need");
    graph.attributes().get(4)[2] = 0;
    graph.edgeAttributes().set(5, Double.NaN);
    String edge = graph.sources()[5] + " → " + graph.destinations()[5];
    assertThatThrownBy(() -> run(graph, 3, 0.5, Pull.FIRST, until, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the weight of edge " + edge + " is NaN: soft labels need");
    graph.edgeAttributes().set(5, 1.0);
    assertThatThrownBy(() -> run(graph, 2, 0.5, Pull.FIRST, until, EngineChoice.CPU))
        .hasMessageContaining("vertex -50 has 3 labels, but k is 2");
    assertThatThrownBy(() -> run(graph, 0, 0.5, Pull.FIRST, until, EngineChoice.CPU))
        .hasMessageContaining("from 1 to 1024, but got 0");
    assertThatThrownBy(() -> run(graph, 3, -0.5, Pull.FIRST, until, EngineChoice.CPU))
        .hasMessageContaining("alpha must belong to [0, 1], but got -0.5");
    assertThatThrownBy(
            () -> run(graph, 3, 0.5, Pull.PREVIOUS, Convergence.deltas(0, 2), EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use FIRST, or run with every edge");
    assertThatThrownBy(() -> Convergence.deltas(-1, 2)).hasMessageContaining("but got -1.0");
    assertThatThrownBy(() -> Convergence.everyEdge(Double.NaN, 2))
        .hasMessageContaining("Tolerance must be no less than 0, but got NaN");
  }
}
