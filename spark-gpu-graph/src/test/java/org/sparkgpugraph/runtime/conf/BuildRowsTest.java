package org.sparkgpugraph.runtime.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.DeviceJobTest;
import org.sparkgpugraph.runtime.FakeDevices;
import org.sparkgpugraph.runtime.device.EmulatedFinder;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.SharedSpark;

/** Jobs whose rows are made where {@code spark.gpugraph.gpu.buildRows} says. */
@ExtendWith(SharedSpark.class)
class BuildRowsTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final RunOptions EMULATED = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);

  private final JavaSparkContext sc;
  private final Graph<Double, Double> graph;
  private Engines before;

  BuildRowsTest(JavaSparkContext sc) {
    this.sc = sc;
    graph = DeviceJobTest.graph(sc);
  }

  @BeforeEach
  void replaceEngines() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated GPU needs g++");
    before = ExecutorRegistry.replaceEngines(new Engines(FakeDevices.of(0), new EmulatedFinder()));
  }

  @AfterEach
  void restoreEngines() {
    PhaseTimes.stop();
    if (before != null) {
      ExecutorRegistry.replaceEngines(before).close();
    }
    sc.setLocalProperty("spark.gpugraph.gpu.buildRows", null);
  }

  private static long made(List<PhaseTimes.Phase> phases, String by) {
    return phases.stream()
        .filter(p -> p.name().startsWith("rows on the " + by + ": "))
        .mapToInt(PhaseTimes.Phase::times)
        .sum();
  }

  @Test
  void rowsOfTheDeviceGiveWhatThoseOfTheHostGive() {
    try (ResidentGraph<Double, Double> host =
        GpuPregel.load(graph, Double.class, Double.class, EMULATED)) {
      sc.setLocalProperty("spark.gpugraph.gpu.buildRows", "device");
      PhaseTimes.start();
      try (ResidentGraph<Double, Double> g =
          GpuPregel.load(graph, Double.class, Double.class, EMULATED)) {
        long source = DeviceJobTest.id(3);
        int all = Integer.MAX_VALUE;
        // The weights are loaded with the edges: those that come later the host puts in order.
        DeviceJobTest.assertSame(
            "emulated", Sssp.run(g, source, EMULATED), Sssp.run(host, source, EMULATED));
        try (VertexResult<Double> ranks = PageRank.run(g, 5, 0.15, EMULATED);
            VertexResult<Double> others = PageRank.run(host, 5, 0.15, EMULATED)) {
          // The order of every sum is the same.
          assertThat(ranks.collectAsMap()).isEqualTo(others.collectAsMap());
        }
        DeviceJobTest.assertSame(
            "emulated",
            Bfs.run(g.reversed(), source, EMULATED),
            Bfs.run(host.reversed(), source, EMULATED));
        DeviceJobTest.assertSame(
            "emulated",
            ConnectedComponents.run(g, all, EMULATED),
            ConnectedComponents.run(host, all, EMULATED));
        List<PhaseTimes.Phase> phases = PhaseTimes.stop();
        assertThat(made(phases, "device")).isPositive();
        assertThat(made(phases, "host")).isZero();
        // The host needs its own for the CPU, and for a graph that is masked.
        PhaseTimes.start();
        DeviceJobTest.assertSame("cpu", Sssp.run(g, source, CPU), Sssp.run(host, source, CPU));
        assertThat(made(PhaseTimes.stop(), "host")).isPositive();
      }
    }
  }

  @Test
  void edgeValuesThatComeLaterFitRowsOfTheDevice() {
    sc.setLocalProperty("spark.gpugraph.gpu.buildRows", "device");
    long source = DeviceJobTest.id(3);
    try (ResidentGraph<Double, Double> g =
        GpuPregel.load(graph, Double.class, Double.class, EMULATED)) {
      DeviceJobTest.assertSame(
          "emulated", Bfs.run(g, source, EMULATED), Bfs.run(g, source, EMULATED));
      Graph<Double, Double> distances = Sssp.run(graph, source);
      assertThat(Sssp.run(g, source, EMULATED).collectAsMap())
          .isEqualTo(
              distances.vertices().toJavaRDD().collect().stream()
                  .collect(Collectors.toMap(t -> (Long) t._1(), t -> (Double) t._2())));
    }
  }
}
