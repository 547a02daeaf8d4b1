package io.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.lib.ConnectedComponents;
import io.sparkgpugraph.lib.PageRank;
import io.sparkgpugraph.lib.Sssp;
import io.sparkgpugraph.spark.GraphLostException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
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

  @TempDir static Path scratch;
  private static Map<String, Object> expected;
  private static JavaSparkContext sc;
  private static Graph<Double, Double> graph;

  @BeforeAll
  static void runLocallyThenStartTheCluster() throws Exception {
    try (JavaSparkContext local = new JavaSparkContext(conf("local[2]"))) {
      expected = observations(local, graph(local), CPU.withExecutors(1));
    }
    Product.sparkHome();
    URL classes = ShardClusterTest.class.getProtectionDomain().getCodeSource().getLocation();
    Path tests = Jars.ofDirectory(Path.of(classes.toURI()), scratch.resolve("shard-tests.jar"));
    sc =
        new JavaSparkContext(
            conf("local-cluster[2,1,600]")
                .set("spark.executor.memory", "600m")
                .set("spark.locality.wait", "300ms")
                .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "20s")
                .set("spark.dynamicAllocation.enabled", "true")
                .set("spark.dynamicAllocation.shuffleTracking.enabled", "true")
                .set("spark.dynamicAllocation.shuffleTracking.timeout", "2s")
                .set("spark.dynamicAllocation.executorIdleTimeout", "2s")
                .set("spark.dynamicAllocation.initialExecutors", "2")
                .set("spark.jars", Product.libraryJar() + "," + tests));
    graph = graph(sc);
  }

  @AfterAll
  static void stop() {
    if (sc != null) {
      sc.stop();
    }
  }

  private static SparkConf conf(String master) {
    return new SparkConf()
        .setMaster(master)
        .setAppName("shard cluster test")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
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

  @SuppressWarnings("unchecked")
  private static <V> Map<Long, V> collect(Graph<V, ?> result) {
    Map<Long, V> values = new HashMap<>();
    for (Tuple2<Object, V> vertex : result.vertices().toJavaRDD().collect()) {
      assertThat(values.put((Long) vertex._1(), vertex._2())).isNull();
    }
    return values;
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
    seen.put("components", collect(ConnectedComponents.run(input, Integer.MAX_VALUE, options)));
    Graph<Double, Double> ranked =
        PageRank.runWithOptions(input, 4, 0.15, OptionalLong.empty(), false, options);
    seen.put("ranks", collect(ranked));
    seen.put("weights", new HashSet<>(ranked.edges().toJavaRDD().map(Edge::toString).collect()));
    ranked.unpersist(true);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(input, Double.class, Double.class, options)) {
      assertThat(resident.state().handle().executors()).isEqualTo(options.executors());
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

  @Test
  @Order(2)
  void idleExecutorsThatHoldAGraphAreKept() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, TWO)) {
      List<String> owners = resident.state().handle().locations();
      assertThat(new HashSet<>(owners)).hasSize(2);
      Thread.sleep(8000);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
      assertThat(resident.state().handle().locations()).isEqualTo(owners);
    }
  }

  @Test
  @Order(3)
  void moreExecutorsThanThereAreIsAnErrorThatCountsThem() {
    String wait = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    String before = sc.sc().conf().get(wait);
    sc.sc().conf().set(wait, "1s");
    try {
      assertThatThrownBy(
              () -> GpuPregel.load(graph, Double.class, Double.class, CPU.withExecutors(9)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("over 9 executors (spark.gpugraph.executors), but ")
          .hasMessageContaining("registered: raise spark.dynamicAllocation.minExecutors");
    } finally {
      sc.sc().conf().set(wait, before);
    }
  }

  @Test
  @Order(4)
  void aSmallGraphIsHeldByOne() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, CPU)) {
      assertThat(resident.state().handle().executors()).isEqualTo(1);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
    }
  }

  /** Kills the executor of a shard. */
  private static void kill(ResidentGraph<?, ?> resident, int shard) {
    String owner = resident.state().handle().locations().get(shard);
    List<Long> processes =
        sc.parallelize(List.of(1, 2, 3, 4), 4)
            .map(
                i -> {
                  Thread.sleep(400);
                  boolean owns = owner.endsWith("_" + SparkEnv.get().executorId());
                  return owns ? ProcessHandle.current().pid() : -1L;
                })
            .collect();
    long process = processes.stream().filter(pid -> pid > 0).findFirst().orElseThrow();
    ProcessHandle.of(process).orElseThrow().destroyForcibly();
    ProcessHandle.of(process).ifPresent(handle -> handle.onExit().join());
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
      List<String> owners = resident.state().handle().locations();
      kill(resident, 1);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
      assertThat(distances(resident.reversed())).isEqualTo(turned);
      assertThat(resident.state().handle().locations())
          .isNotEqualTo(owners)
          .contains(owners.get(0));
      try (VertexResult<Double> after = backwards(masked)) {
        assertThat(after.collectAsMap()).isEqualTo(ofMasked);
      }
    }
  }

  /** Keeps the executors busy until there are two: they come when there is work for long. */
  private static void awaitTwo() {
    Await.until(
        "two executors",
        () -> {
          sc.parallelize(List.of(1, 2, 3, 4, 5, 6), 6).foreach(i -> Thread.sleep(500));
          return sc.sc().getExecutorMemoryStatus().size() > 2;
        });
  }

  @Test
  @Order(6)
  void lostAttributesAreBroughtAgainOrMissed() {
    awaitTwo();
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

  @Test
  @Order(7)
  void aGraphOfOneExecutorIsLoadedAgain() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class, CPU.withExecutors(1))) {
      kill(resident, 0);
      assertThat(distances(resident)).isEqualTo(expected.get("distances"));
    }
  }
}
