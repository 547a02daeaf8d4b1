package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.MinimumSpanningForest.Joined;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomGraphs.Shape;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Forests, matchings and colourings against sequential code: on the CPU and on an emulated device,
 * in one partition and several, and over two executors.
 */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class IrregularTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);
  private static final RunOptions EMULATED = CPU.withEngine(EngineChoice.EMULATED);

  /** A graph, how it is held, and what runs on it. */
  private record Case(
      TestGraph<Double, Double> graph,
      ResidentGraph<Double, Double> held,
      RunOptions options,
      String name) {}

  private static final List<Case> CASES = new ArrayList<>();

  @BeforeAll
  static void load() {
    JavaSparkContext sc = SharedSpark.context();
    TestGraph<Double, Double> shapes = shapes(7);
    for (RunOptions options : List.of(CPU, EMULATED)) {
      hold(sc, shapes, options, 1, 1);
      hold(sc, shapes, options, 3, 1);
      hold(sc, shapes, options, 1, 2);
      hold(sc, complete(70), options, 2, 1);
    }
    for (Shape shape : List.of(Shape.EMPTY, Shape.ONE_VERTEX, Shape.NO_EDGES)) {
      hold(sc, weighted(RandomGraphs.of(shape, 1), 1), CPU, 1, 1);
    }
    hold(sc, shapes(8), CPU, 2, 1);
    hold(sc, ascendingPath(150), CPU, 2, 1);
  }

  private static void hold(
      JavaSparkContext sc,
      TestGraph<Double, Double> graph,
      RunOptions options,
      int partitions,
      int executors) {
    RunOptions load = CPU.withPartitions(partitions);
    CASES.add(
        new Case(
            graph,
            GpuPregel.load(
                graph.toGraphx(sc, 2, Double.class, Double.class),
                Double.class,
                Double.class,
                executors > 1 ? load.withExecutors(executors) : load),
            options,
            "%s, %s, %d partitions, %d executors"
                .formatted(graph.name(), options.engine(), partitions, executors)));
  }

  @AfterAll
  static void close() {
    CASES.forEach(each -> each.held().close());
    CASES.clear();
  }

  /** Weights are few, so that many are equal; some are negative, or a zero of either sign. */
  private static TestGraph<Double, Double> weighted(TestGraph<?, ?> graph, long seed) {
    return new TestGraph<>(
            graph.name(),
            graph.ids(),
            Collections.nCopies(graph.vertexCount(), 0.0),
            graph.sources(),
            graph.destinations(),
            Collections.nCopies(graph.edgeCount(), 0.0))
        .withAttributes(
            new Random(seed),
            r -> 0.0,
            r -> r.nextInt(8) == 0 ? -0.0 : (double) (r.nextInt(9) - 3));
  }

  /** A graph of every shape, side by side. */
  private static TestGraph<Double, Double> shapes(long seed) {
    Random random = new Random(seed);
    List<Long> ids = new ArrayList<>();
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    Set<Long> taken = new HashSet<>(List.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L));
    ids.addAll(taken);
    for (Shape shape : Shape.values()) {
      TestGraph<Object, Object> part = RandomGraphs.of(shape, seed);
      Map<Long, Long> names = new HashMap<>();
      for (long id : part.ids()) {
        long name;
        do {
          name = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(5000) - 2000;
        } while (!taken.add(name));
        names.put(id, name);
        ids.add(name);
      }
      for (int e = 0; e < part.edgeCount(); e++) {
        sources.add(names.get(part.sources()[e]));
        destinations.add(names.get(part.destinations()[e]));
      }
    }
    return weighted(
        new TestGraph<>(
            "shapes, seed " + seed,
            longs(ids),
            Collections.nCopies(ids.size(), 0.0),
            longs(sources),
            longs(destinations),
            Collections.nCopies(sources.size(), 0.0)),
        seed);
  }

  /** More colours than one look at the neighbours has room for. */
  private static TestGraph<Double, Double> complete(int vertices) {
    List<int[]> edges = new ArrayList<>();
    for (int a = 0; a < vertices; a++) {
      for (int b = 0; b < a; b++) {
        edges.add(new int[] {a, b});
      }
    }
    return weighted(TestGraph.ofEdges("complete", vertices, edges), 3);
  }

  /** All of it is connected in one round, by a chain of choices. */
  private static TestGraph<Double, Double> ascendingPath(int vertices) {
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v < vertices; v++) {
      edges.add(new int[] {v - 1, v, v});
    }
    return TestGraph.ofEdges("ascending path", vertices, edges);
  }

  private static long[] longs(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }

  private static <R> Map<Long, R> values(VertexResult<R> result, Case of) {
    if (of.graph().vertexCount() > 0) {
      assertThat(result.report().engine())
          .as(of.name())
          .isEqualTo(of.options() == EMULATED ? "emulated" : "cpu");
    }
    return new TreeMap<>(result.collectAsMap());
  }

  @Test
  void matchings() {
    for (Case each : CASES) {
      try (VertexResult<Long> result = MaximalMatching.run(each.held(), 5, each.options())) {
        assertThat(values(result, each))
            .as(each.name())
            .isEqualTo(IrregularOracle.matching(each.graph(), 5));
      }
    }
  }

  @Test
  void colourings() {
    for (Case each : CASES) {
      try (VertexResult<Integer> result = GraphColouring.run(each.held(), 5, each.options())) {
        assertThat(values(result, each))
            .as(each.name())
            .isEqualTo(IrregularOracle.colouring(each.graph(), 5));
      }
    }
  }

  @Test
  void anotherSeedGivesAnotherResult() {
    Case each = CASES.get(0);
    try (VertexResult<Long> one = MaximalMatching.run(each.held(), 1, CPU);
        VertexResult<Long> other = MaximalMatching.run(each.held(), 2, CPU);
        VertexResult<Integer> colours = GraphColouring.run(each.held(), 1, CPU);
        VertexResult<Integer> others = GraphColouring.run(each.held(), 2, CPU)) {
      assertThat(one.collectAsMap()).isNotEqualTo(other.collectAsMap());
      assertThat(colours.collectAsMap()).isNotEqualTo(others.collectAsMap());
    }
  }

  @Test
  void forests() {
    for (Case each : CASES) {
      try (VertexResult<Joined> result = MinimumSpanningForest.run(each.held(), each.options())) {
        IrregularOracle.checkForest(each.graph(), values(result, each), each.name());
        if (each.graph().name().equals("ascending path")) {
          assertThat(result.report().notes()).anyMatch(note -> note.startsWith("1 round of"));
        }
        Set<List<Object>> expected = IrregularOracle.kruskal(each.graph());
        assertThat(MinimumSpanningForest.weight(result))
            .as(each.name())
            .isEqualTo(expected.stream().mapToDouble(edge -> (double) edge.get(2)).sum());
        Set<List<Object>> edges = new HashSet<>();
        for (EdgeBlock block : MinimumSpanningForest.edges(result).collect()) {
          double[] weights = (double[]) block.values();
          for (int i = 0; i < block.size(); i++) {
            List<Object> edge =
                IrregularOracle.edge(block.source(i), block.destination(i), weights[i]);
            assertThat(edges.add(edge)).as("%s twice in %s", edge, each.name()).isTrue();
          }
        }
        assertThat(edges).as(each.name()).isEqualTo(expected);
      }
    }
  }

  /** A reversed graph has the same edges, a masked one fewer; both have attributes of others. */
  @Test
  void viewsOfGraphs() {
    Case each = CASES.get(1);
    try (VertexResult<Joined> result = MinimumSpanningForest.run(each.held().reversed(), CPU);
        VertexResult<Long> pairs = MaximalMatching.run(each.held().reversed(), 5, CPU)) {
      IrregularOracle.checkForest(each.graph(), values(result, each), "reversed " + each.name());
      assertThat(values(pairs, each)).isEqualTo(IrregularOracle.matching(each.graph(), 5));
      try (ResidentGraph<Joined, Double> joined = each.held().withVertices(result, Joined.class);
          ResidentGraph<Joined, Double> none = joined.masked(null, (source, destination) -> false);
          VertexResult<Joined> alone = MinimumSpanningForest.run(none, CPU)) {
        alone
            .collectAsMap()
            .forEach((id, vertex) -> assertThat(vertex).isEqualTo(new Joined(id, id, 0.0)));
      }
    }
  }
}
