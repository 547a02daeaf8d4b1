package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Every wrong argument of every public method of the library gives an error that names the value,
 * what it is of, and what to do. The table says for each method what its arguments may be; a public
 * method or class that it lacks fails the test.
 */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class BadInputTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);

  private static final long STRANGER = 4_000_000_123L;

  /** A wrong value, and what the error says. */
  private record Bad(Object value, String... texts) {}

  /** A right value of a parameter, and wrong ones. */
  private record Argument(Class<?> type, Object good, Bad... bad) {}

  private static final String POSITIVE = "must be greater than 0, but got ";
  private static final Argument ITERATIONS =
      new Argument(
          int.class,
          2,
          new Bad(0, "Number of iterations " + POSITIVE + "0"),
          new Bad(-3, "Number of iterations " + POSITIVE + "-3"));
  private static final Argument SUPERSTEPS =
      new Argument(
          int.class,
          2,
          new Bad(0, "Maximum number of iterations " + POSITIVE + "0"),
          new Bad(-3, "Maximum number of iterations " + POSITIVE + "-3"));
  private static final Argument TOLERANCE =
      new Argument(
          double.class,
          0.5,
          new Bad(-1.0, "Tolerance must be no less than 0, but got -1.0"),
          new Bad(Double.NaN, "Tolerance must be no less than 0, but got NaN"));
  private static final Argument RESET = probability("Random reset probability");
  private static final Argument SOURCE =
      new Argument(long.class, 1L, new Bad(STRANGER, stranger("source")));
  private static final Argument PERSONAL =
      new Argument(
          OptionalLong.class,
          OptionalLong.of(1),
          new Bad(OptionalLong.of(STRANGER), stranger("source")));
  private static final Argument SEED = new Argument(long.class, 5L);
  private static final Argument FLAG = new Argument(boolean.class, true);

  private static Argument probability(String what) {
    String text = what + " must belong to [0, 1], but got ";
    return new Argument(
        double.class,
        0.25,
        new Bad(1.5, text + "1.5"),
        new Bad(-0.5, text + "-0.5"),
        new Bad(Double.NaN, text + "NaN"));
  }

  private static String stranger(String what) {
    return what + " 4000000123 is not a vertex of the graph: pass the id of one that is";
  }

  /**
   * @param most that one run takes; 0: any number
   */
  private static Argument vertices(String what, int most) {
    List<Bad> bad =
        new ArrayList<>(
            List.of(
                new Bad(new long[] {1, STRANGER}, stranger(what)),
                new Bad(new long[] {1, 2, 1}, what + " 1 is given twice: pass every vertex once"),
                new Bad(
                    new long[0], "no " + what + " is given: pass the id of at least one vertex")));
    if (most > 0) {
      bad.add(
          new Bad(
              new long[most + 1],
              most + 1 + " " + what + "s are given, but one run takes " + most + ": run in parts"));
    }
    return new Argument(long[].class, new long[] {1, 2}, bad.toArray(Bad[]::new));
  }

  /** What graphs an algorithm takes. */
  private enum Takes {
    ANY,
    UNDIRECTED
  }

  /**
   * A row: what follows the graph, but for options at the end. Overloads may leave out the last
   * ones.
   *
   * @param value what a bad edge value is called; null: it takes any
   */
  private record Row(Takes takes, String value, Argument... arguments) {}

  private static final Map<String, Row> TABLE = new HashMap<>();

  private static void row(String method, Argument... arguments) {
    TABLE.put(method, new Row(Takes.ANY, null, arguments));
  }

  private static void weighted(String method, String value, Argument... arguments) {
    TABLE.put(method, new Row(Takes.ANY, value, arguments));
  }

  private static void undirected(String method, Argument... arguments) {
    TABLE.put(method, new Row(Takes.UNDIRECTED, null, arguments));
  }

  private static JavaSparkContext context;
  private static Graph<Double, Double> directed;
  private static Graph<Double, Double> undirected;
  private static Graph<Double, Double> negative;
  private static ResidentGraph<Double, Double> heldDirected;
  private static ResidentGraph<Double, Double> heldUndirected;
  private static ResidentGraph<Double, Double> heldNegative;

  @BeforeAll
  static void load() {
    context = SharedSpark.context();
    directed = graph(new long[] {1, 2, 3}, new long[] {2, 3, 1}, 1.0, 1.0, 1.0);
    undirected = graph(new long[] {1, 2, 2, 3}, new long[] {2, 1, 3, 2}, 1.0, 1.0, 1.0, 1.0);
    negative = graph(new long[] {1, 3, 2}, new long[] {2, 2, 3}, 1.0, -3.0, Double.NaN);
    heldDirected = hold(directed);
    heldUndirected = hold(undirected);
    heldNegative = hold(negative);
    table();
  }

  @AfterAll
  static void close() {
    heldDirected.close();
    heldUndirected.close();
    heldNegative.close();
  }

  private static Graph<Double, Double> graph(long[] from, long[] to, Double... values) {
    return graph(0.5, from, to, values);
  }

  private static Graph<Double, Double> graph(
      double attribute, long[] from, long[] to, Double... values) {
    List<Double> attributes = Collections.nCopies(3, attribute);
    return new TestGraph<>("tiny", new long[] {1, 2, 3}, attributes, from, to, List.of(values))
        .toGraphx(context, 1, Double.class, Double.class);
  }

  private static ResidentGraph<Double, Double> hold(Graph<Double, Double> graph) {
    return GpuPregel.load(graph, Double.class, Double.class, CPU.withPartitions(2));
  }

  private static void table() {
    row("PageRank.run", ITERATIONS, RESET, PERSONAL);
    row("PageRank.runWithOptions", ITERATIONS, RESET, PERSONAL, FLAG);
    row("PageRank.runUntilConvergence", TOLERANCE, RESET, PERSONAL);
    row("PageRank.runUntilConvergenceWithOptions", TOLERANCE, RESET, PERSONAL);
    Argument earlier =
        new Argument(
            Graph.class,
            directed,
            new Bad(pair(), "must have the same number of vertices but got 3 and 2"));
    row("PageRank.runWithOptionsWithPreviousPageRank", ITERATIONS, RESET, PERSONAL, FLAG, earlier);
    row("PageRank.runParallelPersonalizedPageRank", ITERATIONS, RESET, vertices("source", 0));
    row("PageRank.explainParallelPersonalizedPageRank", ITERATIONS, RESET, vertices("source", 0));
    row("PageRank.explainWithPreviousPageRank", ITERATIONS, RESET);
    row("PageRank.explain", ITERATIONS, RESET);
    row("PageRank.explainUntilConvergence", TOLERANCE, RESET);
    for (String method : List.of("run", "runProgram", "explain")) {
      row("ConnectedComponents." + method, SUPERSTEPS);
    }
    row("StronglyConnectedComponents.run", ITERATIONS);
    row("StronglyConnectedComponents.explain");
    Argument steps = new Argument(int.class, 2, new Bad(0, "Maximum of steps " + POSITIVE + "0"));
    row("LabelPropagation.run", steps);
    row("LabelPropagation.explain", steps);
    TABLE.put("ShortestPaths.run", new Row(Takes.ANY, null, vertices("landmark", 0)));
    row("ShortestPaths.explain", vertices("landmark", ShortestPaths.WIDTH));
    row("Bfs.run", SOURCE, SUPERSTEPS);
    row("Bfs.explain", SOURCE, SUPERSTEPS);
    weighted("Sssp.run", "weight", SOURCE, SUPERSTEPS);
    row("Sssp.explain", SOURCE, SUPERSTEPS);
    weighted("WidestPaths.run", "width", SOURCE);
    row("WidestPaths.explain", SOURCE);
    for (String method : List.of("bfs", "explainBfs")) {
      row("Graphalytics." + method, SOURCE);
    }
    for (String method : List.of("pageRank", "explainPageRank")) {
      row("Graphalytics." + method, ITERATIONS, probability("Damping factor"));
    }
    row("Graphalytics.wcc");
    row("Graphalytics.explainWcc");
    row("Graphalytics.cdlp", ITERATIONS);
    row("Graphalytics.explainCdlp", ITERATIONS);
    weighted("Graphalytics.sssp", "weight", SOURCE);
    row("Graphalytics.explainSssp", SOURCE);
    row("Graphalytics.lcc");
    row("Graphalytics.explainLcc");
    for (String name : List.of("TriangleCount", "ClusteringCoefficient")) {
      row(name + ".run");
      row(name + ".explain");
    }
    row("TriangleCount.runPreCanonicalized");
    row("NeuralNetwork.run", TOLERANCE, SUPERSTEPS);
    row("NeuralNetwork.explain", TOLERANCE, SUPERSTEPS);
    for (String name : List.of("HeatSimulation", "CircuitSimulation")) {
      weighted(name + ".run", "conductance", TOLERANCE, SUPERSTEPS);
      row(name + ".explain", TOLERANCE, SUPERSTEPS);
    }
    Argument k =
        new Argument(
            int.class,
            2,
            new Bad(0, "k must be at least 1, but got 0"),
            new Bad(-2, "k must be at least 1, but got -2"));
    undirected("KCore.run", k);
    undirected("KCore.coreness");
    row("KCore.explain", k);
    row("KCore.explainCoreness");
    row("MaximalIndependentSet.run", SEED);
    row("MaximalIndependentSet.explain", SEED);
    for (String name : List.of("MaximalMatching", "GraphColouring")) {
      row(name + ".run", SEED);
      row(name + ".explain", SEED);
    }
    row("MinimumSpanningForest.run");
    row("MinimumSpanningForest.explain");
    Argument pairs =
        new Argument(
            int.class,
            2,
            new Bad(0, "Number of iterations " + POSITIVE + "0"),
            new Bad(1 << 30, "must be at most 1073741823", "but got 1073741824"));
    row("Hits.run", pairs);
    row("Hits.explain", pairs);
    Argument alpha =
        new Argument(
            double.class,
            0.1,
            new Bad(-1.0, "alpha must be 0 or more, but got -1.0"),
            new Bad(Double.NaN, "alpha must be 0 or more, but got NaN"),
            new Bad(Double.POSITIVE_INFINITY, "alpha", "but got Infinity"));
    Argument beta =
        new Argument(
            double.class, 1.0, new Bad(Double.NaN, "beta must be a finite number, but got NaN"));
    row("Katz.run", alpha, beta, TOLERANCE, ITERATIONS);
    row("Katz.explain", alpha, beta, TOLERANCE, ITERATIONS);
    weighted("WeightedPageRank.run", "weight", ITERATIONS, RESET, PERSONAL);
    row("WeightedPageRank.explain", ITERATIONS, RESET, PERSONAL);
    row("MultiSourceBfs.run", vertices("source", MultiSourceBfs.WIDTH));
    row("MultiSourceBfs.explain", vertices("source", MultiSourceBfs.WIDTH));
    row("Betweenness.run", vertices("source", 0));
    row("Betweenness.explain", vertices("source", 0));
    Argument drawn =
        new Argument(
            int.class,
            2,
            new Bad(0, "sources to draw must be from 1 to the number of vertices, 3, but got 0"),
            new Bad(4, "sources to draw must be from 1 to the number of vertices, 3, but got 4"));
    row("Betweenness.sampled", drawn, SEED);
    row("Betweenness.explainSampled", drawn, SEED);
    // Ratings and configurations: SVDPlusPlusTest.
    Argument conf =
        new Argument(SVDPlusPlus.Conf.class, new SVDPlusPlus.Conf(1, 1, 0, 5, 0.1, 0.1, 0.1, 0.1));
    row("SVDPlusPlus.run", conf, SEED);
    row("SVDPlusPlus.explain", conf);
    // Configurations and weights of Modularity: LouvainTest.
    Argument communities = new Argument(Louvain.Conf.class, Louvain.Conf.DEFAULT);
    row("Louvain.run", communities);
    row("Louvain.explain", communities);
    weighted("Louvain.runWeighted", "weight", communities);
    row("Louvain.explainWeighted", communities);
    Argument gamma =
        new Argument(
            double.class,
            1.0,
            new Bad(0.0, "gamma must be greater than 0 and finite, but got 0.0"),
            new Bad(Double.NaN, "gamma must be greater than 0 and finite, but got NaN"));
    row("Modularity.of", gamma);
    row("Modularity.ofWeighted", gamma);
    row("Undirected.of");
  }

  private static Graph<Double, Double> pair() {
    return new TestGraph<>(
            "pair",
            new long[] {1, 2},
            List.of(0.5, 0.5),
            new long[] {1},
            new long[] {2},
            List.of(1.0))
        .toGraphx(context, 1, Double.class, Double.class);
  }

  @Test
  void everyWrongArgumentIsNamed() throws Exception {
    Set<String> seen = new HashSet<>();
    int calls = 0;
    for (Method method : methods()) {
      String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
      assertThat(TABLE)
          .as("the table of wrong arguments needs a row for this method")
          .containsKey(name);
      seen.add(name);
      Row row = TABLE.get(name);
      List<Integer> places = places(method, row);
      for (int i = 0; i < places.size(); i++) {
        for (Bad bad : wrong(method, row.arguments()[i])) {
          Object[] arguments = good(method, row, places);
          arguments[places.get(i)] = bad.value();
          fails(method, arguments, bad.texts());
          calls++;
        }
      }
    }
    assertThat(seen).as("no row is for a method that is not there").isEqualTo(TABLE.keySet());
    assertThat(calls).isGreaterThan(150);
  }

  /** On a resident graph one run takes fewer vertices than on a GraphX graph. */
  private static List<Bad> wrong(Method method, Argument argument) {
    List<Bad> bad = new ArrayList<>(List.of(argument.bad()));
    if (method.getName().startsWith("run")
        && argument.type() == long[].class
        && method.getParameterTypes()[0] == ResidentGraph.class) {
      if (method.getDeclaringClass() == ShortestPaths.class) {
        bad = List.of(vertices("landmark", ShortestPaths.WIDTH).bad());
      } else if (method.getDeclaringClass() == PageRank.class) {
        bad = List.of(vertices("source", ParallelPersonalizedPageRank.WIDTH).bad());
      }
    }
    return bad;
  }

  @Test
  void badEdgeValuesAndDirectedGraphsAreNamed() throws Exception {
    int calls = 0;
    for (Method method : methods()) {
      Row row = TABLE.get(method.getDeclaringClass().getSimpleName() + "." + method.getName());
      List<Integer> places = places(method, row);
      if (row.value() != null) {
        Object[] arguments = good(method, row, places);
        arguments[0] = arguments[0] instanceof Graph ? negative : heldNegative;
        // Of the vertices with a bad in-edge the smallest.
        fails(
            method,
            arguments,
            "the " + row.value() + " of edge 3 → 2 is -3.0: ",
            " of 0 or more; leave such edges out, or change their values");
        calls++;
      }
      if (row.takes() == Takes.UNDIRECTED) {
        Object[] arguments = good(method, row, places);
        arguments[0] = arguments[0] instanceof Graph ? directed : heldDirected;
        fails(
            method,
            arguments,
            "needs an undirected graph, every edge in both directions, but edge 3 → 1 is there"
                + " more often than 1 → 3: pass Undirected.of(graph), or use --undirected");
        calls++;
      }
    }
    assertThat(calls).isGreaterThan(15);
  }

  /**
   * Neither engine nor fallback keep the edge from being looked for, and no observer hears of it.
   */
  @Test
  void badEdgesAreNamedWhateverWasAskedOfTheRun() {
    String named = " of edge 3 → 2 is -3.0: ";
    for (RunOptions stock :
        List.of(
            RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX),
            RunOptions.DEFAULT.withFallback(RunOptions.Fallback.ALWAYS))) {
      assertThat(catchThrowable(() -> Sssp.run(negative, 1, stock))).hasMessageContaining(named);
      assertThat(catchThrowable(() -> HeatSimulation.run(negative, 0.5, 2, stock)))
          .hasMessageContaining(named);
    }
    List<RunReport> told = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void finished(RunReport report) {
            told.add(report);
          }
        };
    RunOptions observed = CPU.withObserver(observer);
    assertThat(catchThrowable(() -> Sssp.run(heldNegative, 1, observed)))
        .hasMessageContaining(named);
    assertThat(told).isEmpty();
    Sssp.run(heldDirected, 1, observed).close();
    assertThat(told).hasSize(1);
  }

  @Test
  void infiniteWeightsHaveNoRanksNorVoltages() {
    Graph<Double, Double> infinite =
        graph(new long[] {1, 2}, new long[] {2, 3}, 1.0, Double.POSITIVE_INFINITY);
    assertThat(catchThrowable(() -> WeightedPageRank.run(infinite, 2, 0.15, CPU)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the weight of edge 2 → 3 is Infinity: ranks need finite weights");
    assertThat(catchThrowable(() -> CircuitSimulation.run(infinite, 0.1, 2, CPU)))
        .hasMessageContaining("the conductance of edge 2 → 3 is Infinity: circuits need finite");
    assertThat(catchThrowable(() -> HeatSimulation.run(infinite, 0.1, 2, CPU)))
        .hasMessageContaining("the conductance of edge 2 → 3 is Infinity: heat needs finite");
    String neurons = " of edge 2 → 3 is %s: neurons need finite weights; leave such edges out";
    assertThat(catchThrowable(() -> NeuralNetwork.run(infinite, 0.1, 2, CPU)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(neurons.formatted("Infinity"));
    // A negative one is none of these.
    assertThat(catchThrowable(() -> NeuralNetwork.run(heldNegative, 0.1, 2, CPU)))
        .hasMessageContaining(neurons.formatted("NaN"));
    // The distance is infinite then.
    assertThat(Sssp.run(infinite, 1, CPU).vertices().count()).isEqualTo(3);
  }

  /** Negative ones are none of these, wherever the edge is. */
  @Test
  void forestsNeedFiniteWeights() {
    for (double weight :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      Graph<Double, Double> bad = graph(new long[] {1, 3}, new long[] {2, 3}, -2.0, weight);
      String text =
          "the weight of edge 3 → 3 is "
              + weight
              + ": a spanning forest needs weights that are finite numbers; leave such edges out, or"
              + " change their values";
      assertThat(catchThrowable(() -> MinimumSpanningForest.run(bad, CPU)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(text);
      try (ResidentGraph<Double, Double> held = hold(bad)) {
        assertThat(catchThrowable(() -> MinimumSpanningForest.run(held, CPU))).hasMessage(text);
      }
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void forestsNeedWeights() {
    try (ResidentGraph<Object, Object> without =
        GpuPregel.load(directed, Object.class, Object.class, CPU)) {
      assertThat(catchThrowable(() -> MinimumSpanningForest.run((ResidentGraph) without, CPU)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "a spanning forest needs weights, edge values of class java.lang.Double, but the graph"
                  + " was loaded with java.lang.Object: load it with Double.class");
    }
  }

  /** Each of them is finite. */
  @Test
  void weightsWhoseSumIsInfiniteHaveNoRanksNorVoltages() {
    long[] sources = {1, 3, 2, 3, 2};
    long[] destinations = {2, 1, 3, 2, 1};
    Double[] weights = Collections.nCopies(5, 1e308).toArray(Double[]::new);
    Graph<Double, Double> large = graph(sources, destinations, weights);
    Graph<Double, Double> circuit = graph(CircuitSimulation.FREE, sources, destinations, weights);
    List<RunOptions> engines =
        new ArrayList<>(List.of(CPU.withPartitions(3), CPU.withPartitions(1).withExecutors(2)));
    if (EmulatedDevice.isAvailable()) {
      engines.add(CPU.withEngine(EngineChoice.EMULATED));
    }
    for (RunOptions options : engines) {
      for (OptionalLong source : List.of(OptionalLong.empty(), OptionalLong.of(1))) {
        assertThat(catchThrowable(() -> WeightedPageRank.run(large, 2, 0.15, source, options)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "the weights of vertex 2's out-edges add up to infinity: multiply all weights by"
                    + " the same small number, which does not change the result");
      }
      assertThat(catchThrowable(() -> CircuitSimulation.run(circuit, 0.1, 2, options)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the conductances of vertex 1's in-edges add up to infinity: multiply all conductances"
                  + " by the same small number, which does not change the result");
    }
    Graph<Double, Double> negativeToo =
        graph(sources, destinations, -1e308, 1e308, 1e308, 1e308, 1e308);
    assertThat(catchThrowable(() -> WeightedPageRank.run(negativeToo, 2, 0.15, CPU)))
        .hasMessageContaining("the weight of edge 1 → 2 is -1.0E308: ");
    // Nearly as much.
    Graph<Double, Double> half = graph(sources, destinations, 8e307, 8e307, 8e307, 8e307, 8e307);
    Graph<Double, Double> equal = graph(sources, destinations, 1.0, 1.0, 1.0, 1.0, 1.0);
    Map<Long, Double> ranks = Compare.vertices(WeightedPageRank.run(equal, 2, 0.15, CPU));
    Compare.vertices(WeightedPageRank.run(half, 2, 0.15, CPU))
        .forEach((id, rank) -> assertThat(rank).isCloseTo(ranks.get(id), within(1e-9)));
  }

  /** Right graphs are never refused: parallel edges as often as their reverses, and loops. */
  @Test
  void multigraphsAreUndirectedWhenEveryEdgeLeadsBackAsOften() {
    Graph<Double, Double> graph =
        graph(
            new long[] {1, 2, 1, 2, 3, 3, 2},
            new long[] {2, 1, 2, 1, 3, 2, 3},
            Collections.nCopies(7, 1.0).toArray(Double[]::new));
    try (ResidentGraph<Double, Double> held = hold(graph)) {
      Undirected.require(held, "test", CPU);
      Undirected.require(held.reversed(), "test", CPU);
    }
    Graph<Double, Double> more = graph(new long[] {1, 2, 1}, new long[] {2, 1, 2}, 1.0, 1.0, 1.0);
    try (ResidentGraph<Double, Double> held = hold(more)) {
      assertThat(catchThrowable(() -> Undirected.require(held, "test", CPU)))
          .hasMessageContaining("edge 1 → 2 is there more often than 2 → 1");
    }
  }

  private static void fails(Method method, Object[] arguments, String... texts) throws Exception {
    String call = method.toGenericString() + " with " + Arrays.deepToString(arguments);
    Throwable error;
    try {
      Object result = method.invoke(null, arguments);
      throw new AssertionError(call + " gave " + result);
    } catch (InvocationTargetException e) {
      error = e.getCause();
    }
    assertThat(error).as(call).isInstanceOf(IllegalArgumentException.class);
    assertThat(error.getMessage()).as(call).contains(texts);
  }

  /** The public static methods of the library that take a graph. */
  private static List<Method> methods() throws URISyntaxException, ClassNotFoundException {
    Path folder =
        Path.of(PageRank.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("org/sparkgpugraph/lib");
    List<Method> methods = new ArrayList<>();
    for (File file : folder.toFile().listFiles()) {
      String name = file.getName();
      if (!name.endsWith(".class") || name.contains("$") || name.contains("-")) {
        continue;
      }
      Class<?> type =
          Class.forName("org.sparkgpugraph.lib." + name.substring(0, name.length() - 6));
      if (Modifier.isPublic(type.getModifiers())) {
        for (Method method : type.getDeclaredMethods()) {
          if (Modifier.isPublic(method.getModifiers())
              && Modifier.isStatic(method.getModifiers())
              && method.getParameterCount() > 0
              && List.of(Graph.class, ResidentGraph.class)
                  .contains(method.getParameterTypes()[0])) {
            methods.add(method);
          }
        }
      }
    }
    assertThat(methods).hasSizeGreaterThan(80);
    return methods;
  }

  /** Where the row's arguments are: behind the graph, as many as there are before options. */
  private static List<Integer> places(Method method, Row row) {
    Class<?>[] types = method.getParameterTypes();
    int end = types.length - (types[types.length - 1] == RunOptions.class ? 1 : 0);
    List<Integer> places = IntStream.range(1, end).boxed().toList();
    assertThat(row.arguments().length)
        .as("arguments in the table of %s", method)
        .isGreaterThanOrEqualTo(places.size());
    for (int i = 0; i < places.size(); i++) {
      assertThat(types[places.get(i)]).as("%s", method).isEqualTo(row.arguments()[i].type());
    }
    return places;
  }

  private static Object[] good(Method method, Row row, List<Integer> places) {
    Object[] arguments = new Object[method.getParameterCount()];
    boolean both = row.takes() == Takes.UNDIRECTED;
    if (method.getParameterTypes()[0] == Graph.class) {
      arguments[0] = both ? undirected : directed;
    } else {
      arguments[0] = both ? heldUndirected : heldDirected;
    }
    for (int i = 0; i < places.size(); i++) {
      arguments[places.get(i)] = row.arguments()[i].good();
    }
    if (method.getParameterTypes()[arguments.length - 1] == RunOptions.class) {
      arguments[arguments.length - 1] = CPU;
    }
    return arguments;
  }
}
