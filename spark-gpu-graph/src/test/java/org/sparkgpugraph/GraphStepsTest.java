package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.algorithm.learning.ManifoldRanking;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.StepScript;
import org.sparkgpugraph.testing.StepScript.Edges;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.vector.Cholesky;
import org.sparkgpugraph.vector.Matrices;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Vectors;

/** What is folded, what is told of it, and the algorithms that ONYX folds. */
@ExtendWith(SharedSpark.class)
class GraphStepsTest {
  private static final int K = 4;

  /** Ranks now and at the start. */
  public record Ranks(double[] now, double[] first) implements Serializable {}

  /** What a vertex is known to be, the sum of what it was sent, and what it believes. */
  public record Belief(float[] prior, float[] sum, float[] now, float[] before)
      implements Serializable {}

  /** Factors of a user or an item, and the sums that they are made of. */
  public record Factors(double[] factors, double[] products, double[] squares)
      implements Serializable {}

  /** Two numbers. */
  public record Two(long x, long y) implements Serializable {}

  private final JavaSparkContext sc;

  GraphStepsTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static RunOptions on(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine);
  }

  private <V, E> ResidentGraph<V, E> load(
      TestGraph<V, E> graph, Class<V> vertices, Class<E> edges, RunOptions options) {
    return GpuPregel.loadWithEdgeAttributes(
        graph.toGraphx(sc, 2, vertices, edges), vertices, edges, options);
  }

  private TestGraph<Long, Long> numbers(RandomGraphs.Shape shape, long seed) {
    return RandomGraphs.of(shape, seed)
        .withAttributes(new Random(seed), r -> (long) r.nextInt(50), r -> (long) r.nextInt(9) - 4);
  }

  private static List<String> phases(RunSummaryOf run) {
    return run.notes().stream().filter(note -> note.contains("Map")).toList();
  }

  /** What a run told. */
  private record RunSummaryOf(List<String> notes, RunSummary summary) {
    List<Long> edges() {
      return summary.supersteps().stream().skip(1).map(SuperstepStats::edgesEvaluated).toList();
    }
  }

  private static <R> RunSummaryOf told(VertexResult<R> result) {
    return new RunSummaryOf(result.report().notes(), result.report().summary());
  }

  // ---- the algorithms -------------------------------------------------------------------------

  private static StepScript<double[], Ranks> ranking(int steps, double alpha) {
    return new StepScript<double[], Ranks>()
        .repeat(
            steps,
            new StepScript<double[], Ranks>()
                .two(
                    Edges.of(
                        e -> e.sendToDst(Vectors.multiply(e.attr(), e.srcAttr().now())),
                        Vectors::add,
                        new double[K]),
                    Edges.of(e -> e.sendToDst(e.attr()), Vectors::add, new double[K]),
                    (long id, Ranks v, double[] sums, double[] weights) -> {
                      double[] now = new double[sums.length];
                      for (int i = 0; i < sums.length; i++) {
                        double mean = weights[i] > 0 ? sums[i] / weights[i] : 0.0;
                        now[i] = alpha * mean + (1.0 - alpha) * v.first()[i];
                      }
                      return new Ranks(now, v.first());
                    }));
  }

  private void checkRanking(EngineChoice engine) {
    TestGraph<double[], double[]> graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 5)
            .withAttributes(
                new Random(5), r -> r.doubles(K, -1, 1).toArray(), r -> r.doubles(K).toArray());
    int steps = 5;
    double alpha = 0.8;
    try (ResidentGraph<double[], double[]> resident =
            load(graph, double[].class, double[].class, RunOptions.DEFAULT);
        VertexResult<double[]> expected =
            ManifoldRanking.run(resident, K, alpha, 0.0, steps, on(EngineChoice.CPU))) {
      Map<Long, double[]> ranks = expected.toPairs().collectAsMap();
      for (boolean folds : new boolean[] {true, false}) {
        try (VertexResult<double[]> found =
            ranking(steps, alpha)
                .addTo(
                    GpuPregel.steps(resident)
                        .state((id, first, in, out) -> new Ranks(first, first)))
                .result((id, first, v) -> v.now())
                .withFolding(folds)
                .options(on(engine))
                .runVertices()) {
          RunSummaryOf told = told(found);
          assertThat(told.summary().iterations()).isEqualTo(folds ? steps : 3 * steps);
          if (folds) {
            assertThat(phases(told))
                .containsExactly(
                    "phase 1 of 1: edgeMap 1 + edgeMap 2 + vertexMap 1 (one gather of 2 messages)");
          } else {
            assertThat(phases(told))
                .containsExactly(
                    "phase 1 of 3: edgeMap 1 (one gather)",
                    "phase 2 of 3: edgeMap 2 (one gather)",
                    "phase 3 of 3: vertexMap 1 (no edges are walked)");
            long edges = graph.edgeCount();
            for (int step = 0; step < 3 * steps; step++) {
              assertThat(told.edges().get(step))
                  .as("edges of superstep " + (step + 1))
                  .isEqualTo(step % 3 == 2 ? 0 : edges);
            }
          }
          assertClose(engine + ", folds " + folds, found.toPairs().collectAsMap(), ranks);
        }
      }
    }
  }

  private static void assertClose(
      String what, Map<Long, double[]> found, Map<Long, double[]> expected) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, numbers) ->
            assertThat(found.get(id))
                .as(what + ", vertex " + id)
                .containsExactly(numbers, within(1e-9)));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void manifoldRankingIsOneGatherOfTwoMessages(EngineChoice engine) {
    checkRanking(engine);
  }

  @Test
  @Tag("gpu")
  void manifoldRankingOnAGpu() {
    checkRanking(EngineChoice.CUDA);
  }

  /** What a neighbour says: the more it is sure of a state, the likelier that one is here. */
  private static float[] says(float coupling, float sign, float[] belief) {
    float[] says = new float[belief.length];
    for (int i = 0; i < belief.length; i++) {
      says[i] = sign * (float) Math.log(1 + coupling * belief[i]);
    }
    return says;
  }

  /** ONYX's two edge functions: what was said before is taken away, what is said now is added. */
  private static StepScript<Float, Belief> beliefs(int steps) {
    return new StepScript<Float, Belief>()
        .repeat(
            steps,
            new StepScript<Float, Belief>()
                .two(
                    Edges.of(
                        e -> {
                          e.sendToDst(says(e.attr(), -1, e.srcAttr().before()));
                          e.sendToSrc(says(e.attr(), -1, e.dstAttr().before()));
                        },
                        Vectors::add,
                        new float[K]),
                    Edges.of(
                        e -> {
                          e.sendToDst(says(e.attr(), 1, e.srcAttr().now()));
                          e.sendToSrc(says(e.attr(), 1, e.dstAttr().now()));
                        },
                        Vectors::add,
                        new float[K]),
                    (long id, Belief v, float[] removed, float[] added) ->
                        new Belief(
                            v.prior(),
                            Vectors.add(v.sum(), Vectors.add(removed, added)),
                            v.now(),
                            v.before()))
                .vertices(
                    (id, v) -> {
                      float[] now = new float[v.sum().length];
                      for (int i = 0; i < now.length; i++) {
                        now[i] = v.prior()[i] * (float) Math.exp(v.sum()[i]);
                      }
                      return new Belief(v.prior(), v.sum(), now, v.now());
                    })
                .vertices(
                    (id, v) -> new Belief(v.prior(), v.sum(), Norms.unitSum(v.now()), v.before())));
  }

  private static Belief belief(long id) {
    float[] prior = new float[K];
    for (int i = 0; i < K; i++) {
      prior[i] = id % K == i ? 0.4f : 0.2f;
    }
    return new Belief(prior, new float[K], prior, new float[K]);
  }

  private void checkBeliefs(EngineChoice engine) {
    TestGraph<Long, Float> graph =
        RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 6)
            .withAttributes(new Random(6), r -> 0L, r -> r.nextInt(8) / 64f);
    int steps = 4;
    Map<Long, Belief> first = new TreeMap<>();
    for (long id : graph.ids()) {
      first.put(id, belief(id));
    }
    Map<Long, Belief> expected = beliefs(steps).run(graph, first);
    try (ResidentGraph<Long, Float> resident =
        load(graph, Long.class, Float.class, RunOptions.DEFAULT.withPartitions(2))) {
      for (boolean folds : new boolean[] {true, false}) {
        try (VertexResult<Belief> found =
            beliefs(steps)
                .addTo(GpuPregel.steps(resident).state((id, zero, in, out) -> belief(id)))
                .withFolding(folds)
                .options(on(engine))
                .runVertices()) {
          assertThat(told(found).summary().iterations()).isEqualTo(folds ? steps : 5 * steps);
          Map<Long, Belief> values = found.toPairs().collectAsMap();
          assertThat(values.keySet()).isEqualTo(expected.keySet());
          expected.forEach(
              (id, v) ->
                  assertThat(values.get(id).now())
                      .as(engine + ", folds " + folds + ", vertex " + id)
                      .containsExactly(v.now(), within(1e-4f)));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void beliefPropagationIsOneGatherOfWhatIsTakenAwayAndAdded(EngineChoice engine) {
    checkBeliefs(engine);
  }

  @Test
  @Tag("gpu")
  void beliefPropagationOnAGpu() {
    checkBeliefs(EngineChoice.CUDA);
  }

  /** The second edge map reads nothing that the first vertex map changes: one gather for both. */
  private static StepScript<Double, Factors> leastSquares(int steps) {
    return new StepScript<Double, Factors>()
        .repeat(
            steps,
            new StepScript<Double, Factors>()
                .one(
                    Edges.of(
                        e -> {
                          e.sendToDst(Vectors.scale(e.attr(), e.srcAttr().factors()));
                          e.sendToSrc(Vectors.scale(e.attr(), e.dstAttr().factors()));
                        },
                        Vectors::add,
                        new double[K]),
                    (long id, Factors v, double[] sum) ->
                        new Factors(v.factors(), sum, v.squares()))
                .one(
                    Edges.of(
                        e -> {
                          double[] there = new double[K * K];
                          Matrices.addOuterTo(there, e.srcAttr().factors(), e.srcAttr().factors());
                          e.sendToDst(there);
                          double[] here = new double[K * K];
                          Matrices.addOuterTo(here, e.dstAttr().factors(), e.dstAttr().factors());
                          e.sendToSrc(here);
                        },
                        Vectors::add,
                        new double[K * K]),
                    (long id, Factors v, double[] sum) ->
                        new Factors(v.factors(), v.products(), sum))
                .vertices(
                    (id, v) -> {
                      double[] a = v.squares().clone();
                      Matrices.addToDiagonal(a, 0.5);
                      return new Factors(
                          Cholesky.solve(a, v.products()), v.products(), v.squares());
                    }));
  }

  private static Factors factors(long id) {
    double[] factors = new double[K];
    for (int i = 0; i < K; i++) {
      factors[i] = (Math.floorMod(id * 7 + i * 3, 11L) + 1) / 12.0;
    }
    return new Factors(factors, new double[K], new double[K * K]);
  }

  private void checkLeastSquares(EngineChoice engine) {
    TestGraph<Long, Double> graph =
        RandomGraphs.of(RandomGraphs.Shape.BIPARTITE_HUBS, 7)
            .withAttributes(new Random(7), r -> 0L, r -> 1.0 + r.nextInt(5));
    int steps = 3;
    Map<Long, Factors> first = new TreeMap<>();
    for (long id : graph.ids()) {
      first.put(id, factors(id));
    }
    Map<Long, double[]> expected = new TreeMap<>();
    leastSquares(steps).run(graph, first).forEach((id, v) -> expected.put(id, v.factors()));
    try (ResidentGraph<Long, Double> resident =
        load(graph, Long.class, Double.class, RunOptions.DEFAULT)) {
      for (boolean folds : new boolean[] {true, false}) {
        try (VertexResult<double[]> found =
            leastSquares(steps)
                .addTo(GpuPregel.steps(resident).state((id, zero, in, out) -> factors(id)))
                .result((id, zero, v) -> v.factors())
                .withFolding(folds)
                .options(on(engine))
                .runVertices()) {
          RunSummaryOf told = told(found);
          assertThat(told.summary().iterations()).isEqualTo(folds ? steps : 5 * steps);
          if (folds) {
            assertThat(phases(told))
                .containsExactly(
                    "phase 1 of 1: edgeMap 1 + edgeMap 2 + vertexMap 1 + vertexMap 2 + vertexMap 3"
                        + " (one gather of 2 messages)");
            assertThat(told.notes())
                .contains(
                    "'products', 'squares' are never stored: only maps of the same phase read what"
                        + " others made of them");
          }
          assertClose(engine + ", folds " + folds, found.toPairs().collectAsMap(), expected);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void leastSquaresAddUpProductsAndSquaresInOneGather(EngineChoice engine) {
    checkLeastSquares(engine);
  }

  @Test
  @Tag("gpu")
  void leastSquaresOnAGpu() {
    checkLeastSquares(EngineChoice.CUDA);
  }

  // ---- what is folded -------------------------------------------------------------------------

  private static Edges<Long, Two> xs() {
    return Edges.of(e -> e.sendToDst(e.srcAttr().x()), Long::sum, 0L);
  }

  private static Edges<Long, Two> ys() {
    return Edges.of(e -> e.sendToDst(e.srcAttr().y()), Long::sum, 0L);
  }

  private RunSummaryOf told(StepScript<Long, Two> script) {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.UNIFORM, 3);
    try (ResidentGraph<Long, Long> resident =
            load(graph, Long.class, Long.class, RunOptions.DEFAULT);
        VertexResult<Two> result =
            script
                .addTo(GpuPregel.steps(resident).state((id, x, in, out) -> new Two(x, id)))
                .options(on(EngineChoice.CPU))
                .runVertices()) {
      return told(result);
    }
  }

  @Test
  void anEdgeMapThatReadsWhatWasChangedBeginsASuperstep() {
    RunSummaryOf told =
        told(
            new StepScript<Long, Two>()
                .one(xs(), (long id, Two v, Long sum) -> new Two(sum, v.y()))
                .vertices((id, v) -> new Two(v.x() + 1, v.y()))
                .one(ys(), (long id, Two v, Long sum) -> new Two(v.x(), sum))
                .one(xs(), (long id, Two v, Long sum) -> new Two(v.x(), v.y() + sum)));
    assertThat(phases(told))
        .containsExactly(
            "phase 1 of 2: edgeMap 1 + edgeMap 2 + vertexMap 1 + vertexMap 2 + vertexMap 3 (one"
                + " gather of 2 messages)",
            "phase 2 of 2: edgeMap 3 + vertexMap 4 (one gather); not folded with what is before:"
                + " edgeMap 3 reads 'x', which vertexMap 2 changes at every vertex first");
    assertThat(told.summary().iterations()).isEqualTo(2);
  }

  @Test
  void vertexMapsAtTheBeginOfALoopFollowThoseAtItsEnd() {
    RunSummaryOf told =
        told(
            new StepScript<Long, Two>()
                .repeat(
                    7,
                    new StepScript<Long, Two>()
                        .vertices((id, v) -> new Two(v.x() + 1, v.y()))
                        .one(xs(), (long id, Two v, Long sum) -> new Two(sum % 100, v.y()))));
    assertThat(phases(told))
        .containsExactly(
            "vertexMap 1 runs where the first values are made, before superstep 1",
            "phase 1 of 2: edgeMap 1 + vertexMap 2 + vertexMap 1 (one gather)",
            "phase 2 of 2: edgeMap 1 + vertexMap 2 (one gather); not folded with what is before: a"
                + " loop ends before it");
    assertThat(told.summary().iterations()).isEqualTo(7);
  }

  @Test
  void vertexMapsAloneWalkNoEdges() {
    RunSummaryOf told =
        told(
            new StepScript<Long, Two>()
                .repeat(
                    3,
                    new StepScript<Long, Two>()
                        .vertices((id, v) -> new Two(v.y(), v.x()))
                        .vertices((id, v) -> new Two(v.x() + 1, v.y()))));
    assertThat(phases(told))
        .containsExactly("phase 1 of 1: vertexMap 1 + vertexMap 2 (no edges are walked)");
    assertThat(told.edges()).containsExactly(0L, 0L, 0L);
  }

  @Test
  void explainSaysWhatIsFolded() {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.UNIFORM, 3);
    try (ResidentGraph<Long, Long> resident =
        load(graph, Long.class, Long.class, RunOptions.DEFAULT)) {
      GraphSteps<Long, Long, Long, Long> steps =
          GpuPregel.steps(resident)
              .edgeMap(e -> e.sendToDst(e.srcAttr()), Long::sum, 0L)
              .vertexMap((id, v, sum) -> v + sum);
      assertThat(steps.explain())
          .contains("note: phase 1 of 1: edgeMap 1 + vertexMap 1 (one gather)");
      assertThat(steps.withFolding(false).explain())
          .contains("note: phase 2 of 2: vertexMap 1 (no edges are walked)")
          .contains("note: nothing is folded, since withFolding(false) says so");
    }
  }

  // ---- loops that end early -------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aLoopEndsBehindTheTurnAtWhichTheNumberIsSmallEnough(EngineChoice engine) {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.PATH, 4);
    try (ResidentGraph<Long, Long> resident =
        load(graph, Long.class, Long.class, RunOptions.DEFAULT)) {
      for (boolean folds : new boolean[] {true, false}) {
        try (VertexResult<Long> result =
            GpuPregel.steps(resident)
                .state((id, x, in, out) -> 64L)
                .vertexMap((id, v) -> v - 1)
                .repeatUntil(
                    100,
                    AggregateOperation.MAX,
                    (id, v) -> v,
                    10.0,
                    steps ->
                        steps
                            .vertexMap((id, v) -> v - 3)
                            .edgeMap(e -> e.sendToDst(e.attr() * 0), Long::sum, 0L)
                            .vertexMap((id, v, zero) -> v - 5 + zero))
                .withFolding(folds)
                .options(on(engine))
                .runVertices()) {
          // 63, 55, 47, 39, 31, 23, 15, 7: seven turns.
          assertThat(result.toPairs().values().distinct().collect()).containsExactly(7L);
          // A vertex map at the begin of a turn that is measured stays there.
          assertThat(told(result).summary().iterations()).isEqualTo(folds ? 7 * 1 : 1 + 7 * 3);
          assertThat(told(result).summary().stopped()).isEqualTo(RunSummary.Stopped.STOP_WHEN);
        }
      }
    }
  }

  /** Vertices halve their numbers, each until it is odd; one that never is goes on. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aLoopEndsWhenNobodyHasAnythingToDo(EngineChoice engine) {
    TestGraph<Long, Long> graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 6)
            .withAttributes(new Random(6), r -> (1L + 2 * r.nextInt(9)) << r.nextInt(7), r -> 1L);
    long longest =
        graph.attributes().stream().mapToLong(Long::numberOfTrailingZeros).max().orElseThrow();
    assertThat(longest).isGreaterThan(3);
    for (int executors : new int[] {1, 2}) {
      RunOptions load = RunOptions.DEFAULT;
      try (ResidentGraph<Long, Long> resident =
          load(graph, Long.class, Long.class, executors > 1 ? load.withExecutors(2) : load)) {
        for (int most : new int[] {100, 2}) {
          try (VertexResult<Long> result =
              GpuPregel.steps(resident)
                  .repeatWhile(
                      most,
                      (id, v) -> v % 2 == 0,
                      turn -> turn.vertexMap((id, v) -> v % 2 == 0 ? v / 2 : v))
                  .options(on(engine))
                  .runVertices()) {
            Map<Long, Long> found = result.toPairs().collectAsMap();
            for (int i = 0; i < graph.vertexCount(); i++) {
              long start = graph.attributes().get(i);
              int halved = Math.min(most, Long.numberOfTrailingZeros(start));
              assertThat(found.get(graph.ids()[i])).isEqualTo(start >> halved);
            }
            assertThat(told(result).summary().iterations()).isEqualTo(Math.min(most, longest));
            assertThat(told(result).summary().stopped())
                .isEqualTo(
                    most == 2 ? RunSummary.Stopped.MAX_ITERATIONS : RunSummary.Stopped.STOP_WHEN);
          }
        }
      }
    }
  }

  // ---- ONYX's guarantees ----------------------------------------------------------------------

  /** Each map sees what those before it made of every vertex, whoever computes it. */
  @Test
  void orderingHoldsBetweenVertices() {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.CYCLE, 8);
    StepScript<Long, Two> script =
        new StepScript<Long, Two>()
            .vertices((id, v) -> new Two(v.x() * 2, v.y()))
            .one(xs(), (long id, Two v, Long sum) -> new Two(v.x(), sum))
            .vertices((id, v) -> new Two(v.x() + 1, v.y() * 3))
            .one(ys(), (long id, Two v, Long sum) -> new Two(v.x() + sum, v.y()));
    Map<Long, Two> first = new TreeMap<>();
    for (int i = 0; i < graph.ids().length; i++) {
      first.put(graph.ids()[i], new Two(graph.attributes().get(i), 0));
    }
    try (ResidentGraph<Long, Long> resident =
            load(graph, Long.class, Long.class, RunOptions.DEFAULT.withPartitions(2));
        VertexResult<Two> result =
            script
                .addTo(GpuPregel.steps(resident).state((id, x, in, out) -> new Two(x, 0)))
                .options(on(EngineChoice.CPU))
                .runVertices()) {
      assertThat(new TreeMap<>(result.toPairs().collectAsMap()))
          .isEqualTo(new TreeMap<>(script.run(graph, first)));
    }
  }

  /** A map that has nothing to do for a vertex leaves it to the next one as it is. */
  @Test
  void progressAndActivationAreConditionsOfTheMaps() {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.STAR_OUT, 9);
    try (ResidentGraph<Long, Long> resident =
            load(graph, Long.class, Long.class, RunOptions.DEFAULT);
        VertexResult<Long> result =
            GpuPregel.steps(resident)
                .state((id, x, in, out) -> out > 0 ? 1L : 0L)
                .edgeMap(
                    e -> {
                      if (e.srcAttr() == 0) {
                        e.sendToDst(1000L);
                      }
                    },
                    Long::sum,
                    -1L)
                .vertexMap((id, v, sum) -> sum >= 0 ? sum : v)
                .options(on(EngineChoice.CPU))
                .runVertices()) {
      // The only sender is not active.
      assertThat(result.toPairs().values().distinct().collect()).containsExactlyInAnyOrder(0L, 1L);
    }
  }

  // ---- executors ------------------------------------------------------------------------------

  /** Messages that wait for their vertex map are state: they come back with the values. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aRunGoesOnAfterAnExecutorIsLost(EngineChoice engine) {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.SKEWED, 10);
    StepScript<Long, Two> script =
        new StepScript<Long, Two>()
            .repeat(
                3,
                new StepScript<Long, Two>()
                    .one(xs(), (long id, Two v, Long sum) -> new Two(v.x(), sum))
                    .vertices((id, v) -> new Two(v.x() + v.y() % 7, v.y())));
    Map<Long, Two> first = new TreeMap<>();
    for (int i = 0; i < graph.ids().length; i++) {
      first.put(graph.ids()[i], new Two(graph.attributes().get(i), 0));
    }
    AtomicInteger losses = new AtomicInteger();
    RunObserver losing =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (stats.superstep() == 5 && losses.getAndIncrement() == 0) {
              ExecutorRegistry.dropShard(ExecutorRegistry.shards().iterator().next());
            }
          }
        };
    try (ResidentGraph<Long, Long> resident =
            load(graph, Long.class, Long.class, RunOptions.DEFAULT.withExecutors(2));
        VertexResult<Two> result =
            script
                .addTo(GpuPregel.steps(resident).state((id, x, in, out) -> new Two(x, 0)))
                .withFolding(false)
                .options(on(engine).withObserver(losing))
                .runVertices()) {
      assertThat(new TreeMap<>(result.toPairs().collectAsMap()))
          .isEqualTo(new TreeMap<>(script.run(graph, first)));
      assertThat(losses.get()).as("superstep 5 ran again").isEqualTo(2);
    }
  }

  // ---- bad use --------------------------------------------------------------------------------

  @Test
  void stepsThatMakeNoSenseAreRefused() {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.UNIFORM, 3);
    try (ResidentGraph<Long, Long> resident =
        load(graph, Long.class, Long.class, RunOptions.DEFAULT)) {
      assertThatThrownBy(() -> GpuPregel.steps(resident).runVertices())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no steps");
      GraphSteps<Long, Long, Long, Long> unread = GpuPregel.steps(resident);
      unread.edgeMap(e -> e.sendToDst(1L), Long::sum, 0L);
      assertThatThrownBy(unread::runVertices)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nobody reads the messages of edgeMap 1");
      assertThatThrownBy(() -> unread.edgeMap(e -> e.sendToDst(1L), Long::sum, 0L))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nobody reads the messages of edgeMap 1");
      assertThatThrownBy(() -> unread.repeat(2, steps -> steps.vertexMap((id, v) -> v)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nobody reads the messages of edgeMap 1");
      var sent = GpuPregel.steps(resident).<Long>edgeMap(e -> e.sendToDst(1L), (a, b) -> a + b, 0L);
      sent.vertexMap((id, v, sum) -> sum);
      assertThatThrownBy(() -> sent.vertexMap((id, v, sum) -> sum))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("were read already");
      for (int times : new int[] {0, -3}) {
        assertThatThrownBy(
                () ->
                    GpuPregel.steps(resident).repeat(times, steps -> steps.vertexMap((id, v) -> v)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("repeat(" + times);
      }
      assertThatThrownBy(() -> GpuPregel.steps(resident).repeat(2, steps -> steps))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("repeat's body has no steps");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident)
                      .repeat(2, s -> GpuPregel.steps(resident).vertexMap((id, v) -> v)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("returns other steps");
      GraphSteps<Long, Long, Long, Long> last =
          GpuPregel.steps(resident)
              .repeatUntil(
                  5,
                  AggregateOperation.MAX,
                  (id, v) -> v,
                  0.0,
                  steps -> steps.vertexMap((id, v) -> v - 1));
      assertThatThrownBy(() -> last.vertexMap((id, v) -> v))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("behind repeatUntil");
      GraphSteps<Long, Long, Long, Long> ended =
          GpuPregel.steps(resident)
              .repeatWhile(5, (id, v) -> v > 0, steps -> steps.vertexMap((id, v) -> v - 1));
      assertThatThrownBy(() -> ended.vertexMap((id, v) -> v))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("behind repeatWhile");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident)
                      .repeatWhile(0, (id, v) -> true, steps -> steps.vertexMap((id, v) -> v)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("repeatWhile(0, …)");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident)
                      .repeat(
                          2,
                          s ->
                              s.repeatUntil(
                                  2,
                                  AggregateOperation.MAX,
                                  (id, v) -> v,
                                  0.0,
                                  t -> t.vertexMap((id, v) -> v))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside of another loop");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident)
                      .repeatUntil(
                          2,
                          AggregateOperation.MAX,
                          (id, v) -> v,
                          Double.NaN,
                          t -> t.vertexMap((id, v) -> v)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("NaN");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident).edgeMap(e -> e.sendToDst("text"), (a, b) -> a + b, ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("empty message of edgeMap 1")
          .hasMessageContaining("String");
      assertThatThrownBy(
              () -> GpuPregel.steps(resident).edgeMap(e -> e.sendToDst(1L), Long::sum, (Long) null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("edgeMap 1: the empty message");
      assertThatThrownBy(
              () ->
                  GpuPregel.steps(resident).vertexMap((id, v) -> v).state((id, v, in, out) -> 1.0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("before the steps");
    }
  }

  @Test
  void aFunctionThatCannotBeReadIsRefusedWithItsStep() {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.UNIFORM, 3);
    List<Long> seen = new ArrayList<>();
    try (ResidentGraph<Long, Long> resident =
        load(graph, Long.class, Long.class, RunOptions.DEFAULT)) {
      GraphSteps<Long, Long, Long, Long> steps =
          GpuPregel.steps(resident)
              .vertexMap((id, v) -> v + 1)
              .vertexMap(
                  (id, v) -> {
                    seen.add(v);
                    return v;
                  });
      assertThatThrownBy(steps::runVertices)
          .isInstanceOf(NotLiftableException.class)
          .hasMessageContaining("vertexMap 2")
          .hasMessageContaining("GraphStepsTest");
    }
  }

  /** What a function divides by is 0 at one vertex: the error says which, and where. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aFaultInALaterPhaseNamesVertexAndLine(EngineChoice engine) {
    TestGraph<Long, Long> graph = numbers(RandomGraphs.Shape.CYCLE, 3);
    long bad = graph.ids()[1];
    try (ResidentGraph<Long, Long> resident =
        load(graph, Long.class, Long.class, RunOptions.DEFAULT)) {
      GraphSteps<Long, Long, Long, Long> steps =
          GpuPregel.steps(resident)
              .edgeMap(e -> e.sendToDst(e.srcAttr()), Long::sum, 0L)
              .vertexMap((id, v, sum) -> sum)
              .edgeMap(e -> e.sendToDst(e.srcAttr()), Long::sum, 0L)
              .vertexMap((id, v, sum) -> sum / (id - bad))
              .options(on(engine));
      assertThatThrownBy(steps::runVertices)
          .hasMessageContaining("vertex " + bad)
          .hasMessageContaining("GraphStepsTest");
    }
  }
}
