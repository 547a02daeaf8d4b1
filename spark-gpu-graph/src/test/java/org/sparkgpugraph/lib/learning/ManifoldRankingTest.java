package org.sparkgpugraph.lib.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Ranks against sums made one after the other. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ManifoldRankingTest {
  private final JavaSparkContext sc;

  ManifoldRankingTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  /** With loops, parallel edges, weights of 0 and a vertex without edges. */
  private static TestGraph<double[], double[]> random(int k, int edges) {
    Random random = new Random(k);
    long[] ids = new long[30];
    List<double[]> ranks = new ArrayList<>();
    for (int v = 0; v < ids.length; v++) {
      ids[v] = 7L * v - 50;
      ranks.add(random.doubles(k, -1, 1).toArray());
    }
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    List<double[]> weights = new ArrayList<>();
    for (int e = 0; e < edges; e++) {
      boolean parallel = e > 0 && e % 10 == 0;
      sources[e] = parallel ? sources[e - 1] : ids[random.nextInt(29)];
      destinations[e] =
          parallel ? destinations[e - 1] : e % 7 == 0 ? sources[e] : ids[random.nextInt(29)];
      weights.add(random.doubles(k).map(w -> w < 0.3 ? 0 : w).toArray());
    }
    return new TestGraph<>("random " + k, ids, ranks, sources, destinations, weights);
  }

  private static Map<Long, double[]> oracle(
      TestGraph<double[], double[]> graph, int k, double alpha, int steps) {
    Map<Long, double[]> ranks = new HashMap<>();
    for (int v = 0; v < graph.vertexCount(); v++) {
      ranks.put(graph.ids()[v], graph.attributes().get(v));
    }
    for (int step = 0; step < steps; step++) {
      Map<Long, double[]> next = new HashMap<>();
      for (int v = 0; v < graph.vertexCount(); v++) {
        long id = graph.ids()[v];
        double[] own = new double[k];
        for (int i = 0; i < k; i++) {
          double sum = 0;
          double weights = 0;
          for (int e = 0; e < graph.edgeCount(); e++) {
            if (graph.destinations()[e] == id) {
              double weight = graph.edgeAttributes().get(e)[i];
              sum += weight * ranks.get(graph.sources()[e])[i];
              weights += weight;
            }
          }
          double mean = weights == 0 ? 0 : sum / weights;
          own[i] = alpha * mean + (1 - alpha) * graph.attributes().get(v)[i];
        }
        next.put(id, own);
      }
      ranks = next;
    }
    return ranks;
  }

  private Map<Long, double[]> run(
      TestGraph<double[], double[]> graph,
      int k,
      double alpha,
      double tolerance,
      int steps,
      EngineChoice engine) {
    return Compare.vertices(
        ManifoldRanking.run(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            k,
            alpha,
            tolerance,
            steps,
            options(engine)));
  }

  private static void assertClose(Map<Long, double[]> found, Map<Long, double[]> expected) {
    assertClose(found, expected, 1e-12);
  }

  private static void assertClose(
      Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, ranks) ->
            assertThat(found.get(id)).as("vertex " + id).containsExactly(ranks, within(bound)));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void ranksAreThoseOfSumsMadeInOrder(EngineChoice engine) {
    for (int k : new int[] {1, 3, 33}) {
      TestGraph<double[], double[]> graph = random(k, 120);
      assertClose(run(graph, k, 0.85, 0, 5, engine), oracle(graph, k, 0.85, 5));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void changesGiveWhatAllEdgesGive(EngineChoice engine) {
    for (int k : new int[] {2, 31}) {
      TestGraph<double[], double[]> graph = random(k, 120);
      Map<Long, double[]> settled = oracle(graph, k, 0.8, 300);
      assertClose(run(graph, k, 0.8, Convergence.deltas(0, 1000), engine), settled);
      Map<Long, double[]> found = run(graph, k, 0.8, Convergence.deltas(1e-2, 1000), engine);
      assertClose(found, settled, 0.8 * 1e-2 / (1 - 0.8) + 1e-12);
      assertThat(settled.keySet())
          .as("some changes were too small to be told")
          .anyMatch(id -> Math.abs(found.get(id)[0] - settled.get(id)[0]) > 1e-6);
    }
  }

  private Map<Long, double[]> run(
      TestGraph<double[], double[]> graph,
      int k,
      double alpha,
      Convergence until,
      EngineChoice engine) {
    return Compare.vertices(
        ManifoldRanking.run(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            k,
            alpha,
            until,
            options(engine)));
  }

  @Test
  void itEndsWhenRanksSettle() {
    TestGraph<double[], double[]> graph = random(4, 120);
    assertClose(run(graph, 4, 0.5, 1e-14, 10_000, EngineChoice.CPU), oracle(graph, 4, 0.5, 200));
  }

  @Test
  void withoutEdgesTheFirstRanksAreLeft() {
    TestGraph<double[], double[]> graph = random(2, 0);
    assertClose(run(graph, 2, 0.25, 0, 3, EngineChoice.CPU), oracle(graph, 2, 0.25, 3));
    assertClose(
        run(graph, 2, 0.25, Convergence.deltas(0, 3), EngineChoice.CPU), oracle(graph, 2, 0.25, 3));
  }

  @Test
  void aGraphWithoutVerticesIsRefused() {
    TestGraph<double[], double[]> graph =
        new TestGraph<>(
            "empty", new long[0], List.of(), new long[0], new long[0], List.<double[]>of());
    assertThatThrownBy(() -> run(graph, 2, 0.5, 0, 2, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the graph has no vertices");
  }

  @Test
  void weightsThatAddUpToInfinityAreRefused() {
    TestGraph<double[], double[]> graph = random(1, 40);
    graph.edgeAttributes().forEach(weight -> weight[0] = 1e308);
    assertThatThrownBy(() -> run(graph, 1, 0.5, 0, 2, EngineChoice.CPU))
        .hasStackTraceContaining("the weights of a vertex's in-edges add up to infinity");
    assertThatThrownBy(() -> run(graph, 1, 0.5, Convergence.deltas(0, 2), EngineChoice.CPU))
        .hasStackTraceContaining("the weights of a vertex's in-edges add up to infinity");
  }

  @Test
  void badValuesAreNamed() {
    TestGraph<double[], double[]> graph = random(3, 40);
    graph.attributes().get(4)[2] = Double.NaN;
    assertThatThrownBy(() -> run(graph, 3, 0.5, 0, 2, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element 2 of the first ranks of vertex -22 is NaN");
    graph.attributes().get(4)[2] = 0;
    graph.edgeAttributes().get(5)[1] = -2;
    String edge = graph.sources()[5] + " → " + graph.destinations()[5];
    assertThatThrownBy(() -> run(graph, 3, 0.5, 0, 2, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element 1 of the weights of edge " + edge + " is -2.0");
    graph.edgeAttributes().get(5)[1] = 1;
    assertThatThrownBy(() -> run(graph, 2, 0.5, 0, 2, EngineChoice.CPU))
        .hasMessageContaining("vertex -50 has 3 ranks, but k is 2");
    assertThatThrownBy(() -> run(graph, 1025, 0.5, 0, 2, EngineChoice.CPU))
        .hasMessageContaining("from 1 to 1024, but got 1025");
    assertThatThrownBy(() -> run(graph, 3, 1.5, 0, 2, EngineChoice.CPU))
        .hasMessageContaining("alpha must belong to [0, 1], but got 1.5");
  }
}
