package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/** A graph spread over all executors of a cluster gives what one executor gives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpreadGraphSuite {
  private final int executors;
  private Map<Programs, Map<Long, Object>> expected;
  private Cluster cluster;
  private Graph<Double, Double> graph;
  private ResidentGraph<Double, Double> resident;

  SpreadGraphSuite(int executors) {
    this.executors = executors;
  }

  /** More about the cluster. */
  abstract Cluster.Options options(Cluster.Options some);

  @BeforeAll
  void start(@TempDir Path scratch) {
    expected = Expected.values();
    cluster =
        options(Cluster.of(executors))
            .set("spark.gpugraph.executors", String.valueOf(executors))
            .start(scratch);
    graph = Programs.graph(cluster.context());
    resident = GpuPregel.load(graph, Double.class, Double.class);
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      try {
        resident.close();
        cluster.awaitNothingHeld();
        assertThat(cluster.temporaryFiles()).isEmpty();
      } finally {
        cluster.close();
      }
    }
  }

  JavaSparkContext context() {
    return cluster.context();
  }

  /** The graph again, held as options say. */
  ResidentGraph<Double, Double> load(RunOptions options) {
    return GpuPregel.load(graph, Double.class, Double.class, options);
  }

  @Test
  void everyExecutorHoldsAPart() {
    List<String> locations = Internals.state(resident).handle().locations();
    assertThat(locations).hasSize(executors).doesNotHaveDuplicates();
    assertThat(locations.stream().map(Cluster::idOf))
        .containsExactlyInAnyOrderElementsOf(cluster.executors().keySet());
    assertThat(resident.edgeCount()).isEqualTo(graph.edges().count());
    assertThat(resident.vertexCount()).isEqualTo(graph.vertices().count());
    assertThat(new HashSet<>(Remote.held(context()).values())).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void coresGiveWhatOneExecutorGives(Programs program) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    program.assertSame(
        executors + " executors", program.values(resident, options), expected.get(program));
  }

  @ParameterizedTest
  @EnumSource(names = {"RANKS", "PATHS"})
  void aGraphXGraphIsGivenBack(Programs program) {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    program.assertSame(
        executors + " executors", program.values(graph, options), expected.get(program));
  }

  /**
   * All programs on emulated devices.
   *
   * @param devices names of the devices of each executor
   */
  void assertEmulated(List<String> devices) {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Double, Double> onDevices = load(options)) {
      for (Programs program : Programs.values()) {
        try (VertexResult<?> result = program.on(onDevices, options)) {
          assertThat(result.report().engine()).isEqualTo("emulated");
          assertThat(result.report().reason()).contains(String.join(", ", devices));
          program.assertSame(
              executors + " executors with " + devices,
              new HashMap<>(result.collectAsMap()),
              expected.get(program));
        }
      }
    }
  }
}
