package org.sparkgpugraph.lib.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.Convergence;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Beliefs against sums over all states, and against a sequential propagation on cycles. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class BeliefPropagationTest {
  private static final Convergence SETTLED = Convergence.everyEdge(1e-13, 1000);

  private final JavaSparkContext sc;

  BeliefPropagationTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  private static double[] positive(Random random, int length) {
    return random.doubles(length).map(x -> 0.2 + x).toArray();
  }

  private static TestGraph<double[], double[]> graph(
      String name, Random random, int k, int vertices, List<int[]> pairs) {
    long[] ids = new long[vertices];
    List<double[]> priors = new ArrayList<>();
    for (int v = 0; v < vertices; v++) {
      ids[v] = 5L * v - 17;
      priors.add(positive(random, k));
    }
    List<double[]> potentials = new ArrayList<>();
    pairs.forEach(pair -> potentials.add(positive(random, k * k)));
    return new TestGraph<>(
        name,
        ids,
        priors,
        pairs.stream().mapToLong(pair -> ids[pair[0]]).toArray(),
        pairs.stream().mapToLong(pair -> ids[pair[1]]).toArray(),
        potentials);
  }

  /** Edges lead to and from the root; the last vertex has none. */
  private static TestGraph<double[], double[]> tree(long seed, int k, int vertices) {
    Random random = new Random(seed);
    List<int[]> pairs = new ArrayList<>();
    for (int v = 1; v < vertices - 1; v++) {
      int parent = random.nextInt(v);
      pairs.add(random.nextBoolean() ? new int[] {v, parent} : new int[] {parent, v});
    }
    return graph("tree of seed " + seed, random, k, vertices, pairs);
  }

  private static TestGraph<double[], double[]> loopy(long seed, int k, int vertices, int edges) {
    Random random = new Random(seed);
    List<int[]> pairs = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    while (pairs.size() < edges) {
      int a = random.nextInt(vertices);
      int b = random.nextInt(vertices);
      if (a != b && seen.add(Math.min(a, b) * vertices + Math.max(a, b))) {
        pairs.add(new int[] {a, b});
      }
    }
    return graph("cycles of seed " + seed, random, k, vertices, pairs);
  }

  private static double[] normalised(double[] values) {
    double total = DoubleStream.of(values).sum();
    return DoubleStream.of(values).map(value -> value / total).toArray();
  }

  private static Map<Long, Integer> places(TestGraph<?, ?> graph) {
    Map<Long, Integer> places = new HashMap<>();
    for (int v = 0; v < graph.vertexCount(); v++) {
      places.put(graph.ids()[v], v);
    }
    return places;
  }

  /** Adds up the products of all potentials over all states. */
  private static Map<Long, double[]> marginals(TestGraph<double[], double[]> graph, int k) {
    int n = graph.vertexCount();
    Map<Long, Integer> place = places(graph);
    double[][] sums = new double[n][k];
    int[] state = new int[n];
    for (long all = 0; all < Math.round(Math.pow(k, n)); all++) {
      long rest = all;
      double product = 1;
      for (int v = 0; v < n; v++) {
        state[v] = (int) (rest % k);
        rest /= k;
        product *= graph.attributes().get(v)[state[v]];
      }
      for (int e = 0; e < graph.edgeCount(); e++) {
        int row = state[place.get(graph.sources()[e])];
        int column = state[place.get(graph.destinations()[e])];
        product *= graph.edgeAttributes().get(e)[row * k + column];
      }
      for (int v = 0; v < n; v++) {
        sums[v][state[v]] += product;
      }
    }
    Map<Long, double[]> marginals = new TreeMap<>();
    for (int v = 0; v < n; v++) {
      marginals.put(graph.ids()[v], normalised(sums[v]));
    }
    return marginals;
  }

  /** Messages 2e along edge e and 2e + 1 against it; products, no logarithms. */
  private static Map<Long, double[]> oracle(TestGraph<double[], double[]> graph, int k, int steps) {
    Map<Long, Integer> place = places(graph);
    int edges = graph.edgeCount();
    double[][] messages = new double[2 * edges][k];
    for (double[] message : messages) {
      Arrays.fill(message, 1);
    }
    for (int step = 0; step < steps; step++) {
      double[][] next = new double[2 * edges][k];
      for (int m = 0; m < 2 * edges; m++) {
        int e = m / 2;
        boolean forth = m % 2 == 0;
        long from = forth ? graph.sources()[e] : graph.destinations()[e];
        double[] said = graph.attributes().get(place.get(from)).clone();
        for (int other = 0; other < 2 * edges; other++) {
          long to = other % 2 == 0 ? graph.destinations()[other / 2] : graph.sources()[other / 2];
          if (to == from && other != (m ^ 1)) {
            for (int i = 0; i < k; i++) {
              said[i] *= messages[other][i];
            }
          }
        }
        double[] potential = graph.edgeAttributes().get(e);
        for (int i = 0; i < k; i++) {
          for (int j = 0; j < k; j++) {
            next[m][j] += said[i] * potential[forth ? i * k + j : j * k + i];
          }
        }
        next[m] = normalised(next[m]);
      }
      messages = next;
    }
    Map<Long, double[]> beliefs = new TreeMap<>();
    for (int v = 0; v < graph.vertexCount(); v++) {
      double[] belief = graph.attributes().get(v).clone();
      for (int m = 0; m < 2 * edges; m++) {
        long to = m % 2 == 0 ? graph.destinations()[m / 2] : graph.sources()[m / 2];
        if (to == graph.ids()[v]) {
          for (int i = 0; i < k; i++) {
            belief[i] *= messages[m][i];
          }
        }
      }
      beliefs.put(graph.ids()[v], normalised(belief));
    }
    return beliefs;
  }

  /** The same potential on every edge. */
  private static TestGraph<double[], double[]> shared(
      TestGraph<double[], double[]> graph, double[] potential) {
    List<double[]> same = new ArrayList<>();
    graph.edgeAttributes().forEach(own -> same.add(potential));
    return new TestGraph<>(
        graph.name(), graph.ids(), graph.attributes(), graph.sources(), graph.destinations(), same);
  }

  private Map<Long, double[]> run(
      TestGraph<double[], double[]> graph, int k, Convergence until, EngineChoice engine) {
    return Compare.vertices(
        BeliefPropagation.run(
            graph.toGraphx(sc, 2, double[].class, double[].class), k, until, options(engine)));
  }

  private Map<Long, double[]> run(
      TestGraph<double[], double[]> graph,
      int k,
      double[] potential,
      Convergence until,
      EngineChoice engine) {
    return Compare.vertices(
        BeliefPropagation.run(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            k,
            potential,
            until,
            options(engine)));
  }

  private static void assertClose(
      String what, Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, belief) ->
            assertThat(found.get(id))
                .as(what + ", vertex " + id)
                .containsExactly(belief, within(bound)));
  }

  /** Whether ratios of a belief's elements differ by a factor of e to the bound at most. */
  private static void assertRatios(
      String what, Map<Long, double[]> found, Map<Long, double[]> expected, double bound) {
    expected.forEach(
        (id, belief) -> {
          double[] off = new double[belief.length];
          Arrays.setAll(off, i -> Math.log(found.get(id)[i] / belief[i]));
          double most = DoubleStream.of(off).max().orElse(0);
          assertThat(most - DoubleStream.of(off).min().orElse(0))
              .as(what + ", vertex " + id)
              .isLessThanOrEqualTo(bound + 1e-9);
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void marginalsOfTreesAreExact(EngineChoice engine) {
    int[] sizes = {5, 12, 8, 0, 5};
    for (int k : new int[] {1, 2, 3, 5}) {
      TestGraph<double[], double[]> tree = tree(10 + k, k, sizes[k - 1]);
      Map<Long, double[]> exact = marginals(tree, k);
      assertClose(tree.name(), run(tree, k, SETTLED, engine), exact, 1e-12);
      Convergence deltas = Convergence.deltas(0, 1000);
      assertClose(tree.name(), run(tree, k, deltas, engine), exact, 1e-12);
      double[] potential = positive(new Random(k), k * k);
      TestGraph<double[], double[]> same = shared(tree, potential);
      assertClose(same.name(), run(same, k, potential, SETTLED, engine), marginals(same, k), 1e-12);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void stepsOnCyclesAreThoseOfASequentialPropagation(EngineChoice engine) {
    for (int k : new int[] {2, 31, 32}) {
      TestGraph<double[], double[]> graph = loopy(20 + k, k, 12, 22);
      for (int steps : new int[] {1, 2, 5}) {
        Map<Long, double[]> expected = oracle(graph, k, steps);
        String what = graph.name() + ", " + steps + " steps";
        assertClose(what, run(graph, k, Convergence.everyEdge(0, steps), engine), expected, 1e-12);
        assertClose(what, run(graph, k, Convergence.deltas(0, steps), engine), expected, 1e-12);
      }
    }
    double[] potential = positive(new Random(33), 33 * 33);
    TestGraph<double[], double[]> graph = shared(loopy(53, 33, 10, 16), potential);
    for (Convergence until : List.of(Convergence.everyEdge(0, 4), Convergence.deltas(0, 4))) {
      assertClose(
          graph.name(), run(graph, 33, potential, until, engine), oracle(graph, 33, 4), 1e-12);
    }
  }

  @Test
  void itEndsWhenBeliefsSettle() {
    TestGraph<double[], double[]> graph = loopy(3, 3, 20, 30);
    Map<Long, double[]> expected = oracle(graph, 3, 200);
    assertClose(graph.name(), run(graph, 3, SETTLED, EngineChoice.CPU), expected, 1e-11);
  }

  @Test
  void changesNotToldAreWithinTheBound() {
    double epsilon = 1e-2;
    Convergence deltas = Convergence.deltas(epsilon, 1000);
    TestGraph<double[], double[]> tree = tree(7, 2, 14);
    Map<Long, double[]> found = run(tree, 2, deltas, EngineChoice.CPU);
    assertRatios(tree.name(), found, marginals(tree, 2), 4 * epsilon * (14 - 1));
    TestGraph<double[], double[]> cycles = loopy(8, 2, 20, 30);
    Map<Long, double[]> settled = oracle(cycles, 2, 300);
    found = run(cycles, 2, deltas, EngineChoice.CPU);
    assertRatios(cycles.name(), found, settled, 4 * epsilon * 60);
    Map<Long, double[]> those = found;
    assertThat(settled.keySet())
        .as("some changes were too small to be told")
        .anyMatch(id -> Math.abs(those.get(id)[0] - settled.get(id)[0]) > 1e-6);
  }

  @Test
  void whatIsKnownForSureStays() {
    TestGraph<double[], double[]> tree = tree(5, 3, 8);
    tree.attributes().get(0)[1] = 0;
    tree.attributes().get(2)[0] = 0;
    tree.attributes().get(2)[2] = 0;
    Map<Long, double[]> exact = marginals(tree, 3);
    for (Convergence until : List.of(SETTLED, Convergence.deltas(0, 100))) {
      Map<Long, double[]> found = run(tree, 3, until, EngineChoice.CPU);
      assertClose(tree.name(), found, exact, 1e-12);
      assertThat(found.get(tree.ids()[2])).containsExactly(0, 1, 0);
    }
  }

  /** Products of so many messages are no doubles. */
  @Test
  void aVertexOfManyNeighbours() {
    int leaves = 100_000;
    long[] ids = new long[leaves + 1];
    List<double[]> priors = new ArrayList<>();
    long[] sources = new long[leaves];
    long[] destinations = new long[leaves];
    List<double[]> none = new ArrayList<>();
    double[] potential = {0.9, 0.1, 0.2, 0.8};
    priors.add(new double[] {0.5, 0.5});
    double log = 0;
    for (int v = 1; v <= leaves; v++) {
      ids[v] = v;
      sources[v - 1] = v;
      // Nearly as many for one state as for the other.
      double[] prior = v % 2 == 0 ? new double[] {0.8, 0.2} : new double[] {0.2, 0.768};
      priors.add(prior);
      none.add(new double[0]);
      log += Math.log(prior[0] * 0.9 + prior[1] * 0.2) - Math.log(prior[0] * 0.1 + prior[1] * 0.8);
    }
    TestGraph<double[], double[]> star =
        new TestGraph<>("star", ids, priors, sources, destinations, none);
    Map<Long, double[]> found =
        run(star, 2, potential, Convergence.deltas(0, 10), EngineChoice.CPU);
    double first = 1 / (1 + Math.exp(-log));
    assertThat(found.get(0L)).containsExactly(new double[] {first, 1 - first}, within(1e-6));
    assertThat(found.get(1L)[0]).isBetween(0.01, 0.99);
  }

  @Test
  void graphsThatWereTurnedAndMasked() {
    TestGraph<double[], double[]> graph = loopy(9, 3, 12, 20);
    long gone = graph.ids()[4];
    List<Integer> kept = new ArrayList<>();
    for (int e = 0; e < graph.edgeCount(); e++) {
      if (graph.sources()[e] != gone && graph.destinations()[e] != gone) {
        kept.add(e);
      }
    }
    assertThat(kept).hasSizeLessThan(graph.edgeCount());
    TestGraph<double[], double[]> rest =
        new TestGraph<>(
            "rest",
            graph.ids(),
            graph.attributes(),
            kept.stream().mapToLong(e -> graph.destinations()[e]).toArray(),
            kept.stream().mapToLong(e -> graph.sources()[e]).toArray(),
            kept.stream().map(graph.edgeAttributes()::get).toList());
    Map<Long, double[]> expected = oracle(rest, 3, 3);
    expected.remove(gone);
    RunOptions options = options(EngineChoice.CPU);
    try (ResidentGraph<double[], double[]> all =
            GpuPregel.load(
                graph.toGraphx(sc, 2, double[].class, double[].class),
                double[].class,
                double[].class,
                options);
        ResidentGraph<double[], double[]> some = all.masked(id -> id != gone, null);
        VertexResult<double[]> found =
            BeliefPropagation.run(
                some.reversed(), 3, Convergence.everyEdge(0, 3), options.withExecutors(2))) {
      assertClose("turned", new TreeMap<>(found.collectAsMap()), expected, 1e-12);
      assertThat(found.report().summary().iterations()).isEqualTo(6);
    }
  }

  @Test
  void withoutEdgesThePriorsAreLeft() {
    TestGraph<double[], double[]> graph = graph("no edges", new Random(1), 2, 3, List.of());
    Map<Long, double[]> priors = oracle(graph, 2, 0);
    for (Convergence until : List.of(SETTLED, Convergence.deltas(0, 3))) {
      assertClose("priors", run(graph, 2, until, EngineChoice.CPU), priors, 1e-12);
    }
  }

  @Test
  void explainTellsOfTheProgram() {
    TestGraph<double[], double[]> graph = loopy(1, 2, 6, 8);
    try (ResidentGraph<double[], double[]> resident =
        GpuPregel.load(
            graph.toGraphx(sc, 2, double[].class, double[].class),
            double[].class,
            double[].class,
            options(EngineChoice.CPU))) {
      assertThat(
              BeliefPropagation.explain(
                  resident, 2, Convergence.deltas(0, 9), options(EngineChoice.CPU)))
          .contains("change-driven");
      assertThat(
              BeliefPropagation.explain(
                  resident, 2, new double[] {1, 2, 3, 4}, SETTLED, options(EngineChoice.CPU)))
          .contains("38 vertices");
    }
  }

  @Test
  void badValuesAreNamed() {
    TestGraph<double[], double[]> graph = tree(4, 2, 6);
    graph.attributes().get(3)[1] = Double.POSITIVE_INFINITY;
    assertRefused(graph, 2, "element 1 of the prior of vertex -2 is Infinity: priors need");
    Arrays.fill(graph.attributes().get(3), 0);
    assertRefused(graph, 2, "the prior of vertex -2 are all 0: priors need");
    graph.attributes().get(3)[0] = 1;
    graph.edgeAttributes().get(1)[2] = 0;
    String edge = graph.sources()[1] + " → " + graph.destinations()[1];
    assertRefused(graph, 2, "element 2 of the potential of edge " + edge + " is 0.0: potentials");
    graph.edgeAttributes().set(1, new double[] {1, 1, 1, 1});
    assertRefused(graph, 3, "vertex -17 has 2 priors, but k is 3");
    assertRefused(graph, 33, "k, the number of states, must be from 1 to 32, but got 33");
    assertThatThrownBy(() -> run(graph, 2, new double[] {1, 2, 3}, SETTLED, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the potential has 3 elements, but k is 2: give 4");
    assertThatThrownBy(
            () -> run(graph, 2, new double[] {1, 2, Double.NaN, 1}, SETTLED, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row 1, column 0 of the potential is NaN");
  }

  @Test
  void verticesThatAreConnectedTwiceAreNamed() {
    Random random = new Random(6);
    List<int[]> pairs =
        List.of(new int[] {0, 3}, new int[] {2, 1}, new int[] {1, 2}, new int[] {4, 3});
    assertRefused(
        graph("both ways", random, 2, 5, pairs),
        2,
        "vertices -12 and -7 are connected by 2 edges, but two vertices have one potential");
    pairs = List.of(new int[] {0, 3}, new int[] {2, 2}, new int[] {4, 3});
    assertRefused(
        graph("a loop", random, 2, 5, pairs), 2, "edge -7 → -7 connects a vertex with itself");
  }

  private void assertRefused(TestGraph<double[], double[]> graph, int k, String message) {
    assertThatThrownBy(() -> run(graph, k, SETTLED, EngineChoice.CPU))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
