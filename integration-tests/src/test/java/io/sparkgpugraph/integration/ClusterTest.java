package io.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.lib.ConnectedComponents;
import io.sparkgpugraph.lib.PageRank;
import io.sparkgpugraph.lib.Sssp;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
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
 * The library on two executor JVMs of one core each, against the same runs in one JVM and stock
 * GraphX. The last test kills an executor.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest {
  private static final long SEED = 20261120;
  private static final int VERTICES = 700;
  private static final int EDGES = 4000;
  private static final long SOURCE = id(3);

  @SuppressWarnings("unchecked")
  private static final ClassTag<Double> DOUBLES =
      (ClassTag<Double>) (Object) ClassTag$.MODULE$.Double();

  @TempDir static Path scratch;
  private static Map<Long, Double> localDistances;
  private static Map<Long, Double> localRanks;
  private static Map<Long, Long> localComponents;
  private static JavaSparkContext sc;
  private static Graph<Double, Double> graph;

  @BeforeAll
  static void runLocallyThenStartTheCluster() throws Exception {
    try (JavaSparkContext local = new JavaSparkContext(conf("local[2]"))) {
      Graph<Double, Double> input = graph(local);
      localDistances = collect(Sssp.run(input, SOURCE));
      localRanks = collect(PageRank.run(input, 5));
      localComponents = collect(ConnectedComponents.run(input));
    }
    Product.sparkHome();
    URL classes = ClusterTest.class.getProtectionDomain().getCodeSource().getLocation();
    Path tests = Jars.ofDirectory(Path.of(classes.toURI()), scratch.resolve("tests.jar"));
    Path jna = Path.of(Native.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    sc =
        new JavaSparkContext(
            conf("local-cluster[2,1,512]")
                .set("spark.executor.memory", "512m")
                .set("spark.locality.wait", "300ms")
                .set("spark.worker.resource.gpu.amount", "1")
                .set("spark.worker.resource.gpu.discoveryScript", gpus("3").toString())
                .set("spark.executor.resource.gpu.amount", "1")
                .set("spark.jars", Product.libraryJar() + "," + tests + "," + jna));
    graph = graph(sc);
  }

  /** A script that says that a worker has a GPU. */
  private static Path gpus(String address) throws IOException {
    Path script = scratch.resolve("gpus.sh");
    Files.writeString(
        script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"" + address + "\"]}'\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
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
        .setAppName("cluster test")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.gpugraph.fallback", "never");
  }

  /** Ids with gaps, so that they are not dense already. */
  private static long id(int vertex) {
    return vertex * 31L - 500;
  }

  private static Graph<Double, Double> graph(JavaSparkContext context) {
    Random random = new Random(SEED);
    List<Edge<Double>> edges = new ArrayList<>();
    for (int e = 0; e < EDGES; e++) {
      // Squared: few vertices have many edges. Above 650 nothing is connected with the rest.
      int source = (int) (650 * Math.pow(random.nextDouble(), 2));
      edges.add(new Edge<>(id(source), id(random.nextInt(650)), (double) random.nextInt(20)));
    }
    for (int v = 650; v < VERTICES - 1; v += 2) {
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

  private static void assertSameRanks(Map<Long, Double> ranks) {
    assertThat(ranks.keySet()).isEqualTo(localRanks.keySet());
    ranks.forEach(
        (id, rank) ->
            assertThat(rank)
                .as("rank of %d", id)
                .isCloseTo(
                    localRanks.get(id), org.assertj.core.data.Percentage.withPercentage(1e-8)));
  }

  @Test
  @Order(1)
  void thereAreTwoExecutorJvms() {
    Set<Long> processes =
        new HashSet<>(
            sc.parallelize(List.of(1, 2, 3, 4), 4)
                .map(
                    i -> {
                      Thread.sleep(400);
                      return ProcessHandle.current().pid();
                    })
                .collect());
    assertThat(processes).hasSize(2).doesNotContain(ProcessHandle.current().pid());
  }

  @Test
  @Order(2)
  void shortestPathsEqualTheLocalOnes() {
    assertThat(collect(Sssp.run(graph, SOURCE))).isEqualTo(localDistances);
  }

  @Test
  @Order(3)
  void componentsEqualTheLocalOnesAndStockGraphX() {
    Map<Long, Long> components = collect(ConnectedComponents.run(graph));
    assertThat(components).isEqualTo(localComponents);
    Map<Long, Object> stock =
        collect(org.apache.spark.graphx.lib.ConnectedComponents.run(graph, DOUBLES, DOUBLES));
    assertThat(components).isEqualTo(stock);
    assertThat(new HashSet<>(components.values())).hasSizeGreaterThan(20);
  }

  @Test
  @Order(4)
  void ranksEqualTheLocalOnesAndKeepTheEdges() {
    Graph<Double, Double> ranked = PageRank.run(graph, 5);
    assertSameRanks(collect(ranked));
    assertThat(ranked.edges().count()).isEqualTo(graph.edges().count());
  }

  @Test
  @Order(5)
  void residentGraphServesManyRunsAndFreesItsMemory() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      assertThat(resident.edgeCount()).isEqualTo(graph.edges().count());
      assertThat(resident.containsVertex(SOURCE)).isTrue();
      assertThat(resident.containsVertex(SOURCE + 1)).isFalse();
      try (VertexResult<Double> distances = Sssp.run(resident, SOURCE, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).isEqualTo(localDistances);
      }
      try (VertexResult<Double> ranks = PageRank.run(resident, 5, 0.15, RunOptions.DEFAULT)) {
        assertSameRanks(ranks.collectAsMap());
      }
    }
  }

  @Test
  @Order(6)
  void valuesAndLaterLoadsComeToTheExecutorThatHoldsTheGraph() {
    List<Long> ids = List.copyOf(localComponents.keySet());
    JavaPairRDD<Long, Double> doubled =
        sc.parallelize(ids, 4).mapToPair(id -> new Tuple2<>(id, 2.0 * id)).cache();
    assertThat(doubled.count()).isEqualTo(ids.size());
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      String owner = resident.state().handle().location();
      // The first program that reads edge values.
      Sssp.run(resident, SOURCE, RunOptions.DEFAULT).close();
      assertThat(resident.state().handle().location()).isEqualTo(owner);
      assertThat(resident.state().handle().hasEdgeValues()).isTrue();
      // The values are cached on both executors.
      try (ResidentGraph<Double, Double> replaced =
              resident.withVertices(doubled, Double.class, 0.0);
          VertexResult<Double> same =
              GpuPregel.on(replaced)
                  .initialMessage(0.0)
                  .maxIterations(1)
                  .vertexProgram((id, value, message) -> value + message)
                  .sendMessage(edge -> {})
                  .mergeMessage(Double::sum)
                  .runVertices()) {
        same.collectAsMap().forEach((id, value) -> assertThat(value).isEqualTo(2.0 * id));
      }
    } finally {
      doubled.unpersist();
    }
  }

  @Test
  @Order(7)
  void programsRunOnTheGpuThatSparkGivesTheirTaskAlone() {
    assumeTrue(
        EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graph, Double.class, Double.class, emulated);
        VertexResult<Double> distances = Sssp.run(resident, SOURCE, emulated)) {
      assertThat(distances.report().engine()).isEqualTo("emulated");
      assertThat(distances.report().reason()).isEqualTo("emulated GPU 3, given by Spark");
      assertThat(distances.collectAsMap()).isEqualTo(localDistances);
    }
    // Plain tasks get none, so that all cores of an executor can have one.
    assertThat(sc.parallelize(List.of(1), 1).map(i -> gpusOfTheTask()).first()).isZero();
  }

  private static int gpusOfTheTask() {
    return TaskContext.get().resourcesJMap().size();
  }

  @Test
  @Order(8)
  void autoSaysWhyItDoesNotTakeAGpuThatIsNotThere() {
    RunOptions auto = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
    RunOptions cuda = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      // The executors have neither JCuda's jar nor, most likely, GPU 3.
      try (VertexResult<Double> distances = Sssp.run(resident, SOURCE, auto)) {
        assertThat(distances.report().engine()).isEqualTo("cpu");
        assertThat(distances.report().reason()).startsWith("no usable GPU: JCuda is not on");
        assertThat(distances.collectAsMap()).isEqualTo(localDistances);
      }
      assertThatThrownBy(() -> Sssp.run(resident, SOURCE, cuda))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("docs/usage.md");
    }
    assertThatThrownBy(() -> GpuPregel.load(graph, Double.class, Double.class, cuda))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("docs/usage.md");
  }

  @Test
  @Order(9)
  void anOwnerThatIsBusyIsWaitedFor() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      // One task keeps each executor busy, far longer than spark.locality.wait; the owner's is the
      // longer one, so that the run's task is offered the other executor first.
      String owner = resident.state().handle().location();
      JavaFutureAction<List<Integer>> busy =
          sc.parallelize(List.of(1, 2), 2)
              .map(
                  i -> {
                    String here = SparkEnv.get().executorId();
                    Thread.sleep(owner.endsWith("_" + here) ? 4000 : 300);
                    return i;
                  })
              .collectAsync();
      Thread.sleep(200);
      try (VertexResult<Double> distances = Sssp.run(resident, SOURCE, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).isEqualTo(localDistances);
      }
      assertThat(busy.get(30, TimeUnit.SECONDS)).hasSize(2);
    }
  }

  @Test
  @Order(10)
  void aGraphThatIsLostWithItsExecutorIsLoadedAgain() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      Sssp.run(resident, SOURCE, RunOptions.DEFAULT).close();
      String owner = resident.state().handle().location();
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
      try (VertexResult<Double> distances = Sssp.run(resident, SOURCE, RunOptions.DEFAULT)) {
        assertThat(distances.collectAsMap()).isEqualTo(localDistances);
      }
      assertThat(resident.state().handle().location()).isNotEqualTo(owner);
    }
    // The cluster goes on with a new executor.
    assertThat(collect(Sssp.run(graph, SOURCE))).isEqualTo(localDistances);
  }
}
