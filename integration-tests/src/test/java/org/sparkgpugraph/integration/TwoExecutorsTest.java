package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.graphx.Edge;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.Components;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.louvain.LouvainOperator;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.lib.ClusteringCoefficient;
import org.sparkgpugraph.lib.Graphalytics;
import org.sparkgpugraph.lib.Louvain;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.OwnerJob;

/** Two executors of one core, and of several emulated devices that Spark does not know of. */
@Tag("any-spark")
class TwoExecutorsTest extends SpreadGraphSuite {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final RunOptions ONE = CPU.withExecutors(1);

  /**
   * Longer than a task waits for its own executor, and than a first attempt elsewhere takes: Spark
   * tells nobody when it would give a task to another one. The test is weaker, not wrong, where
   * this is too short.
   */
  private static final int MISPLACED_MILLIS = 700;

  TwoExecutorsTest() {
    super(2);
  }

  @Override
  Cluster.Options options(Cluster.Options some) {
    return some;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void emulatedDevicesGiveWhatCoresGive(int devices) {
    context().setLocalProperty("spark.gpugraph.emulated.devices", String.valueOf(devices));
    try {
      assertEmulated(IntStream.range(0, devices).mapToObj(i -> "emulated GPU " + i).toList());
    } finally {
      context().setLocalProperty("spark.gpugraph.emulated.devices", null);
    }
  }

  /** Operators that {@link Programs} does not have. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void operatorsGiveWhatTheyGiveOnOneExecutor(EngineChoice engine) {
    Cluster.assumeUsable(engine);
    RunOptions options = RunOptions.DEFAULT.withEngine(engine);
    try (ResidentGraph<Double, Double> one = load(ONE);
        ResidentGraph<Double, Double> two = load(options.withExecutors(2))) {
      assertThat(Internals.state(one).handle().locations()).hasSize(1);
      assertThat(Internals.state(two).handle().locations()).hasSize(2);
      assertSame(Components.of(two, options), Components.of(one, CPU));
      assertSame(ClusteringCoefficient.run(two, options), ClusteringCoefficient.run(one, CPU));
      assertSame(Graphalytics.lcc(two, options), Graphalytics.lcc(one, CPU));
    }
  }

  private static void assertSame(VertexResult<?> result, VertexResult<?> expected) {
    try (result;
        expected) {
      assertThat(new HashSet<>(expected.collectAsMap().values())).hasSizeGreaterThan(5);
      assertThat(new HashMap<>(result.collectAsMap())).isEqualTo(expected.collectAsMap());
    }
  }

  /** Spark SQL reads the columns where they are kept, though the graph is gone. */
  @Test
  void resultsAreTablesOfColumns() {
    SparkSession spark = SparkSession.builder().getOrCreate();
    PropertyGraph graph =
        PropertyGraph.ofEdges(
            spark.range(0, 3000, 1, 4).selectExpr("id % 500 as src", "(id * id) % 487 as dst"));
    Dataset<Row> one = graph.options(ONE).hops().source(0L).run();
    Dataset<Row> two = graph.options(CPU.withExecutors(2)).hops().source(0L).run();
    assertThat(two.queryExecution().executedPlan().toString())
        .contains("BatchScan vertex values", "ColumnarToRow");
    assertThat(two.groupBy("hops").count().collectAsList())
        .hasSizeGreaterThan(3)
        .containsExactlyInAnyOrderElementsOf(one.groupBy("hops").count().collectAsList());
    assertThat(two.join(one, "id").filter(two.col("hops").eqNullSafe(one.col("hops"))).count())
        .isEqualTo(two.count())
        .isGreaterThan(490);
    RDD<Row> rows = two.rdd();
    for (int part = 0; part < rows.getNumPartitions(); part++) {
      assertThat(context().sc().getPreferredLocs(rows, part).toString()).contains("executor_");
    }
  }

  /**
   * While an executor was busy a task that belongs there was given to the other one, and what
   * belongs on that one to the first: neither has room for its own before the other's has gone.
   */
  @Test
  void tasksThatWaitAtEachOthersExecutorsChangePlaces(@TempDir Path scratch) throws Exception {
    Path busy = Files.createFile(scratch.resolve("busy"));
    try (ResidentGraph<Double, Double> two = load(CPU.withExecutors(2))) {
      List<String> owners = Internals.state(two).handle().locations();
      Remote.occupy(context(), Cluster.idOf(owners.get(1)), busy);
      awaitRunning(owners.get(1), 1);
      awaitRunning(owners.get(0), 0);
      CompletableFuture<Integer> second = numberAt(owners, 1);
      awaitRunning(owners.get(0), 1);
      Thread.sleep(MISPLACED_MILLIS);
      CompletableFuture<Integer> first = numberAt(owners, 0);
      Thread.sleep(MISPLACED_MILLIS);
      Files.delete(busy);
      assertThat(first.get(30, TimeUnit.SECONDS)).isZero();
      assertThat(second.get(30, TimeUnit.SECONDS)).isZero();
    }
  }

  /** What a task says that runs where it belongs. */
  private CompletableFuture<Integer> numberAt(List<String> owners, int shard) {
    return CompletableFuture.supplyAsync(
        () ->
            OwnerJob.at(
                context().sc(),
                "the test",
                owners.get(shard),
                EngineChoice.CPU,
                Integer.class,
                partition -> partition));
  }

  private void awaitRunning(String location, int tasks) {
    String id = Cluster.idOf(location);
    Await.until(tasks + " tasks at " + location, () -> running(id) == tasks);
  }

  private int running(String id) {
    var executors = context().sc().statusStore().executorList(true).iterator();
    while (executors.hasNext()) {
      var executor = executors.next();
      if (executor.id().equals(id)) {
        return executor.activeTasks();
      }
    }
    return 0;
  }

  /** Levels that both executors hold, or the first of them, or none. */
  @Test
  void communitiesAreThoseOfOneExecutor() {
    try (ResidentGraph<Double, Double> one = load(ONE);
        ResidentGraph<Double, Double> two = load(CPU.withExecutors(2));
        VertexResult<Long> expected = Internals.run(one, louvain(0, 0), CPU)) {
      assertThat(Louvain.modularity(expected.report())).isGreaterThan(0.2);
      assertThat(Louvain.levels(expected.report())).isEqualTo(2);
      int rounds = Integer.MAX_VALUE;
      for (int alone : new int[] {0, 300, 1 << 17}) {
        try (VertexResult<Long> result = Internals.run(two, louvain(0, alone), CPU)) {
          assertSameCommunities(result, expected);
          // What both hold takes a round for each class of vertices.
          assertThat(result.report().summary().iterations()).isLessThan(rounds);
          rounds = result.report().summary().iterations();
        }
      }
    }
  }

  /** As users run it: one executor takes what is small, and its vertices one after the other. */
  @Test
  void fewVerticesDecideInOrderOnOneExecutor() {
    try (ResidentGraph<Double, Double> one = load(ONE);
        ResidentGraph<Double, Double> two = load(CPU.withExecutors(2))) {
      for (Louvain.Conf conf :
          List.of(Louvain.Conf.DEFAULT, Louvain.Conf.DEFAULT.withRefine(true))) {
        try (VertexResult<Long> expected = Louvain.runWeighted(one, conf, CPU);
            VertexResult<Long> result = Louvain.runWeighted(two, conf, CPU)) {
          assertThat(Louvain.modularity(expected.report())).isGreaterThan(0.2);
          assertSameCommunities(result, expected);
        }
      }
    }
  }

  private static LouvainOperator louvain(int inOrder, int alone) {
    return new LouvainOperator(
        true, 1, 2, 1e-6, false, new LouvainOperator.Limits(inOrder, alone, 1 << 25));
  }

  private static void assertSameCommunities(
      VertexResult<Long> result, VertexResult<Long> expected) {
    assertThat(result.collectAsMap()).isEqualTo(expected.collectAsMap());
    assertThat(Louvain.modularity(result.report()))
        .isEqualTo(Louvain.modularity(expected.report()));
    assertThat(Louvain.levels(result.report())).isEqualTo(Louvain.levels(expected.report()));
    assertThat(Louvain.communities(result.report()))
        .isEqualTo(Louvain.communities(expected.report()));
  }

  /** SVD++, a program that is written instead of lifted, with arrays as values. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void ratingsAreFactorisedAsOnOneExecutor(EngineChoice engine) {
    Cluster.assumeUsable(engine);
    RunOptions two = RunOptions.DEFAULT.withEngine(engine).withExecutors(2);
    Map<Long, double[]> expected = ratings(ONE);
    Map<Long, double[]> actual = ratings(two);
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, values) ->
            assertThat(actual.get(id))
                .as("vertex %d", id)
                .containsExactly(values, Offset.offset(1e-9)));
  }

  /** What is learnt of 700 ratings: both vectors, bias, and norm or error. */
  private Map<Long, double[]> ratings(RunOptions options) {
    Random random = new Random(3);
    List<Edge<Double>> edges = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      long item = 1 + 2 * (long) (60 * Math.pow(random.nextDouble(), 2));
      edges.add(new Edge<>(2L * random.nextInt(90), item, (double) random.nextInt(6)));
    }
    SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(3, 4, 0.0, 5.0, 0.007, 0.011, 0.005, 0.015);
    Map<Long, double[]> values = new HashMap<>();
    var result = SVDPlusPlus.run(context().parallelize(edges, 3).rdd(), conf, 7, options);
    for (var vertex : result._1().vertices().toJavaRDD().collect()) {
      var learnt = vertex._2();
      values.put(
          (Long) vertex._1(),
          Stream.of(learnt._1(), learnt._2(), new double[] {learnt._3(), learnt._4()})
              .flatMapToDouble(Arrays::stream)
              .toArray());
    }
    result._1().unpersist(true);
    return values;
  }
}
