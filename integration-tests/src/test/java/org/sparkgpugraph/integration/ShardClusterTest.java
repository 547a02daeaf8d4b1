package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Graphs that are spread over two executor JVMs, against the same in one JVM. Dynamic allocation is
 * on, with an idle time that is shorter than the pauses. The last tests kill executors.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardClusterTest {
  private static final long SEED = 4711;
  private static final int VERTICES = 900;
  private static final long SOURCE = id(3);
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);
  private static final RunOptions TWO = CPU.withExecutors(2);

  @SuppressWarnings("unchecked")
  private static final ClassTag<Double> DOUBLES =
      (ClassTag<Double>) (Object) ClassTag$.MODULE$.Double();

  private static Map<String, Object> expected;
  private static Cluster cluster;
  private static JavaSparkContext sc;
  private static Graph<Double, Double> graph;

  @BeforeAll
  static void runLocallyThenStartTheCluster(@TempDir Path scratch) {
    try (JavaSparkContext local = new JavaSparkContext(Expected.conf("local[2]"))) {
      expected = observations(local, graph(local), CPU.withExecutors(1));
    }
    cluster =
        Cluster.of(2)
            .megabytes(600)
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
            .set("spark.dynamicAllocation.enabled", "true")
            .set("spark.dynamicAllocation.shuffleTracking.enabled", "true")
            .set("spark.dynamicAllocation.shuffleTracking.timeout", "2s")
            .set("spark.dynamicAllocation.executorIdleTimeout", "2s")
            .set("spark.dynamicAllocation.initialExecutors", "2")
            .start(scratch);
    sc = cluster.context();
    graph = graph(sc);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Ids with gaps, so that they are not dense already. */
  private static long id(int vertex) {
    return vertex * 31L - 500;
  }

  private static Graph<Double, Double> graph(JavaSparkContext context) {
    Random random = new Random(SEED);
    List<Edge<Double>> edges = new ArrayList<>();
    for (int e = 0; e < 5000; e++) {
      int source = (int) (850 * Math.pow(random.nextDouble(), 2));
      edges.add(new Edge<>(id(source), id(random.nextInt(850)), (double) random.nextInt(20)));
    }
    for (int v = 850; v < VERTICES - 1; v += 2) {
      edges.add(new Edge<>(id(v), id(v + 1), 1.0));
    }
    edges.add(new Edge<>(SOURCE, id(0), 1.0));
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.fromEdges(
        context.parallelize(edges, 5).rdd(), 0.0, level, level, DOUBLES, DOUBLES);
  }

  private static Map<Long, Double> distances(ResidentGraph<Double, Double> graph) {
    try (VertexResult<Double> distances = Sssp.run(graph, SOURCE, CPU)) {
      return distances.collectAsMap();
    }
  }

  /** Sums values along the edges turned round: sends to sources. */
  private static VertexResult<Double> backwards(ResidentGraph<Double, Double> graph) {
    return GpuPregel.on(graph)
        .initialMessage(1.0)
        .activeDirection(EdgeDirection.In())
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToSrc(edge.dstAttr() % 7))
        .mergeMessage(Double::sum)
        .maxIterations(2)
        .options(CPU)
        .runVertices();
  }

  /** Everything that can be done with a graph. All numbers are small integers, sums are exact. */
  private static Map<String, Object> observations(
      JavaSparkContext context, Graph<Double, Double> input, RunOptions options) {
    Map<String, Object> seen = new HashMap<>();
    seen.put(
        "components", Programs.collect(ConnectedComponents.run(input, Integer.MAX_VALUE, options)));
    Graph<Double, Double> ranked =
        PageRank.runWithOptions(input, 4, 0.15, OptionalLong.empty(), false, options);
    seen.put("ranks", Programs.collect(ranked));
    seen.put("weights", new HashSet<>(ranked.edges().toJavaRDD().map(Edge::toString).collect()));
    ranked.unpersist(true);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(input, Double.class, Double.class, options)) {
      assertThat(Internals.state(resident).handle().executors()).isEqualTo(options.executors());
      seen.put("counts", List.of(resident.vertexCount(), resident.edgeCount()));
      seen.put(
          "contains",
          List.of(resident.containsVertex(SOURCE), resident.containsVertex(SOURCE + 1)));
      seen.put("distances", distances(resident));
      seen.put("reversed", distances(resident.reversed()));
      List<Tuple2<Long, Double>> some = new ArrayList<>();
      for (int v = 0; v < VERTICES / 2; v++) {
        some.add(new Tuple2<>(id(v), (double) v));
      }
      JavaPairRDD<Long, Double> pairs = context.parallelizePairs(some, 3);
      try (VertexResult<Double> back = backwards(resident);
          ResidentGraph<Double, Double> adopted = resident.withVertices(back, Double.class);
          ResidentGraph<Double, Double> given = resident.withVertices(pairs, Double.class, 2.0);
          ResidentGraph<Double, Double> masked =
              given.masked(id -> id % 5 != 0, (from, to) -> (from + to) % 3 != 0);
          VertexResult<Double> again = backwards(adopted);
          VertexResult<Double> ofGiven = backwards(given);
          VertexResult<Double> ofMasked = backwards(masked)) {
        seen.put("back", back.collectAsMap());
        seen.put("again", again.collectAsMap());
        seen.put("given", ofGiven.collectAsMap());
        seen.put("masked", ofMasked.collectAsMap());
      }
    }
    return seen;
  }

  @Test
  @Order(1)
  void everyOperationGivesWhatItGivesInOneJvm() {
    Map<String, Object> seen = observations(sc, graph, TWO);
    expected.forEach((what, value) -> assertThat(seen.get(what)).as(what).isEqualTo(value));
  }

  @Tag("any-spark")
  @Test
  @Order(2)
  void idleExecutorsThatHoldAGraphAreKept() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, TWO)) {
      List<String> owners = Internals.state(resident).handle().locations();
      assertThat(new HashSet<>(owners)).hasSize(2);
      Thread.sleep(8000);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
      assertThat(Internals.state(resident).handle().locations()).isEqualTo(owners);
    }
  }

  @Tag("any-spark")
  @Test
  @Order(3)
  void moreExecutorsThanThereAreIsAnErrorThatCountsThem() {
    String wait = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    String most = "spark.dynamicAllocation.maxExecutors";
    String before = sc.sc().conf().get(wait);
    sc.sc().conf().set(wait, "5s");
    GpuPregel.load(graph, Double.class, Double.class, TWO).close();
    // Its blocks would keep the executors.
    graph.unpersist(true);
    List<String> living = cluster.registered();
    assertThat(living).hasSize(2);
    try {
      assertThatThrownBy(
              () -> GpuPregel.load(graph, Double.class, Double.class, CPU.withExecutors(9)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              ".* over 9 executors \\(spark.gpugraph.executors\\), but 2 are registered 5 s"
                  + " after Spark was asked for more: .*");
      // Idle for longer than they may be, but for what the wait gave them to do.
      assertThat(cluster.registered()).containsExactlyInAnyOrderElementsOf(living);
      sc.sc().conf().set(most, "5");
      assertThatThrownBy(
              () -> GpuPregel.load(graph, Double.class, Double.class, CPU.withExecutors(9)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(
              "over 9 executors (spark.gpugraph.executors), but " + most + " = 5");
    } finally {
      sc.sc().conf().remove(most);
      graph.cache();
      sc.sc().conf().set(wait, before);
    }
  }

  /** Cancels the jobs that are to keep executors from being removed. */
  private static final class GuardCanceller extends SparkListener {
    volatile int cancelled;

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      if (start.stageInfos().head().name().startsWith("count at OwnerJob")) {
        cancelled++;
        sc.sc().cancelJob(start.jobId());
      }
    }
  }

  @Tag("any-spark")
  @Test
  @Order(4)
  void aGraphWhoseExecutorsCannotBeKeptIsNotHeld() {
    GuardCanceller canceller = new GuardCanceller();
    int persistent = sc.getPersistentRDDs().size();
    sc.sc().addSparkListener(canceller);
    try {
      // The job may have ended before the listener hears of it.
      Await.until(
          "a job that is cancelled in time",
          () -> {
            try (ResidentGraph<Double, Double> loaded =
                GpuPregel.load(graph, Double.class, Double.class, TWO)) {
              return loaded.vertexCount() < 0;
            } catch (Exception e) {
              assertThat(e).hasMessageContaining("cancelled");
              return true;
            }
          });
    } finally {
      sc.sc().removeSparkListener(canceller);
    }
    assertThat(canceller.cancelled).isPositive();
    assertThat(sc.getPersistentRDDs()).hasSize(persistent);
    cluster.awaitNothingHeld();
  }

  @Tag("any-spark")
  @Test
  @Order(4)
  void aSmallGraphIsHeldByOne() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, CPU)) {
      assertThat(Internals.state(resident).handle().executors()).isEqualTo(1);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
    }
  }

  /** Kills the executor of a shard. */
  private static void kill(ResidentGraph<?, ?> resident, int shard) {
    cluster.kill(Internals.state(resident).handle().locations().get(shard));
  }

  @Test
  @Order(5)
  void lostShardsAreLoadedAgain() {
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graph, Double.class, Double.class, TWO);
        ResidentGraph<Double, Double> masked =
            resident.masked(id -> id % 5 != 0, (from, to) -> (from + to) % 3 != 0);
        VertexResult<Double> before = backwards(masked)) {
      Map<Long, Double> ofMasked = before.collectAsMap();
      Map<Long, Double> turned = distances(resident.reversed());
      List<String> owners = Internals.state(resident).handle().locations();
      kill(resident, 1);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
      assertThat(distances(resident.reversed())).isEqualTo(turned);
      assertThat(Internals.state(resident).handle().locations())
          .isNotEqualTo(owners)
          .contains(owners.get(0));
      try (VertexResult<Double> after = backwards(masked)) {
        assertThat(after.collectAsMap()).isEqualTo(ofMasked);
      }
    }
  }

  @Test
  @Order(5)
  void aLostShardOfAPlacedGraphIsLoadedAgain() {
    sc.setLocalProperty("spark.gpugraph.placement", "neighbours");
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graph, Double.class, Double.class, TWO);
        ResidentGraph<Double, Double> masked =
            resident.masked(id -> id % 5 != 0, (from, to) -> (from + to) % 3 != 0);
        VertexResult<Double> before = backwards(masked)) {
      assertThat(Internals.state(resident).handle().owners().ascending()).isFalse();
      Map<Long, Double> ofMasked = before.collectAsMap();
      assertThat(distances(resident.reversed())).isEqualTo(expected.get("reversed"));
      kill(resident, 1);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
      assertThat(distances(resident.reversed())).isEqualTo(expected.get("reversed"));
      assertThat(Internals.state(resident).handle().owners().ascending()).isFalse();
      try (VertexResult<Double> after = backwards(masked)) {
        assertThat(after.collectAsMap()).isEqualTo(ofMasked);
      }
    } finally {
      sc.setLocalProperty("spark.gpugraph.placement", null);
    }
  }

  @Test
  @Order(6)
  void sparkIsAskedForExecutorsThatAreNotThere() {
    try (ResidentGraph<Double, Double> first =
        GpuPregel.load(graph, Double.class, Double.class, TWO)) {
      // Or another would be started at once.
      assertThat(
              sc.sc().requestTotalExecutors(1, 0, scala.collection.immutable.Map$.MODULE$.empty()))
          .isTrue();
      kill(first, 1);
    }
    // The driver and one executor; before Spark misses the other, nobody asks for one in its place.
    Await.until(
        "Spark to miss the executor",
        () -> sc.sc().env().blockManager().master().getMemoryStatus().size() == 2);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, TWO)) {
      assertThat(new HashSet<>(Internals.state(resident).handle().locations())).hasSize(2);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
    }
  }

  /** Kills one executor when the next job starts. */
  private static final class Killer extends SparkListener {
    volatile String killed;

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      if (killed == null) {
        String one = cluster.registered().get(0);
        cluster.executors().get(one).kill();
        killed = one;
      }
    }
  }

  @Test
  @Order(6)
  void anotherIsAskedForWhenOneIsLostWhileTheGraphIsLoaded() {
    Await.until(
        "an executor that is killed in time",
        () -> {
          GpuPregel.load(graph, Double.class, Double.class, TWO).close();
          Killer killer = new Killer();
          sc.sc().addSparkListener(killer);
          try (ResidentGraph<Double, Double> resident =
              GpuPregel.load(graph, Double.class, Double.class, TWO)) {
            List<String> owners =
                Internals.state(resident).handle().locations().stream().map(Cluster::idOf).toList();
            if (killer.killed == null || owners.contains(killer.killed)) {
              return false;
            }
            assertThat(owners).doesNotHaveDuplicates();
            assertThat(distances(resident)).isEqualTo(expected.get("distances"));
            return true;
          } finally {
            sc.sc().removeSparkListener(killer);
          }
        });
  }

  @Tag("any-spark")
  @Test
  @Order(7)
  void lostAttributesAreBroughtAgainOrMissed() {
    List<Tuple2<Long, Double>> some = new ArrayList<>();
    for (int v = 0; v < VERTICES / 2; v++) {
      some.add(new Tuple2<>(id(v), (double) v));
    }
    JavaPairRDD<Long, Double> pairs = sc.parallelizePairs(some, 3);
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graph, Double.class, Double.class, TWO);
        VertexResult<Double> back = backwards(resident);
        ResidentGraph<Double, Double> adopted = resident.withVertices(back, Double.class);
        ResidentGraph<Double, Double> given = resident.withVertices(pairs, Double.class, 2.0);
        ResidentGraph<Double, Double> masked =
            given.masked(id -> id % 5 != 0, (from, to) -> (from + to) % 3 != 0)) {
      kill(resident, 1);
      try (VertexResult<Double> ofGiven = backwards(given);
          VertexResult<Double> ofMasked = backwards(masked)) {
        assertThat(ofGiven.collectAsMap()).isEqualTo(expected.get("given"));
        assertThat(ofMasked.collectAsMap()).isEqualTo(expected.get("masked"));
      }
      // The first one loads what it can, the second one finds all shards in place.
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> backwards(adopted))
            .isInstanceOf(GraphLostException.class)
            .hasMessageContaining("run that program again");
      }
    }
  }

  @Tag("any-spark")
  @Test
  @Order(8)
  void aGraphOfOneExecutorIsLoadedAgain() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, CPU.withExecutors(1))) {
      kill(resident, 0);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
    }
  }
}
