package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple4;

/** SVD++ against GraphX's formulae in sequential code, which are tied to GraphX itself. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class SVDPlusPlusTest {
  /** Of SplitMix64, by which vectors are drawn. */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);
  private static final SVDPlusPlus.Conf THREE =
      new SVDPlusPlus.Conf(3, 4, 0.0, 5.0, 0.007, 0.011, 0.005, 0.015);

  private static final Offset<Double> NEAR = within(1e-9);

  private final JavaSparkContext context;

  SVDPlusPlusTest(JavaSparkContext context) {
    this.context = context;
  }

  /** A vertex as GraphX keeps it: two vectors, bias and norm. */
  private static final class Entity {
    private final double[] first;
    private double[] second;
    private double bias;
    private double norm;

    Entity(double[][] vectors) {
      first = vectors[0].clone();
      second = vectors[1].clone();
    }
  }

  /** Sums of an iteration. */
  private record Step(double[] first, double[] second, double[] bias, int[] told) {
    Step(int rank) {
      this(new double[rank], new double[rank], new double[1], new int[1]);
    }
  }

  /** How the updates of y, or U, are merged. */
  private enum Merge {
    /** Added up. */
    SUM,
    /** As GraphX 3.5 and 4.0 merge two: twice the second, without the first. */
    GRAPHX;

    double merge(Step step, int i, double y) {
      if (this == SUM) {
        return step.second[i] + y;
      }
      return step.told[0] == 0 ? y : 2 * y;
    }
  }

  private record Expected(Map<Long, Entity> entities, double mean) {}

  /**
   * GraphX's phases, edge by edge.
   *
   * @param merge how the updates of y are added up
   */
  private static Expected reference(
      List<Edge<Double>> ratings,
      SVDPlusPlus.Conf conf,
      Merge merge,
      LongFunction<double[][]> start) {
    Map<Long, Entity> all = new TreeMap<>();
    Map<Long, double[]> received = new TreeMap<>();
    double total = 0;
    for (Edge<Double> edge : ratings) {
      total += edge.attr();
      for (long id : new long[] {edge.srcId(), edge.dstId()}) {
        all.computeIfAbsent(id, i -> new Entity(start.apply(i)));
        double[] sum = received.computeIfAbsent(id, i -> new double[2]);
        sum[0]++;
        sum[1] += edge.attr();
      }
    }
    double mean = total / ratings.size();
    received.forEach(
        (id, sum) -> {
          all.get(id).bias = sum[1] / sum[0] - mean;
          all.get(id).norm = 1.0 / Math.sqrt(sum[0]);
        });
    for (int iteration = 0; iteration < conf.maxIters(); iteration++) {
      iterate(ratings, conf, merge, all, mean);
    }
    Map<Long, Double> errors = new TreeMap<>();
    for (Edge<Double> edge : ratings) {
      double error =
          edge.attr() - predicted(conf, all.get(edge.srcId()), all.get(edge.dstId()), mean);
      errors.merge(edge.dstId(), error * error, Double::sum);
    }
    errors.forEach((id, sum) -> all.get(id).norm = sum);
    return new Expected(all, mean);
  }

  private static void iterate(
      List<Edge<Double>> ratings,
      SVDPlusPlus.Conf conf,
      Merge merge,
      Map<Long, Entity> all,
      double mean) {
    int rank = conf.rank();
    Map<Long, double[]> implicit = new TreeMap<>();
    for (Edge<Double> edge : ratings) {
      double[] sum = implicit.computeIfAbsent(edge.srcId(), i -> new double[rank]);
      add(sum, 1, all.get(edge.dstId()).second);
    }
    implicit.forEach(
        (id, sum) -> {
          Entity user = all.get(id);
          user.second = user.first.clone();
          add(user.second, user.norm, sum);
        });
    Map<Long, Step> steps = new TreeMap<>();
    for (Edge<Double> edge : ratings) {
      Entity user = all.get(edge.srcId());
      Entity item = all.get(edge.dstId());
      double error = edge.attr() - predicted(conf, user, item, mean);
      Step userStep = steps.computeIfAbsent(edge.srcId(), i -> new Step(rank));
      Step itemStep = steps.computeIfAbsent(edge.dstId(), i -> new Step(rank));
      double gamma2 = conf.gamma2();
      for (int i = 0; i < rank; i++) {
        double y = (error * user.norm * item.first[i] - conf.gamma7() * item.second[i]) * gamma2;
        userStep.first[i] += (error * item.first[i] - conf.gamma7() * user.first[i]) * gamma2;
        userStep.second[i] = merge.merge(userStep, i, y);
        itemStep.first[i] += (error * user.second[i] - conf.gamma7() * item.first[i]) * gamma2;
        itemStep.second[i] = merge.merge(itemStep, i, y);
      }
      userStep.bias[0] += (error - conf.gamma6() * user.bias) * conf.gamma1();
      itemStep.bias[0] += (error - conf.gamma6() * item.bias) * conf.gamma1();
      userStep.told[0]++;
      itemStep.told[0]++;
    }
    steps.forEach(
        (id, step) -> {
          add(all.get(id).first, 1, step.first);
          add(all.get(id).second, 1, step.second);
          all.get(id).bias += step.bias[0];
        });
  }

  private static void add(double[] to, double factor, double[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += factor * from[i];
    }
  }

  private static double predicted(SVDPlusPlus.Conf conf, Entity user, Entity item, double mean) {
    double sum = mean + user.bias + item.bias;
    for (int i = 0; i < conf.rank(); i++) {
      sum += item.first[i] * user.second[i];
    }
    return Math.min(Math.max(sum, conf.minVal()), conf.maxVal());
  }

  /** The vectors that the library draws. */
  private static double[][] drawn(long id, long seed, int rank) {
    long base = Mixing.mix(id ^ Mixing.mix(seed + INCREMENT));
    double[] all = new double[2 * rank];
    for (int i = 0; i < all.length; i++) {
      all[i] = (Mixing.mix(base + (i + 1) * INCREMENT) >>> 11) * 0x1p-53;
    }
    return new double[][] {Arrays.copyOf(all, rank), Arrays.copyOfRange(all, rank, 2 * rank)};
  }

  /** Ratings by even users of odd items, from hidden vectors, with repetitions. */
  private static List<Edge<Double>> ratings(int users, int items, int count, long seed) {
    Random random = new Random(seed);
    double[][] taste = vectors(random, users);
    double[][] kind = vectors(random, items);
    List<Edge<Double>> ratings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int user = random.nextInt(users);
      int item = (int) (items * random.nextDouble() * random.nextDouble());
      double rating = 2.5;
      for (int k = 0; k < taste[user].length; k++) {
        rating += taste[user][k] * kind[item][k];
      }
      ratings.add(new Edge<>(2L * user - 8, 2L * item + 1, Math.min(5, Math.max(0, rating))));
    }
    return ratings;
  }

  private static double[][] vectors(Random random, int count) {
    double[][] vectors = new double[count][3];
    for (double[] vector : vectors) {
      Arrays.setAll(vector, i -> random.nextGaussian() * 0.7);
    }
    return vectors;
  }

  private RDD<Edge<Double>> rdd(List<Edge<Double>> ratings) {
    return context.parallelize(ratings, 2).rdd();
  }

  private static void assertClose(
      Map<Long, Tuple4<double[], double[], Double, Double>> actual,
      Expected expected,
      String what) {
    assertThat(actual.keySet()).as(what).isEqualTo(expected.entities.keySet());
    expected.entities.forEach(
        (id, entity) -> {
          var vertex = actual.get(id);
          assertThat(vertex._1()).as(what + " p, q of " + id).containsExactly(entity.first, NEAR);
          assertThat(vertex._2()).as(what + " U, y of " + id).containsExactly(entity.second, NEAR);
          assertThat(vertex._3()).as(what + " bias of " + id).isCloseTo(entity.bias, NEAR);
          assertThat(vertex._4()).as(what + " norm of " + id).isCloseTo(entity.norm, NEAR);
        });
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Tuple4<double[], double[], Double, Double>> vertices(Graph<?, ?> graph) {
    Map<Long, Tuple4<double[], double[], Double, Double>> map = new TreeMap<>();
    graph
        .vertices()
        .toJavaRDD()
        .collect()
        .forEach(v -> map.put((Long) v._1(), (Tuple4<double[], double[], Double, Double>) v._2()));
    return map;
  }

  /** The oracle is GraphX's algorithm: from the vectors that GraphX draws it gives its results. */
  @Test
  void theReferenceIsGraphX() {
    List<Edge<Double>> ratings = ratings(9, 7, 60, 3);
    // One partition, in the order in which GraphX sorts it, because its merge depends on that.
    ratings.sort(Comparator.comparing(Edge<Double>::srcId).thenComparing(Edge::dstId));
    RDD<Edge<Object>> edges = cast(context.parallelize(ratings, 1).rdd());
    edges.cache().count();
    // GraphX draws from Scala's global generator, on this thread and nowhere else.
    scala.util.Random$.MODULE$.setSeed(11);
    var result =
        org.apache.spark.graphx.lib.SVDPlusPlus.run(
            edges,
            new org.apache.spark.graphx.lib.SVDPlusPlus.Conf(
                3, 4, 0.0, 5.0, 0.007, 0.011, 0.005, 0.015));
    Random random = new Random(11);
    double[][] common = {random.doubles(3).toArray(), random.doubles(3).toArray()};
    Expected expected = reference(ratings, THREE, Merge.GRAPHX, id -> common);
    assertThat((Double) result._2()).isCloseTo(expected.mean, NEAR);
    assertClose(vertices(result._1()), expected, "GraphX");
  }

  @SuppressWarnings("unchecked")
  private static RDD<Edge<Object>> cast(RDD<Edge<Double>> edges) {
    return (RDD<Edge<Object>>) (Object) edges;
  }

  @Test
  void enginesAgreeWithTheReference() {
    List<Edge<Double>> ratings = ratings(40, 25, 300, 5);
    Expected expected = reference(ratings, THREE, Merge.SUM, id -> drawn(id, 17, 3));
    for (RunOptions options :
        List.of(
            CPU.withPartitions(1),
            CPU.withPartitions(3),
            CPU.withEngine(EngineChoice.EMULATED).withPartitions(2),
            CPU.withPartitions(4).withExecutors(2),
            CPU.withEngine(EngineChoice.EMULATED).withPartitions(3).withExecutors(3))) {
      var result = SVDPlusPlus.run(rdd(ratings), THREE, 17, options);
      assertThat(result._2()).isCloseTo(expected.mean, NEAR);
      assertThat(result._1().edges().count()).isEqualTo(300);
      assertClose(vertices(result._1()), expected, options.toString());
      result._1().unpersist(false);
    }
  }

  /** The largest rank, whose code is too long to be inlined, and the smallest. */
  @Test
  void ranksFromTheSmallestToTheLargest() {
    List<Edge<Double>> ratings = ratings(12, 8, 70, 7);
    for (int rank : new int[] {1, 20, SVDPlusPlus.MAX_RANK}) {
      SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(rank, 2, 0.0, 5.0, 0.007, 0.007, 0.005, 0.015);
      Expected expected = reference(ratings, conf, Merge.SUM, id -> drawn(id, 1, rank));
      var result = SVDPlusPlus.run(rdd(ratings), conf, 1, CPU.withPartitions(3));
      assertClose(vertices(result._1()), expected, "rank " + rank);
      result._1().unpersist(false);
    }
  }

  /** GraphX's test asks for an error below 8 after two iterations; more must learn more. */
  @Test
  void itLearns() {
    List<Edge<Double>> ratings = ratings(60, 40, 1500, 9);
    double mean = ratings.stream().mapToDouble(Edge::attr).average().orElseThrow();
    double variance =
        ratings.stream().mapToDouble(edge -> Math.pow(edge.attr() - mean, 2)).sum()
            / ratings.size();
    assertThat(squaredError(ratings, 2)).isLessThan(8.0);
    assertThat(squaredError(ratings, 100)).isLessThan(0.5 * variance);
  }

  /** The mean of the squares of the errors, which items have in the place of their norm. */
  private double squaredError(List<Edge<Double>> ratings, int iterations) {
    SVDPlusPlus.Conf conf =
        new SVDPlusPlus.Conf(10, iterations, 0.0, 5.0, 0.001, 0.001, 0.005, 0.015);
    var result = SVDPlusPlus.run(rdd(ratings), conf, 4, CPU);
    double sum =
        vertices(result._1()).entrySet().stream()
            .filter(vertex -> vertex.getKey() % 2 != 0)
            .mapToDouble(vertex -> vertex.getValue()._4())
            .sum();
    result._1().unpersist(false);
    return sum / ratings.size();
  }

  @Test
  void residentGraphsHaveTheSameResults() {
    List<Edge<Double>> ratings = ratings(10, 8, 50, 2);
    var expected = SVDPlusPlus.run(rdd(ratings), THREE);
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.load(expected._1(), Object.class, Double.class, CPU);
        SVDPlusPlus.Model model =
            SVDPlusPlus.run(graph, THREE, SVDPlusPlus.SEED, RunOptions.DEFAULT)) {
      assertThat(model.mean()).isEqualTo(expected._2());
      Map<Long, Tuple4<double[], double[], Double, Double>> actual =
          model.vertices().collectAsMap();
      vertices(expected._1())
          .forEach(
              (id, vertex) -> {
                assertThat(actual.get(id)._1()).isEqualTo(vertex._1());
                assertThat(actual.get(id)._2()).isEqualTo(vertex._2());
              });
      double squares =
          ratings.stream().map(Edge::dstId).distinct().mapToDouble(i -> actual.get(i)._4()).sum();
      assertThat(model.error()).isCloseTo(Math.sqrt(squares / ratings.size()), NEAR);
      assertThat(SVDPlusPlus.explain(graph, THREE, RunOptions.DEFAULT))
          .contains("engine: cpu", "messages go to both ends");
    }
  }

  /** At a rank for which edges read copies and supersteps have loops of their own. */
  @Test
  void edgesOfAGraphAreTakenAsTheyAre() {
    List<Edge<Double>> ratings = ratings(30, 8, 150, 3);
    var conf = new SVDPlusPlus.Conf(10, 3, 0, 5, 0.007, 0.007, 0.005, 0.015);
    var expected = SVDPlusPlus.run(rdd(ratings), conf, 1, CPU.withPartitions(3));
    EdgeRDD<Double> input = expected._1().edges();
    final StorageLevel level = input.getStorageLevel();
    final List<RDDBlockId> blocks = blocksInMemory(input);
    assertThat(blocks).hasSize(input.getNumPartitions());
    var actual = SVDPlusPlus.run(input, conf, 1, CPU);
    assertThat(actual._2()).isEqualTo(expected._2());
    Map<Long, Tuple4<double[], double[], Double, Double>> vertices = vertices(actual._1());
    assertThat(vertices).hasSize(38);
    vertices(expected._1())
        .forEach(
            (id, vertex) -> {
              assertThat(vertices.get(id)._1()).isEqualTo(vertex._1());
              assertThat(vertices.get(id)._2()).isEqualTo(vertex._2());
            });
    assertThat(actual._1().edges().toJavaRDD().collect())
        .containsExactlyInAnyOrderElementsOf(expected._1().edges().toJavaRDD().collect());
    // The input is left as it was.
    assertThat(input.getStorageLevel()).isEqualTo(level);
    assertThat(blocksInMemory(input)).isEqualTo(blocks);
    assertThat(input.count()).isEqualTo(150);
  }

  private static List<RDDBlockId> blocksInMemory(EdgeRDD<?> edges) {
    return IntStream.range(0, edges.getNumPartitions())
        .mapToObj(p -> new RDDBlockId(edges.partitionsRDD().id(), p))
        .filter(block -> SparkEnv.get().blockManager().memoryStore().contains(block))
        .toList();
  }

  @Test
  void badInputIsNamed() {
    fails(() -> conf(0, 1, 5), "rank must be from 1 to 64, but got 0");
    fails(() -> conf(65, 1, 5), "rank must be from 1 to 64, but got 65");
    fails(() -> conf(3, 0, 5), "Number of iterations must be greater than 0, but got 0");
    fails(() -> conf(3, 1, 0), "maxVal must be greater than minVal, but got 0.0 and 0.0");
    fails(() -> conf(3, 1, Double.NaN), "but got NaN");
    fails(
        () -> new SVDPlusPlus.Conf(3, 1, 0, 5, Double.NaN, 0, 0, 0),
        "gammas must be finite numbers, but got NaN");
    fails(
        () -> run(new Edge<>(1L, 2L, 3.0), new Edge<>(2L, 5L, 1.0), new Edge<>(4L, 1L, 1.0)),
        "vertex 1 is both a user and an item");
    fails(
        () -> run(new Edge<>(1L, 2L, 3.0), new Edge<>(9L, 2L, Double.NaN)),
        "ratings of user 9 are NaN or infinite");
    fails(() -> run(new Edge<>(3L, 2L, Double.NEGATIVE_INFINITY)), "ratings of user 3 are NaN or");
    var steep = new SVDPlusPlus.Conf(3, 400, 0, 5, 5, 5, 5, 5);
    fails(
        () -> SVDPlusPlus.run(rdd(ratings(10, 8, 50, 2)), steep, 1, CPU),
        "grows until it is no number: use smaller learning rates than 5.0 (gamma1, of biases) and 5.0");
    // No prediction comes near it.
    for (double rating : new double[] {5.5, -1}) {
      fails(
          () -> run(new Edge<>(1L, 2L, 3.0), new Edge<>(9L, 2L, rating)),
          "the rating of edge 9 → 2 is "
              + rating
              + ": ratings are from minVal to maxVal, here 0.0 to 5.0: set these to the ratings'"
              + " range; leave such edges out, or change their values");
    }
    fails(this::run, "there are no ratings");
    fails(
        () ->
            SVDPlusPlus.run(
                rdd(ratings(3, 3, 5, 1)), THREE, 1, CPU.withEngine(EngineChoice.GRAPHX)),
        "SVDPlusPlus has no functions that stock GraphX could run: unset engine and fallback");
  }

  private static SVDPlusPlus.Conf conf(int rank, int iterations, double most) {
    return new SVDPlusPlus.Conf(rank, iterations, 0, most, 0.007, 0.007, 0.005, 0.015);
  }

  @SafeVarargs
  private void run(Edge<Double>... edges) {
    SVDPlusPlus.run(rdd(List.of(edges)), THREE, 1, CPU);
  }

  private static void fails(ThrowingCallable call, String text) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
