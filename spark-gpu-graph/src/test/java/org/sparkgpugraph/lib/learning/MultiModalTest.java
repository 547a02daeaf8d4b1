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
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Values against the formula with its matrices. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class MultiModalTest {
  private static final double[] ALPHA = {0.5, -0.2, 0.4};

  private final JavaSparkContext sc;

  MultiModalTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  /** With loops, parallel edges and a vertex without edges. */
  private static TestGraph<double[], double[]> random(int k, int edges, double most) {
    Random random = new Random(k);
    long[] ids = new long[30];
    List<double[]> values = new ArrayList<>();
    for (int v = 0; v < ids.length; v++) {
      ids[v] = 7L * v - 50;
      values.add(random.doubles(k, -1, 1).toArray());
    }
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    List<double[]> weights = new ArrayList<>();
    for (int e = 0; e < edges; e++) {
      boolean parallel = e > 0 && e % 10 == 0;
      sources[e] = parallel ? sources[e - 1] : ids[random.nextInt(29)];
      destinations[e] =
          parallel ? destinations[e - 1] : e % 7 == 0 ? sources[e] : ids[random.nextInt(29)];
      weights.add(random.doubles(ALPHA.length, -most, most).toArray());
    }
    return new TestGraph<>("random " + k, ids, values, sources, destinations, weights);
  }

  private static Map<Long, double[]> oracle(TestGraph<double[], double[]> graph, int k, int steps) {
    Map<Long, double[]> first = new TreeMap<>();
    for (int v = 0; v < graph.vertexCount(); v++) {
      first.put(graph.ids()[v], graph.attributes().get(v));
    }
    Map<Long, double[]> values = first;
    for (int step = 0; step < steps; step++) {
      Map<Long, double[]> next = new TreeMap<>();
      for (long id : graph.ids()) {
        double[][] matrix = new double[ALPHA.length][k];
        for (int e = 0; e < graph.edgeCount(); e++) {
          if (graph.destinations()[e] == id) {
            for (int m = 0; m < ALPHA.length; m++) {
              for (int i = 0; i < k; i++) {
                matrix[m][i] +=
                    graph.edgeAttributes().get(e)[m] * values.get(graph.sources()[e])[i];
              }
            }
          }
        }
        double[] own = new double[k];
        for (int i = 0; i < k; i++) {
          own[i] = (1 - DoubleStream.of(ALPHA).sum()) * first.get(id)[i];
          for (int m = 0; m < ALPHA.length; m++) {
            own[i] += ALPHA[m] * matrix[m][i];
          }
        }
        next.put(id, own);
      }
      values = next;
    }
    return values;
  }

  private Map<Long, double[]> run(
      TestGraph<double[], double[]> graph,
      int k,
      double[] alpha,
      Convergence until,
      EngineChoice engine) {
    return Compare.vertices(
        MultiModal.run(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            k,
            alpha,
            until,
            options(engine)));
  }

  private static void assertClose(
      Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, values) ->
            assertThat(found.get(id)).as("vertex " + id).containsExactly(values, within(bound)));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void valuesAreThoseOfTheFormula(EngineChoice engine) {
    for (int k : new int[] {1, 3, 33}) {
      TestGraph<double[], double[]> graph = random(k, 120, 0.5);
      assertClose(
          run(graph, k, ALPHA, Convergence.everyEdge(0, 5), engine), oracle(graph, k, 5), 1e-12);
    }
  }

  /** The largest sum of a vertex's absolute mixed weights. */
  private static double contraction(TestGraph<double[], double[]> graph) {
    Map<Long, Double> sums = new TreeMap<>();
    for (int e = 0; e < graph.edgeCount(); e++) {
      double mixed = 0;
      for (int m = 0; m < ALPHA.length; m++) {
        mixed += ALPHA[m] * graph.edgeAttributes().get(e)[m];
      }
      sums.merge(graph.destinations()[e], Math.abs(mixed), Double::sum);
    }
    return sums.values().stream().mapToDouble(sum -> sum).max().orElse(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void changesGiveWhatAllEdgesGive(EngineChoice engine) {
    for (int k : new int[] {2, 31}) {
      TestGraph<double[], double[]> graph = random(k, 120, 0.25);
      double most = contraction(graph);
      assertThat(most).isBetween(0.3, 0.99);
      Map<Long, double[]> settled = oracle(graph, k, 400);
      assertClose(run(graph, k, ALPHA, Convergence.deltas(0, 1000), engine), settled, 1e-12);
      double epsilon = 1e-2;
      Map<Long, double[]> found = run(graph, k, ALPHA, Convergence.deltas(epsilon, 1000), engine);
      assertClose(found, settled, most * epsilon / (1 - most) + 1e-12);
      assertThat(settled.keySet())
          .as("some changes were too small to be told")
          .anyMatch(id -> Math.abs(found.get(id)[0] - settled.get(id)[0]) > 1e-6);
    }
  }

  @Test
  void itEndsWhenValuesSettle() {
    TestGraph<double[], double[]> graph = random(4, 120, 0.25);
    assertClose(
        run(graph, 4, ALPHA, Convergence.everyEdge(1e-14, 10_000), EngineChoice.CPU),
        oracle(graph, 4, 400),
        1e-12);
  }

  @Test
  void withoutEdgesFirstValuesAreLeft() {
    TestGraph<double[], double[]> graph = random(2, 0, 1);
    for (Convergence until : List.of(Convergence.everyEdge(0, 3), Convergence.deltas(0, 3))) {
      assertClose(run(graph, 2, ALPHA, until, EngineChoice.CPU), oracle(graph, 2, 3), 1e-12);
    }
  }

  @Test
  void valuesThatGrowAreRefused() {
    TestGraph<double[], double[]> graph = random(2, 120, 6);
    assertThatThrownBy(() -> run(graph, 2, ALPHA, Convergence.everyEdge(0, 40), EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("values grow without end: the absolute values of the weights of")
        .hasMessageContaining("use smaller weights");
    assertThatThrownBy(
            () -> run(graph, 2, ALPHA, Convergence.everyEdge(0, 10_000), EngineChoice.CPU))
        .hasMessageContaining("values grow without end");
    assertThatThrownBy(() -> run(graph, 2, ALPHA, Convergence.deltas(0, 40), EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a change-driven run is for values that settle, but the absolute");
    try (ResidentGraph<double[], double[]> resident =
        GpuPregel.load(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            double[].class,
            double[].class,
            options(EngineChoice.CPU))) {
      assertThatThrownBy(
              () ->
                  MultiModal.run(
                      resident, 2, ALPHA, Convergence.everyEdge(0, 40), options(EngineChoice.CPU)))
          .hasMessageContaining("values grow without end");
    }
  }

  @Test
  void badValuesAreNamed() {
    TestGraph<double[], double[]> graph = random(3, 40, 0.5);
    Convergence until = Convergence.everyEdge(0, 2);
    graph.attributes().get(4)[2] = Double.NaN;
    assertThatThrownBy(() -> run(graph, 3, ALPHA, until, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element 2 of the first values of vertex -22 is NaN");
    graph.attributes().get(4)[2] = 0;
    graph.edgeAttributes().get(5)[1] = Double.NEGATIVE_INFINITY;
    String edge = graph.sources()[5] + " → " + graph.destinations()[5];
    assertThatThrownBy(() -> run(graph, 3, ALPHA, until, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element 1 of the weights of edge " + edge + " is -Infinity");
    graph.edgeAttributes().get(5)[1] = 1;
    assertThatThrownBy(() -> run(graph, 2, ALPHA, until, EngineChoice.CPU))
        .hasMessageContaining("vertex -50 has 3 values, but k is 2");
    assertThatThrownBy(() -> run(graph, 3, new double[] {0.5}, until, EngineChoice.CPU))
        .hasMessageContaining("has 3 weights, but alpha has 1: give every edge a weight for each");
    assertThatThrownBy(() -> run(graph, 3, new double[0], until, EngineChoice.CPU))
        .hasMessageContaining("alpha has 0 weights: give one for each modality");
    assertThatThrownBy(() -> run(graph, 3, new double[] {Double.NaN}, until, EngineChoice.CPU))
        .hasMessageContaining("alpha of modality 0 must be a finite number, but got NaN");
    assertThatThrownBy(() -> run(graph, 1025, ALPHA, until, EngineChoice.CPU))
        .hasMessageContaining("from 1 to 1024, but got 1025");
  }
}
