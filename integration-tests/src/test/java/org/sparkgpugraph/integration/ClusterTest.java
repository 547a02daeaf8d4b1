package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;

/**
 * The library on two executor JVMs of one core each, against the same runs in one JVM and stock
 * GraphX. The last test kills an executor.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest {
  private static Map<Programs, Map<Long, Object>> expected;
  private static Cluster cluster;
  private static JavaSparkContext sc;
  private static Graph<Double, Double> graph;
  private static long edgesBeforeExecutors;

  @BeforeAll
  static void runLocallyThenStartTheCluster(@TempDir Path scratch) {
    expected = Expected.values();
    cluster = Cluster.of(2).gpus("3").startWithoutWaiting(scratch);
    sc = cluster.context();
    graph = Programs.graph(sc);
    edgesBeforeExecutors = loadBeforeThereAreExecutors();
    cluster.awaitExecutors();
  }

  private static long loadBeforeThereAreExecutors() {
    String wait = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    // That is for those who say how many they want.
    sc.sc().conf().set(wait, "1ms");
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      return resident.edgeCount();
    } finally {
      sc.sc().conf().remove(wait);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void assertDistances(VertexResult<Double> distances) {
    assertThat(new HashMap<Long, Object>(distances.collectAsMap()))
        .isEqualTo(expected.get(Programs.PATHS));
  }

  @Test
  @Order(1)
  void aLoadWaitsForTheFirstExecutorAsAnyJobOfSparkDoes() {
    assertThat(edgesBeforeExecutors).isEqualTo(graph.edges().count());
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

  @ParameterizedTest
  @EnumSource(names = {"PATHS", "COMPONENTS", "RANKS"})
  @Order(2)
  void valuesEqualTheLocalOnes(Programs program) {
    program.assertSame(
        "a cluster", program.values(graph, RunOptions.DEFAULT), expected.get(program));
  }

  @Tag("any-spark")
  @Test
  @Order(4)
  void ranksKeepTheEdges() {
    Graph<Double, Double> ranked = PageRank.run(graph, 1);
    assertThat(ranked.edges().count()).isEqualTo(graph.edges().count());
    ranked.unpersist(true);
  }

  @Tag("any-spark")
  @Test
  @Order(5)
  void residentGraphServesManyRunsAndFreesItsMemory() {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      assertThat(resident.edgeCount()).isEqualTo(graph.edges().count());
      assertThat(resident.containsVertex(Programs.SOURCE)).isTrue();
      assertThat(resident.containsVertex(Programs.SOURCE + 1)).isFalse();
      for (Programs program : List.of(Programs.PATHS, Programs.RANKS)) {
        program.assertSame(
            "a resident graph",
            program.values(resident, RunOptions.DEFAULT),
            expected.get(program));
      }
    }
    cluster.awaitNothingHeld();
  }

  @Test
  @Order(6)
  void valuesAndLaterLoadsComeToTheExecutorThatHoldsTheGraph() {
    List<Long> ids = List.copyOf(expected.get(Programs.PATHS).keySet());
    JavaPairRDD<Long, Double> doubled =
        sc.parallelize(ids, 4).mapToPair(id -> new Tuple2<>(id, 2.0 * id)).cache();
    assertThat(doubled.count()).isEqualTo(ids.size());
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      String owner = Internals.state(resident).handle().locations().get(0);
      // The first program that reads edge values.
      Sssp.run(resident, Programs.SOURCE, RunOptions.DEFAULT).close();
      assertThat(Internals.state(resident).handle().locations().get(0)).isEqualTo(owner);
      assertThat(Internals.state(resident).handle().loaded().edgeValues()).isTrue();
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
    Cluster.assumeUsable(EngineChoice.EMULATED);
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Double, Double> resident =
            GpuPregel.load(graph, Double.class, Double.class, emulated);
        VertexResult<Double> distances = Sssp.run(resident, Programs.SOURCE, emulated)) {
      assertThat(distances.report().engine()).isEqualTo("emulated");
      assertThat(distances.report().reason()).isEqualTo("emulated GPU 3, given by Spark");
      assertDistances(distances);
    }
    // Plain tasks get none, so that all cores of an executor can have one.
    assertThat(sc.parallelize(List.of(1), 1).map(i -> gpusOfTheTask()).first()).isZero();
  }

  private static int gpusOfTheTask() {
    return TaskContext.get().resourcesJMap().size();
  }

  @Tag("any-spark")
  @Test
  @Order(8)
  void autoSaysWhyItDoesNotTakeAGpuThatIsNotThere() {
    RunOptions auto = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
    RunOptions cuda = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      // The executors have neither JCuda's jar nor, most likely, GPU 3.
      try (VertexResult<Double> distances = Sssp.run(resident, Programs.SOURCE, auto)) {
        assertThat(distances.report().engine()).isEqualTo("cpu");
        assertThat(distances.report().reason()).startsWith("no usable GPU: JCuda is not on");
        assertDistances(distances);
      }
      assertThatThrownBy(() -> Sssp.run(resident, Programs.SOURCE, cuda))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("docs/usage.md");
    }
    assertThatThrownBy(() -> GpuPregel.load(graph, Double.class, Double.class, cuda))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("docs/usage.md");
  }

  @Tag("any-spark")
  @Test
  @Order(9)
  void anOwnerThatIsBusyIsWaitedFor() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      // One task keeps each executor busy, far longer than spark.locality.wait; the owner's is the
      // longer one, so that the run's task is offered the other executor first.
      String owner = Internals.state(resident).handle().locations().get(0);
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
      try (VertexResult<Double> distances =
          Sssp.run(resident, Programs.SOURCE, RunOptions.DEFAULT)) {
        assertDistances(distances);
      }
      assertThat(busy.get(30, TimeUnit.SECONDS)).hasSize(2);
    }
  }

  @Test
  @Order(10)
  void aGraphThatIsLostWithItsExecutorIsLoadedAgain() throws Exception {
    try (ResidentGraph<Double, Double> resident =
        GpuPregel.load(graph, Double.class, Double.class)) {
      Sssp.run(resident, Programs.SOURCE, RunOptions.DEFAULT).close();
      String owner = Internals.state(resident).handle().locations().get(0);
      Graph<Long, Double> components = ConnectedComponents.run(graph);
      String before = vertices(components);
      components.unpersist(true);
      cluster.kill(owner);
      assertThat(vertices(components))
          .as("a result that was unpersisted, of which an executor had blocks")
          .isEqualTo(before);
      try (VertexResult<Double> distances =
          Sssp.run(resident, Programs.SOURCE, RunOptions.DEFAULT)) {
        assertDistances(distances);
      }
      assertThat(Internals.state(resident).handle().locations().get(0)).isNotEqualTo(owner);
    }
    // The cluster goes on with a new executor.
    Programs.PATHS.assertSame(
        "a new executor",
        Programs.PATHS.values(graph, RunOptions.DEFAULT),
        expected.get(Programs.PATHS));
  }

  private static String vertices(Graph<?, ?> graph) {
    return new TreeSet<>(graph.vertices().toJavaRDD().map(Object::toString).collect()).toString();
  }
}
