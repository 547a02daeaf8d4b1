package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.Pseudograph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.reflect.ClassTag$;

/** The operator however a graph is held, against stock GraphX, JGraphT and the vertex program. */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class ComponentsTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final RunOptions EMULATED = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);

  private final JavaSparkContext context;

  ComponentsTest(JavaSparkContext context) {
    this.context = context;
  }

  private Graph<Double, Double> graphx(TestGraph<?, ?> graph, long seed) {
    return graph
        .withAttributes(new Random(seed), Random::nextDouble, Random::nextDouble)
        .toGraphx(context, 2, Double.class, Double.class);
  }

  private static Map<Long, Long> expected(TestGraph<?, ?> graph) {
    Pseudograph<Long, DefaultEdge> undirected = new Pseudograph<>(DefaultEdge.class);
    for (long id : graph.ids()) {
      undirected.addVertex(id);
    }
    for (int e = 0; e < graph.edgeCount(); e++) {
      undirected.addEdge(graph.sources()[e], graph.destinations()[e]);
    }
    Map<Long, Long> components = new TreeMap<>();
    new ConnectivityInspector<>(undirected)
        .connectedSets()
        .forEach(
            set -> {
              long smallest = set.stream().mapToLong(v -> v).min().orElseThrow();
              set.forEach(v -> components.put(v, smallest));
            });
    return components;
  }

  /** Paths change shards at nearly every edge where ids are in any order. */
  @Test
  void everyShapeHoweverItIsHeld() {
    for (RandomGraphs.Shape shape : RandomGraphs.Shape.values()) {
      TestGraph<Object, Object> graph = RandomGraphs.of(shape, 11);
      Graph<Double, Double> input = graphx(graph, 11);
      Map<Long, Long> expected = expected(graph);
      for (int[] held : new int[][] {{1, 3}, {2 + shape.ordinal() % 3, 1 + shape.ordinal() % 2}}) {
        RunOptions options = CPU.withExecutors(held[0]).withPartitions(held[1]);
        String name = graph.name() + ", " + held[0] + " executors";
        try (ResidentGraph<Double, Double> resident =
                GpuPregel.load(input, Double.class, Double.class, options);
            VertexResult<Long> result = Components.of(resident, CPU)) {
          assertThat(result.collectAsMap()).as(name).isEqualTo(expected);
          assertThat(result.report().summary().iterations()).isLessThan(4);
          assertThat(result.report().engine()).isEqualTo("cpu");
        }
      }
      input.unpersist(false);
    }
  }

  @Test
  void theSameAsStockGraphX() {
    for (RandomGraphs.Shape shape :
        List.of(RandomGraphs.Shape.DISCONNECTED, RandomGraphs.Shape.PARALLEL)) {
      Graph<Double, Double> input = graphx(RandomGraphs.of(shape, 4), 4);
      Graph<Long, Double> actual = Components.of(input);
      Graph<Object, Double> stock =
          org.apache.spark.graphx.lib.ConnectedComponents.run(
              input, ClassTag$.MODULE$.apply(Double.class), ClassTag$.MODULE$.apply(Double.class));
      assertThat(new HashMap<Object, Object>(Compare.vertices(actual)))
          .isEqualTo(new HashMap<Object, Object>(Compare.vertices(stock)));
      assertThat(actual.edges().count()).isEqualTo(input.edges().count());
      actual.unpersist(false);
    }
  }

  @Test
  void emulatedDevicesGiveTheSame() {
    for (RandomGraphs.Shape shape :
        List.of(RandomGraphs.Shape.SKEWED, RandomGraphs.Shape.DISCONNECTED)) {
      TestGraph<Object, Object> graph = RandomGraphs.of(shape, 7);
      Graph<Double, Double> input = graphx(graph, 7);
      for (int[] held : new int[][] {{1, 3}, {2, 1}}) {
        try (ResidentGraph<Double, Double> resident =
                GpuPregel.load(
                    input,
                    Double.class,
                    Double.class,
                    EMULATED.withExecutors(held[0]).withPartitions(held[1]));
            VertexResult<Long> result = Components.of(resident, EMULATED)) {
          assertThat(result.report().engine()).isEqualTo("emulated");
          assertThat(result.report().kernelSeconds()).isPositive();
          assertThat(result.collectAsMap()).isEqualTo(expected(graph));
          assertThat(Components.explain(resident, EMULATED)).contains("engine: emulated");
        }
      }
    }
  }

  /** What is left out joins nothing, also where shards meet. */
  @Test
  void maskedGraphsFallApart() {
    TestGraph<Object, Object> path = RandomGraphs.of(RandomGraphs.Shape.PATH, 3);
    Graph<Double, Double> input = graphx(path, 3);
    long gone = path.destinations()[path.edgeCount() / 2];
    for (int executors : new int[] {1, 3}) {
      try (ResidentGraph<Double, Double> resident =
              GpuPregel.load(input, Double.class, Double.class, CPU.withExecutors(executors));
          ResidentGraph<Double, Double> masked = resident.masked(id -> id != gone, null);
          VertexResult<Long> result = Components.of(masked, CPU);
          VertexResult<Long> program =
              ConnectedComponents.runProgram(masked, Integer.MAX_VALUE, CPU)) {
        Map<Long, Long> components = result.collectAsMap();
        try (VertexResult<Long> turned = Components.of(masked.reversed(), CPU)) {
          assertThat(turned.collectAsMap()).isEqualTo(components);
        }
        assertThat(components).doesNotContainKey(gone).isEqualTo(program.collectAsMap());
        assertThat(components.values().stream().distinct().count())
            .isGreaterThan(expected(path).values().stream().distinct().count());
      }
    }
  }

  @Test
  void theLibraryTakesTheOperatorUnlessSomethingAsksForTheProgram() {
    TestGraph<Object, Object> path = RandomGraphs.of(RandomGraphs.Shape.PATH, 5);
    Graph<Double, Double> input = graphx(path, 5);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(input, Double.class, Double.class, CPU)) {
      int all = Integer.MAX_VALUE;
      assertThat(ConnectedComponents.explain(resident, all, CPU))
          .contains("operator: ConnectedComponents");
      RunOptions dense = CPU.withKernel(KernelChoice.DENSE);
      assertThat(ConnectedComponents.explain(resident, all, dense)).doesNotContain("operator: ");
      assertThat(ConnectedComponents.explain(resident, 2, CPU)).doesNotContain("operator: ");
      try (VertexResult<Long> operator = ConnectedComponents.run(resident, all, CPU);
          VertexResult<Long> bounded = ConnectedComponents.run(resident, 1, CPU);
          VertexResult<Long> forced = ConnectedComponents.run(resident, all, dense)) {
        assertThat(operator.report().summary().iterations()).isZero();
        assertThat(bounded.report().summary().iterations()).isEqualTo(1);
        assertThat(forced.report().summary().iterations()).isGreaterThan(1);
        assertThat(operator.collectAsMap()).isEqualTo(expected(path));
        assertThat(forced.collectAsMap()).isEqualTo(expected(path));
      }
    }
    RunOptions stock = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);
    assertThat(Compare.vertices(ConnectedComponents.run(input, Integer.MAX_VALUE, stock)))
        .isEqualTo(expected(path));
    assertThatThrownBy(() -> Components.of(input, stock))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ConnectedComponents does not run on stock GraphX");
    assertThatThrownBy(() -> ConnectedComponents.run(input, 0))
        .hasMessageContaining("greater than 0, but got 0");
  }
}
