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
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.Conf;
import org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares.Model;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Factors against those of sequential code that solves the same equations by elimination. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class AlternatingLeastSquaresTest {
  /** Of SplitMix64, by which factors are drawn. */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  private static final long SEED = 17;

  /** A vertex that nobody rates and that rates nothing. */
  private static final long ALONE = 1_000_000;

  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);

  private final JavaSparkContext sc;

  AlternatingLeastSquaresTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  // ---- the oracle -----------------------------------------------------------------------------

  private static double[] drawn(long id, int rank) {
    long base = Mixing.mix(id, SEED);
    double[] x = new double[rank];
    for (int i = 0; i < rank; i++) {
      double radius = ((Mixing.mix(base + (2 * i + 1) * INCREMENT) >>> 11) + 0.5) * 0x1p-53;
      double angle = (Mixing.mix(base + (2 * i + 2) * INCREMENT) >>> 11) * 0x1p-53;
      x[i] = Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle);
    }
    double norm = Math.sqrt(DoubleStream.of(x).map(one -> one * one).sum());
    return DoubleStream.of(x).map(one -> one / norm).toArray();
  }

  /** Solves A x = b by Gauss and Jordan, with the largest pivot of a column. */
  private static double[] solved(double[][] a, double[] b) {
    int k = b.length;
    for (int p = 0; p < k; p++) {
      int largest = p;
      for (int i = p; i < k; i++) {
        largest = Math.abs(a[i][p]) > Math.abs(a[largest][p]) ? i : largest;
      }
      double[] row = a[largest];
      a[largest] = a[p];
      a[p] = row;
      double right = b[largest];
      b[largest] = b[p];
      b[p] = right;
      for (int i = 0; i < k; i++) {
        double factor = i == p ? 0 : a[i][p] / a[p][p];
        for (int j = p; j < k; j++) {
          a[i][j] -= factor * a[p][j];
        }
        b[i] -= factor * b[p];
      }
    }
    for (int i = 0; i < k; i++) {
      b[i] /= a[i][i];
    }
    return b;
  }

  /** Factors of one side from those of the other. */
  private static void turn(
      List<Edge<Double>> ratings, boolean items, Conf conf, Map<Long, double[]> factors) {
    int k = conf.rank();
    Map<Long, List<Edge<Double>>> of = new TreeMap<>();
    ratings.forEach(
        edge ->
            of.computeIfAbsent(items ? edge.dstId() : edge.srcId(), id -> new ArrayList<>())
                .add(edge));
    Map<Long, double[]> next = new TreeMap<>();
    of.forEach(
        (id, edges) -> {
          double[][] a = new double[k][k];
          double[] b = new double[k];
          for (Edge<Double> edge : edges) {
            double[] x = factors.get(items ? edge.srcId() : edge.dstId());
            for (int i = 0; i < k; i++) {
              for (int j = 0; j < k; j++) {
                a[i][j] += x[i] * x[j];
              }
              b[i] += edge.attr() * x[i];
            }
          }
          for (int i = 0; i < k; i++) {
            a[i][i] += conf.weighted() ? conf.lambda() * edges.size() : conf.lambda();
          }
          next.put(id, solved(a, b));
        });
    factors.putAll(next);
  }

  private static Map<Long, double[]> oracle(List<Edge<Double>> ratings, Conf conf) {
    Map<Long, double[]> factors = new TreeMap<>();
    ratings.forEach(edge -> factors.put(edge.srcId(), drawn(edge.srcId(), conf.rank())));
    for (int i = 0; i < conf.iterations(); i++) {
      turn(ratings, true, conf, factors);
      turn(ratings, false, conf, factors);
    }
    return factors;
  }

  private static double error(List<Edge<Double>> ratings, Map<Long, double[]> factors) {
    double squares = 0;
    for (Edge<Double> edge : ratings) {
      double error =
          edge.attr()
              - AlternatingLeastSquares.predict(
                  factors.get(edge.srcId()), factors.get(edge.dstId()));
      squares += error * error;
    }
    return Math.sqrt(squares / ratings.size());
  }

  // ---- graphs ---------------------------------------------------------------------------------

  /** Ratings by even users of odd items, from hidden vectors of three, some of them twice. */
  private static List<Edge<Double>> ratings(int users, int items, int count, long seed) {
    Random random = new Random(seed);
    double[][] tastes = new double[users][];
    double[][] kinds = new double[items][];
    for (int u = 0; u < users; u++) {
      tastes[u] = random.doubles(3, -1, 1).toArray();
    }
    for (int i = 0; i < items; i++) {
      kinds[i] = random.doubles(3, -1, 1).toArray();
    }
    List<Edge<Double>> ratings = new ArrayList<>();
    for (int e = 0; e < count; e++) {
      int user = random.nextInt(users);
      int item = (int) (items * random.nextDouble() * random.nextDouble());
      double rating = 2.5;
      for (int i = 0; i < 3; i++) {
        rating += tastes[user][i] * kinds[item][i];
      }
      ratings.add(new Edge<>(2L * user - 8, 2L * item + 1, rating + 0.1 * random.nextGaussian()));
    }
    return ratings;
  }

  /** With a vertex that has no edges. */
  private Graph<Double, Double> graph(List<Edge<Double>> ratings) {
    ClassTag<Double> tag = ClassTag$.MODULE$.apply(Double.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    List<Tuple2<Object, Double>> alone = List.of(new Tuple2<>(ALONE, 0.0));
    return Graph.apply(
        sc.parallelize(alone, 1).rdd(),
        sc.parallelize(ratings, 3).rdd(),
        0.0,
        level,
        level,
        tag,
        tag);
  }

  private void check(List<Edge<Double>> ratings, Conf conf, RunOptions options) {
    Map<Long, double[]> expected = oracle(ratings, conf);
    List<RunReport> reports = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void finished(RunReport report) {
            reports.add(report);
          }
        };
    String what = conf + ", " + options;
    var result =
        AlternatingLeastSquares.run(graph(ratings), conf, SEED, options.withObserver(observer));
    Map<Long, double[]> found = new TreeMap<>(Compare.vertices(result));
    assertThat(found.remove(ALONE)).as(what).containsOnly(0.0).hasSize(conf.rank());
    assertThat(found.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (id, factors) -> {
          double scale = DoubleStream.of(factors).map(Math::abs).max().orElseThrow();
          assertThat(found.get(id))
              .as(what + ", vertex " + id)
              .containsExactly(factors, within(1e-9 * scale));
        });
    assertThat(result.edges().count()).isEqualTo(ratings.size());
    double error = error(ratings, expected);
    assertThat(AlternatingLeastSquares.error(reports.get(0)))
        .as(what + ", error")
        .isCloseTo(error, within(1e-7 + 1e-9 * error));
    result.unpersist(false);
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void factorsAreTheReferences(EngineChoice engine) {
    List<Edge<Double>> ratings = ratings(40, 25, 500, 5);
    RunOptions options = CPU.withEngine(engine);
    check(ratings, new Conf(1, 3, 0.1), options.withPartitions(1));
    check(ratings, new Conf(2, 3, 0.1, false), options.withPartitions(3));
    check(ratings, new Conf(3, 3, 0.05), options.withPartitions(2));
    check(ratings, new Conf(5, 3, 0.1), options.withPartitions(1));
    check(ratings, new Conf(8, 3, 0.2, false), options.withPartitions(1));
    check(ratings, new Conf(16, 3, 0.1), options.withPartitions(2));
    check(ratings, new Conf(AlternatingLeastSquares.MAX_RANK, 2, 0.1), options.withPartitions(1));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void severalExecutorsGiveTheSame(EngineChoice engine) {
    List<Edge<Double>> ratings = ratings(40, 25, 300, 6);
    check(ratings, new Conf(5, 3, 0.1), CPU.withEngine(engine).withPartitions(4).withExecutors(2));
    check(ratings, new Conf(10, 2, 0.1), CPU.withEngine(engine).withExecutors(3));
  }

  @Test
  void smallGraphs() {
    check(List.of(new Edge<>(1L, 2L, 3.0)), new Conf(2, 1, 0.1), CPU);
    check(List.of(new Edge<>(1L, 2L, 3.0), new Edge<>(1L, 2L, -1.0)), new Conf(3, 4, 0.1), CPU);
    check(
        List.of(new Edge<>(5L, 2L, 0.0), new Edge<>(1L, 2L, 0.0), new Edge<>(1L, 4L, 2.0)),
        new Conf(2, 3, 0.1, false),
        CPU);
    // Without regularisation one factor fits one item's ratings as well as can be.
    check(
        List.of(new Edge<>(5L, 2L, 4.0), new Edge<>(1L, 2L, 2.0), new Edge<>(5L, 2L, 3.0)),
        new Conf(1, 3, 0),
        CPU);
  }

  /** What is minimised never grows, and what is hidden in the ratings is found. */
  @Test
  void itLearns() {
    List<Edge<Double>> ratings = ratings(80, 40, 3000, 9);
    List<SuperstepStats> supersteps = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public synchronized void superstepEnded(SuperstepStats stats) {
            supersteps.add(stats);
          }
        };
    Conf conf = new Conf(4, 30, 1e-6);
    var result =
        AlternatingLeastSquares.run(graph(ratings), conf, SEED, CPU.withObserver(observer));
    // With next to no regularisation that is the sum of the squared errors.
    double before = Double.POSITIVE_INFINITY;
    for (SuperstepStats step : supersteps.subList(1, supersteps.size())) {
      assertThat(step.aggregates()[0])
          .as("superstep " + step.superstep())
          .isLessThanOrEqualTo(before * 1.001);
      before = step.aggregates()[0];
    }
    // A mean and three hidden numbers need four factors; the noise is 0.1.
    assertThat(error(ratings, Compare.vertices(result))).isBetween(0.08, 0.1);
    result.unpersist(false);
  }

  /** Adds up the edges evaluated. */
  private static final class Edges implements RunObserver {
    private long evaluated;

    @Override
    public synchronized void superstepEnded(SuperstepStats stats) {
      evaluated += stats.edgesEvaluated();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void everyChangeToldGivesWhatAllEdgesGive(EngineChoice engine) {
    // Two have but a rating of 0, so that there are factors of 0, too.
    List<Edge<Double>> ratings = ratings(30, 20, 250, 8);
    ratings.add(new Edge<>(100L, 101L, 0.0));
    for (RunOptions options : List.of(CPU.withPartitions(2), CPU.withExecutors(2))) {
      for (Conf conf : List.of(new Conf(3, 4, 0.1), new Conf(8, 2, 0.1, false))) {
        var found =
            AlternatingLeastSquares.runDeltas(
                graph(ratings), conf, 0, SEED, options.withEngine(engine));
        Map<Long, double[]> factors = new TreeMap<>(Compare.vertices(found));
        assertThat(factors.remove(ALONE)).containsOnly(0.0);
        oracle(ratings, conf)
            .forEach(
                (id, expected) ->
                    assertThat(factors.get(id))
                        .as(conf + ", " + options + ", vertex " + id)
                        .containsExactly(expected, within(1e-9)));
        found.unpersist(false);
      }
    }
  }

  /** It ends by itself, and one that told everything would have told more. */
  @Test
  void smallChangesAreNotTold() {
    List<Edge<Double>> ratings = ratings(80, 40, 3000, 9);
    Conf conf = new Conf(2, 300, 0.1);
    Edges all = new Edges();
    Edges some = new Edges();
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.loadWithEdgeAttributes(graph(ratings), Object.class, Double.class, CPU);
        Model model = AlternatingLeastSquares.run(graph, conf, SEED, CPU.withObserver(all));
        VertexResult<double[]> found =
            AlternatingLeastSquares.runDeltas(graph, conf, 1e-3, SEED, CPU.withObserver(some))) {
      assertThat(error(ratings, found.collectAsMap()))
          .isCloseTo(model.error(), within(1e-3 * model.error()));
    }
    assertThat(all.evaluated).isEqualTo(2L * conf.iterations() * ratings.size());
    assertThat(some.evaluated).isPositive().isLessThan(all.evaluated / 2);
  }

  @Test
  void residentGraphsHaveTheSameResults() {
    List<Edge<Double>> ratings = ratings(10, 8, 50, 2);
    Conf conf = new Conf(3, 4, 0.1);
    Map<Long, double[]> expected =
        Compare.vertices(AlternatingLeastSquares.run(graph(ratings), conf));
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.load(graph(ratings), Object.class, Double.class, CPU);
        Model model =
            AlternatingLeastSquares.run(
                graph, conf, AlternatingLeastSquares.SEED, RunOptions.DEFAULT)) {
      Map<Long, double[]> found = model.factors().collectAsMap();
      expected.forEach((id, factors) -> assertThat(found.get(id)).isEqualTo(factors));
      assertThat(model.error()).isCloseTo(error(ratings, found), within(1e-7));
      assertThat(AlternatingLeastSquares.explain(graph, conf, RunOptions.DEFAULT))
          .contains("engine: cpu", "messages are merged by [SUM]", "messages go to both ends");
    }
  }

  /** Makes the program known. */
  private static final class Opened
      extends org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares {
    static String source(ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
      return program(ProgramBuilder.on(graph), conf, SEED, options).explain(ExplainMode.SOURCE);
    }
  }

  /**
   * A message of rank 10 is 68 numbers, of which lanes of a warp have two at a time; a team of
   * lanes solves a vertex's equations.
   */
  @Test
  void lanesShareWhatAnEdgeSends() {
    RunOptions options = CPU.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Object, Double> graph =
        GpuPregel.loadWithEdgeAttributes(
            graph(ratings(10, 8, 50, 2)), Object.class, Double.class, options)) {
      String source = Opened.source(graph, new Conf(10, 2, 0.1), options);
      assertThat(source)
          .contains("#define SGG_FEATURES 68", "#define SGG_FEATURE_SPAN 2", "#define SGG_TEAM 16");
      assertThat(Opened.source(graph, new Conf(24, 2, 0.1), options))
          .contains("#define SGG_TEAM 32");
    }
  }

  private static void fails(ThrowingCallable call, String text) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  @SafeVarargs
  private void run(RunOptions options, double lambda, Edge<Double>... edges) {
    Conf conf = new Conf(2, 3, lambda);
    AlternatingLeastSquares.run(graph(List.of(edges)), conf, 1, options);
  }

  @Test
  void badInputIsNamed() {
    fails(() -> new Conf(0, 1, 0.1), "rank must be from 1 to 32, but got 0");
    fails(() -> new Conf(33, 1, 0.1), "rank must be from 1 to 32, but got 33");
    fails(() -> new Conf(3, 0, 0.1), "Number of iterations must be greater than 0, but got 0");
    fails(() -> new Conf(3, 1, -0.1), "lambda must be a finite number of 0 or more, but got -0.1");
    fails(() -> new Conf(3, 1, Double.NaN), "but got NaN");
    fails(() -> run(CPU, 0.1), "there are no ratings");
    for (double epsilon : new double[] {-0.5, 1, Double.NaN}) {
      fails(
          () ->
              AlternatingLeastSquares.runDeltas(
                  graph(List.of(new Edge<>(1L, 2L, 3.0))), new Conf(2, 3, 0.1), epsilon, 1, CPU),
          "epsilon must be from 0 to below 1, but got " + epsilon);
    }
    fails(
        () -> run(CPU.withEngine(EngineChoice.GRAPHX), 0.1, new Edge<>(1L, 2L, 3.0)),
        "AlternatingLeastSquares has no functions that stock GraphX could run");
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void badRatingsAreNamed(EngineChoice engine) {
    for (RunOptions options :
        List.of(CPU.withEngine(engine), CPU.withEngine(engine).withExecutors(2))) {
      fails(
          () ->
              run(
                  options,
                  0.1,
                  new Edge<>(4L, 1L, 3.0),
                  new Edge<>(1L, 5L, 1.0),
                  new Edge<>(0L, 4L, 1.0)),
          "vertex 1 is both a user and an item");
      for (double rating :
          new double[] {Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY}) {
        fails(
            () -> run(options, 0.1, new Edge<>(1L, 2L, 3.0), new Edge<>(9L, 2L, rating)),
            "the rating of edge 9 → 2 is " + rating + ": ratings are finite numbers");
      }
      // Item 2 has one rating, but two factors.
      fails(
          () -> run(options, 0, new Edge<>(1L, 2L, 3.0)),
          "the equations of vertex 2 have no single solution up to rounding, with lambda 0.0 and"
              + " rank 2: use a larger lambda");
      fails(
          () -> run(options, 0.1, new Edge<>(1L, 2L, 1e200)),
          "the numbers in the equations of vertex 1 become infinite: multiply all ratings");
    }
  }
}
