package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.Neighborhoods;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.algorithm.support.Runs;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;

/** The library against sequential code and JGraphT, on the CPU and on an emulated device. */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class LibraryTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);
  private static final RunOptions EMULATED = CPU.withEngine(EngineChoice.EMULATED);

  /** A graph, and how it is held. */
  private record Case(
      TestGraph<Double, Double> graph, ResidentGraph<Double, Double> held, RunOptions options) {
    String name() {
      return graph.name() + ", " + Internals.state(held).handle().partitions() + " partitions";
    }
  }

  /** Directed graphs, in one partition and in three. */
  private static final List<Case> DIRECTED = new ArrayList<>();

  /** Undirected ones. */
  private static final List<Case> UNDIRECTED = new ArrayList<>();

  /** A small one of each for emulated devices, alike. */
  private static final List<Case> DEVICE = new ArrayList<>();

  private static final List<Case> DEVICE_UNDIRECTED = new ArrayList<>();

  @BeforeAll
  static void load() {
    JavaSparkContext context = SharedSpark.context();
    for (RandomGraphs.Shape shape :
        List.of(
            RandomGraphs.Shape.SKEWED,
            RandomGraphs.Shape.DISCONNECTED,
            RandomGraphs.Shape.PARALLEL,
            RandomGraphs.Shape.LATTICE,
            RandomGraphs.Shape.ONE_VERTEX_WITH_LOOPS)) {
      TestGraph<Double, Double> graph = random(shape, 21);
      hold(context, DIRECTED, graph, 1, CPU);
      hold(context, DIRECTED, graph, 3, CPU);
      hold(context, UNDIRECTED, LibraryOracle.bothWays(graph), 1, CPU);
      hold(context, UNDIRECTED, LibraryOracle.bothWays(graph), 3, CPU);
    }
    TestGraph<Double, Double> small = random(RandomGraphs.Shape.PARALLEL, 5);
    for (int partitions : new int[] {1, 3}) {
      hold(context, DEVICE, small, partitions, EMULATED);
      hold(context, DEVICE_UNDIRECTED, LibraryOracle.bothWays(small), partitions, EMULATED);
    }
  }

  private static TestGraph<Double, Double> random(RandomGraphs.Shape shape, long seed) {
    return RandomGraphs.of(shape, seed)
        .withAttributes(
            new Random(seed), Random::nextDouble, random -> 0.05 + 0.9 * random.nextDouble());
  }

  private static void hold(
      JavaSparkContext context,
      List<Case> cases,
      TestGraph<Double, Double> graph,
      int partitions,
      RunOptions options) {
    Graph<Double, Double> graphx = graph.toGraphx(context, 2, Double.class, Double.class);
    cases.add(
        new Case(
            graph,
            GpuPregel.load(
                graphx, Double.class, Double.class, RunOptions.DEFAULT.withPartitions(partitions)),
            options));
  }

  @AfterAll
  static void close() {
    for (List<Case> cases : List.of(DIRECTED, UNDIRECTED, DEVICE, DEVICE_UNDIRECTED)) {
      cases.forEach(each -> each.held().close());
      cases.clear();
    }
  }

  /** Runs an algorithm. */
  private interface Run<R> {
    VertexResult<R> on(Case graph);
  }

  private interface Expected<R> {
    Map<Long, R> of(TestGraph<Double, Double> graph);
  }

  private static List<Case> directed() {
    List<Case> all = new ArrayList<>(DIRECTED);
    all.addAll(DEVICE);
    return all;
  }

  private static List<Case> undirected() {
    List<Case> all = new ArrayList<>(UNDIRECTED);
    all.addAll(DEVICE_UNDIRECTED);
    return all;
  }

  private static <R> void check(List<Case> cases, Run<R> run, Expected<R> expected) {
    assertThat(cases).hasSizeGreaterThanOrEqualTo(10);
    for (Case each : cases) {
      try (VertexResult<R> result = run.on(each)) {
        assertThat(result.report().engine())
            .isEqualTo(each.options() == EMULATED ? "emulated" : "cpu");
        Map<Long, R> actual = new TreeMap<>(result.collectAsMap());
        Map<Long, R> wanted = expected.of(each.graph());
        assertThat(actual.keySet()).as(each.name()).isEqualTo(wanted.keySet());
        for (Map.Entry<Long, R> vertex : wanted.entrySet()) {
          R value = actual.get(vertex.getKey());
          String where = each.name() + ", vertex " + vertex.getKey();
          if (vertex.getValue() instanceof Double number && Double.isFinite(number)) {
            assertThat((Double) value)
                .as(where)
                .isCloseTo(number, within(1e-10 * Math.max(1, Math.abs(number))));
          } else {
            assertThat(value).as(where).isEqualTo(vertex.getValue());
          }
        }
      }
    }
  }

  private static long first(TestGraph<?, ?> graph) {
    return graph.ids()[0];
  }

  private static long[] some(TestGraph<?, ?> graph, int most) {
    return Arrays.copyOf(graph.ids(), Math.min(most, graph.ids().length));
  }

  @Test
  void graphalyticsDepths() {
    check(
        directed(),
        each -> Graphalytics.bfs(each.held(), first(each.graph()), each.options()),
        graph -> {
          Map<Long, Integer> levels = LibraryOracle.levels(graph, first(graph));
          return LibraryOracle.each(
              graph, id -> levels.containsKey(id) ? (long) levels.get(id) : Long.MAX_VALUE);
        });
  }

  @Test
  void graphalyticsRanks() {
    check(
        directed(),
        each -> Graphalytics.pageRank(each.held(), 7, 0.85, each.options()),
        graph -> {
          Map<Long, Integer> degrees = LibraryOracle.outDegrees(graph);
          int n = graph.vertexCount();
          Map<Long, Double> ranks = LibraryOracle.each(graph, id -> 1.0 / n);
          for (int i = 0; i < 7; i++) {
            Map<Long, Double> before = ranks;
            double sinks =
                degrees.keySet().stream()
                    .filter(id -> degrees.get(id) == 0)
                    .mapToDouble(before::get)
                    .sum();
            ranks = LibraryOracle.each(graph, id -> 0.15 / n + 0.85 / n * sinks);
            for (int e = 0; e < graph.edgeCount(); e++) {
              long source = graph.sources()[e];
              ranks.merge(
                  graph.destinations()[e],
                  0.85 * before.get(source) / degrees.get(source),
                  Double::sum);
            }
          }
          assertThat(ranks.values().stream().mapToDouble(r -> r).sum()).isCloseTo(1, within(1e-12));
          return ranks;
        });
  }

  @Test
  void hopsToLandmarks() {
    check(
        directed(),
        each -> ShortestPaths.run(each.held(), some(each.graph(), 3), each.options()),
        graph -> {
          TestGraph<Double, Double> reversed = LibraryOracle.reversed(graph);
          long[] landmarks = some(graph, 3);
          Map<Long, int[]> all = LibraryOracle.each(graph, id -> new int[landmarks.length]);
          all.values().forEach(row -> Arrays.fill(row, ShortestPaths.UNREACHED));
          for (int i = 0; i < landmarks.length; i++) {
            int place = i;
            LibraryOracle.levels(reversed, landmarks[i])
                .forEach((id, level) -> all.get(id)[place] = level);
          }
          return LibraryOracle.each(graph, id -> all.get(id));
        });
  }

  @Test
  void strongComponents() {
    check(
        directed(),
        each -> StronglyConnectedComponents.run(each.held(), 1000, each.options()),
        LibraryOracle::strongComponents);
  }

  @Test
  void clusteringCoefficients() {
    check(
        directed(),
        each -> Graphalytics.lcc(each.held(), each.options()),
        graph -> LibraryOracle.clustering(graph, LibraryOracle.directed(graph)));
    check(
        directed(),
        each -> ClusteringCoefficient.run(each.held(), each.options()),
        graph -> LibraryOracle.clustering(graph, LibraryOracle.undirected(graph)));
    Case any = DIRECTED.get(0);
    assertThat(Graphalytics.explainLcc(any.held(), any.options()))
        .contains("engine: cpu", "operator: neighbourhood intersection", "bytes of the heap");
  }

  /** Triangles and links are told together; a view of the other direction has the same. */
  @Test
  void neighbourhoods() {
    for (Case each : DIRECTED) {
      try (VertexResult<Neighborhood> all = Neighborhoods.run(each.held(), each.options());
          VertexResult<Integer> triangles = TriangleCount.run(each.held(), each.options());
          VertexResult<Neighborhood> reversed =
              Neighborhoods.run(each.held().reversed(), each.options());
          VertexResult<Double> linked = Graphalytics.lcc(each.held(), each.options())) {
        Map<Long, Neighborhood> found = all.collectAsMap();
        assertThat(reversed.collectAsMap()).as(each.name()).isEqualTo(found);
        Map<Long, Integer> counted = triangles.collectAsMap();
        Map<Long, Double> shares = linked.collectAsMap();
        found.forEach(
            (id, neighbours) -> {
              assertThat((long) counted.get(id)).isEqualTo(neighbours.triangles());
              assertThat(shares.get(id)).isEqualTo(neighbours.clustering());
            });
      }
    }
  }

  @Test
  void widestPaths() {
    check(
        directed(),
        each -> WidestPaths.run(each.held(), first(each.graph()), each.options()),
        graph -> LibraryOracle.widths(graph, first(graph)));
  }

  private static Map<Long, Double> attributes(TestGraph<Double, Double> graph) {
    Map<Long, Double> start = new TreeMap<>();
    for (int i = 0; i < graph.ids().length; i++) {
      start.put(graph.ids()[i], graph.attributes().get(i));
    }
    return start;
  }

  @Test
  void neuralNetworks() {
    check(
        directed(),
        each -> NeuralNetwork.run(each.held(), 1e-3, 30, each.options()),
        graph ->
            LibraryOracle.active(
                graph,
                attributes(graph),
                1e-3,
                30,
                (source, destination, weight) -> source * weight,
                (id, old, sum) -> Math.tanh(sum)));
  }

  @Test
  void heat() {
    check(
        directed(),
        each -> HeatSimulation.run(each.held(), 0, 8, each.options()),
        graph ->
            LibraryOracle.rounds(
                graph,
                attributes(graph),
                8,
                (source, destination, c) -> c * (source - destination),
                (id, old, sum) -> old + sum));
  }

  @Test
  void circuits() {
    check(
        directed(),
        each -> {
          try (ResidentGraph<Double, Double> wired = wired(each)) {
            return CircuitSimulation.run(wired, 1e-3, 50, each.options());
          }
        },
        graph -> {
          Map<Long, Double> inflow =
              LibraryOracle.rounds(
                  graph,
                  LibraryOracle.each(graph, id -> 0.0),
                  1,
                  (s, d, g) -> g,
                  (i, old, sum) -> sum);
          long[] ends = some(graph, 2);
          return LibraryOracle.active(
              graph,
              LibraryOracle.each(graph, id -> id == ends[0] ? 1.0 : 0.0),
              1e-3,
              50,
              (source, destination, g) -> g * source,
              (id, old, sum) ->
                  Arrays.stream(ends).anyMatch(end -> end == id) ? old : sum / inflow.get(id));
        });
  }

  /** 1 V at the first vertex, 0 at the second, the others free. */
  private static ResidentGraph<Double, Double> wired(Case each) {
    long[] ends = some(each.graph(), 2);
    List<Tuple2<Long, Double>> given = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      given.add(new Tuple2<>(ends[i], i == 0 ? 1.0 : 0.0));
    }
    return Runs.with(each.held(), given, Double.class, CircuitSimulation.FREE);
  }

  @Test
  void cores() {
    for (int k : new int[] {1, 3}) {
      check(
          k == 3 ? undirected() : UNDIRECTED,
          each -> KCore.run(each.held(), k, each.options()),
          graph -> LibraryOracle.core(graph, k));
    }
  }

  /** What the operator does not take, or is not asked for, the vertex program does alike. */
  @Test
  void coresAndStrongComponentsAreNotFoundByOperatorsAlways() {
    ResidentGraph<Double, Double> one = UNDIRECTED.get(0).held();
    ResidentGraph<Double, Double> three = UNDIRECTED.get(1).held();
    RunOptions dense = CPU.withKernel(KernelChoice.DENSE);
    assertThat(StronglyConnectedComponents.explain(one, CPU))
        .contains("operator: StronglyConnectedComponents");
    assertThat(StronglyConnectedComponents.explain(three, CPU))
        .contains("choice: a vertex program, not the operator, which takes a graph in one piece");
    assertThat(KCore.explain(one, 2, CPU)).contains("operator: KCore, no vertex program");
    assertThat(KCore.explainCoreness(one, CPU)).contains("operator: Coreness");
    assertThat(KCore.explain(three, 2, CPU))
        .contains("choice: a vertex program, not the operator, which takes a graph in one piece");
    assertThat(KCore.explainCoreness(one, dense))
        .contains("choice: a vertex program, not the operator: the configuration asks for it");
    try (VertexResult<Integer> peeled = KCore.coreness(one, CPU);
        VertexResult<Integer> program = KCore.coreness(one, dense)) {
      assertThat(program.collectAsMap()).isEqualTo(peeled.collectAsMap());
    }
  }

  @Test
  void corenessIsWhatEveryCoreSays() {
    check(
        undirected(),
        each -> KCore.coreness(each.held(), each.options()),
        graph -> {
          Map<Long, Integer> coreness = LibraryOracle.each(graph, id -> 0);
          for (int k = 1; coreness.containsValue(k - 1); k++) {
            int now = k;
            LibraryOracle.core(graph, k)
                .forEach((id, degree) -> coreness.merge(id, degree > 0 ? now : 0, Math::max));
          }
          return coreness;
        });
  }

  @Test
  void independentSets() {
    for (long seed : new long[] {1, 77}) {
      check(
          seed == 1 ? directed() : DIRECTED,
          each -> MaximalIndependentSet.run(each.held(), seed, each.options()),
          graph -> LibraryOracle.independentSet(graph, seed));
    }
  }

  @Test
  void hubsAndAuthorities() {
    check(
        directed(),
        each -> {
          try (VertexResult<Hits.Scores> scores = Hits.run(each.held(), 6, each.options());
              ResidentGraph<Hits.Scores, Double> scored =
                  each.held().withVertices(scores, Hits.Scores.class)) {
            return GpuPregel.on(scored)
                .initialMessage(0)
                .maxIterations(1)
                .vertexProgram((id, value, message) -> value)
                .sendMessage(edge -> {})
                .mergeMessage(Integer::sum)
                .result((id, attribute, value) -> value.authority() + 1000 * value.hub())
                .options(each.options())
                .runVertices();
          }
        },
        graph -> {
          Map<Long, Double> hubs = LibraryOracle.each(graph, id -> 1.0);
          Map<Long, Double> authorities = hubs;
          for (int i = 0; i < 6; i++) {
            authorities =
                LibraryOracle.rounds(graph, hubs, 1, (s, d, e) -> s, (id, old, sum) -> sum);
            normalise(authorities);
            hubs =
                LibraryOracle.rounds(
                    LibraryOracle.reversed(graph),
                    authorities,
                    1,
                    (s, d, e) -> s,
                    (id, old, sum) -> sum);
            normalise(hubs);
          }
          Map<Long, Double> a = authorities;
          Map<Long, Double> h = hubs;
          return LibraryOracle.each(graph, id -> a.get(id) + 1000 * h.get(id));
        });
  }

  private static void normalise(Map<Long, Double> values) {
    double norm = Math.sqrt(values.values().stream().mapToDouble(x -> x * x).sum());
    values.replaceAll((id, value) -> norm == 0 ? 0 : value / norm);
  }

  @Test
  void katz() {
    check(
        directed(),
        each -> Katz.run(each.held(), 0.01, 1.0, 1e-13, 100, each.options()),
        graph ->
            LibraryOracle.rounds(
                graph,
                LibraryOracle.each(graph, id -> 1.0),
                100,
                (s, d, e) -> s,
                (id, old, sum) -> 1.0 + 0.01 * sum));
  }

  @Test
  void weightedRanks() {
    check(
        directed(),
        each -> WeightedPageRank.run(each.held(), 5, 0.15, each.options()),
        graph -> weightedRanks(graph, OptionalLong.empty()));
    check(
        directed(),
        each ->
            WeightedPageRank.run(
                each.held(), 5, 0.15, OptionalLong.of(first(each.graph())), each.options()),
        graph -> weightedRanks(graph, OptionalLong.of(first(graph))));
  }

  private static Map<Long, Double> weightedRanks(
      TestGraph<Double, Double> graph, OptionalLong source) {
    Map<Long, Double> weights = LibraryOracle.outWeights(graph);
    Map<Long, Double> resets =
        LibraryOracle.each(graph, id -> source.isEmpty() || id == source.getAsLong() ? 1.0 : 0.0);
    Map<Long, Double> ranks = resets;
    for (int i = 0; i < 5; i++) {
      Map<Long, Double> before = ranks;
      ranks = LibraryOracle.each(graph, id -> 0.15 * resets.get(id));
      for (int e = 0; e < graph.edgeCount(); e++) {
        long from = graph.sources()[e];
        ranks.merge(
            graph.destinations()[e],
            0.85 * before.get(from) * graph.edgeAttributes().get(e) / weights.get(from),
            Double::sum);
      }
    }
    double sum = ranks.values().stream().mapToDouble(r -> r).sum();
    double wanted = source.isPresent() ? 1 : graph.vertexCount();
    Map<Long, Double> last = ranks;
    return LibraryOracle.each(graph, id -> last.get(id) * wanted / sum);
  }

  @Test
  void searchesFromManySources() {
    check(
        directed(),
        each -> MultiSourceBfs.run(each.held(), some(each.graph(), 64), each.options()),
        graph -> {
          long[] sources = some(graph, 64);
          Map<Long, Long> masks = LibraryOracle.each(graph, id -> 0L);
          Map<Long, Long> sums = LibraryOracle.each(graph, id -> 0L);
          for (int i = 0; i < sources.length; i++) {
            long bit = 1L << i;
            LibraryOracle.levels(graph, sources[i])
                .forEach(
                    (id, level) -> {
                      masks.merge(id, bit, Long::sum);
                      sums.merge(id, (long) level, Long::sum);
                    });
          }
          return LibraryOracle.each(
              graph, id -> new MultiSourceBfs.Reached(masks.get(id), sums.get(id)));
        });
  }

  @Test
  void betweenness() {
    check(
        directed(),
        each -> Betweenness.run(each.held(), some(each.graph(), 3), each.options()),
        graph -> LibraryOracle.betweenness(graph, some(graph, 3)));
  }

  /** The same sources however the graph is held; all of them are exact. */
  @Test
  void sampledBetweenness() {
    check(
        directed(),
        each -> Betweenness.sampled(each.held(), 1, 7, each.options()),
        graph -> {
          long drawn =
              Arrays.stream(graph.ids())
                  .boxed()
                  .min(Comparator.comparing(id -> Mixing.mix(id, 7)))
                  .orElseThrow();
          Map<Long, Double> of = LibraryOracle.betweenness(graph, new long[] {drawn});
          return LibraryOracle.each(graph, id -> of.get(id) * graph.vertexCount());
        });
    Case small = DEVICE.get(0);
    int all = small.graph().vertexCount();
    try (VertexResult<Double> exact = Betweenness.sampled(small.held(), all, 1, CPU)) {
      Map<Long, Double> wanted = LibraryOracle.betweenness(small.graph(), small.graph().ids());
      exact
          .collectAsMap()
          .forEach((id, value) -> assertThat(value).isCloseTo(wanted.get(id), within(1e-9)));
    }
  }

  /** Simple graphs, where JGraphT's definitions are the same. */
  @Test
  void jgraphtAgrees() {
    TestGraph<Double, Double> graph = LibraryOracle.simple(random(RandomGraphs.Shape.SKEWED, 33));
    TestGraph<Double, Double> both = LibraryOracle.simple(LibraryOracle.bothWays(graph));
    JavaSparkContext context = SharedSpark.context();
    List<Case> held = new ArrayList<>();
    hold(context, held, graph, 2, CPU);
    hold(context, held, both, 2, CPU);
    try (ResidentGraph<Double, Double> one = held.get(0).held();
        ResidentGraph<Double, Double> two = held.get(1).held();
        VertexResult<Integer> coreness = KCore.coreness(two, CPU);
        VertexResult<Double> between = Betweenness.run(one, graph.ids(), CPU)) {
      assertThat(coreness.collectAsMap()).isEqualTo(LibraryOracle.coreness(both));
      Map<Long, Double> scores = between.collectAsMap();
      LibraryOracle.betweenness(graph)
          .forEach((id, score) -> assertThat(scores.get(id)).isCloseTo(score, within(1e-9)));
    }
  }

  /** Two resistors of 1 and 3 in a row: the voltage between them is 3/4. */
  @Test
  void aVoltageDivider() {
    TestGraph<Double, Double> graph =
        LibraryOracle.bothWays(
            new TestGraph<>(
                "divider",
                new long[] {1, 2, 3},
                List.of(1.0, CircuitSimulation.FREE, 0.0),
                new long[] {1, 2},
                new long[] {2, 3},
                List.of(1.0, 1.0 / 3)));
    Graph<Double, Double> input =
        graph.toGraphx(SharedSpark.context(), 2, Double.class, Double.class);
    assertThat(Compare.vertices(CircuitSimulation.run(input, 1e-12, 100, CPU)))
        .isEqualTo(Map.of(1L, 1.0, 2L, 0.75, 3L, 0.0));
    // Heat is kept and spreads evenly.
    Graph<Double, Double> warm =
        new TestGraph<>(
                "warm",
                graph.ids(),
                List.of(3.0, 0.0, 0.0),
                graph.sources(),
                graph.destinations(),
                List.of(0.25, 0.25, 0.25, 0.25))
            .toGraphx(SharedSpark.context(), 2, Double.class, Double.class);
    Compare.vertices(HeatSimulation.run(warm, 1e-12, 1000, CPU))
        .forEach((id, heat) -> assertThat(heat).isCloseTo(1, within(1e-9)));
  }
}
