package io.sparkgpugraph.spark;

import static io.sparkgpugraph.spark.DeviceJobTest.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.RunReport;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.lib.Bfs;
import io.sparkgpugraph.lib.ConnectedComponents;
import io.sparkgpugraph.lib.PageRank;
import io.sparkgpugraph.lib.Sssp;
import io.sparkgpugraph.testing.SharedSpark;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on a GPU through Spark. */
@Tag("gpu")
@ExtendWith(SharedSpark.class)
class CudaJobTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final RunOptions CUDA = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);

  private final JavaSparkContext sc;
  private final Graph<Double, Double> graph;

  CudaJobTest(JavaSparkContext sc) {
    this.sc = sc;
    this.graph = DeviceJobTest.graph(sc);
  }

  @AfterEach
  void unset() {
    for (ConfigEntry<?> entry : GpuGraphConf.entries()) {
      sc.setLocalProperty(entry.key(), null);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void algorithmsAgreeWithTheCpu(int partitions) {
    RunOptions cut = RunOptions.DEFAULT.withPartitions(partitions);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class, cut)) {
      try (VertexResult<Double> cuda = PageRank.run(g, 5, 0.15, CUDA);
          VertexResult<Double> cpu = PageRank.run(g, 5, 0.15, CPU)) {
        RunReport report = cuda.report();
        assertThat(report.engine()).isEqualTo("cuda");
        assertThat(report.reason()).startsWith("GPU ");
        assertThat(report.kernelSeconds()).isPositive();
        assertThat(report.transferSeconds()).isPositive();
        DeviceJobTest.assertClose(cuda, cpu);
      }
      int all = Integer.MAX_VALUE;
      same(ConnectedComponents.run(g, all, CUDA), ConnectedComponents.run(g, all, CPU));
      same(Sssp.run(g, id(3), CUDA), Sssp.run(g, id(3), CPU));
      same(Bfs.run(g, id(3), CUDA), Bfs.run(g, id(3), CPU));
      same(Bfs.run(g.reversed(), id(3), CUDA), Bfs.run(g.reversed(), id(3), CPU));
    }
  }

  private static <T> void same(VertexResult<T> actual, VertexResult<T> expected) {
    DeviceJobTest.assertSame("cuda", actual, expected);
  }

  @Test
  void severalGpusOfOneExecutorAgreeWithTheCpu() {
    int gpus = CudaDevices.search(CudaSettings.defaults()).gpus().size();
    assumeTrue(gpus >= 2, () -> "skipped: two GPUs are needed, found " + gpus);
    RunOptions cut = RunOptions.DEFAULT.withPartitions(gpus + 1);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class, cut)) {
      try (VertexResult<Double> cuda = PageRank.run(g, 5, 0.15, CUDA);
          VertexResult<Double> cpu = PageRank.run(g, 5, 0.15, CPU)) {
        assertThat(cuda.report().reason())
            .contains("GPU 0 (", ", GPU 1 (")
            .endsWith(" for " + (gpus + 1) + " partitions");
        assertThat(cuda.report().hubSeconds()).isPositive();
        DeviceJobTest.assertClose(cuda, cpu);
      }
      same(Sssp.run(g, id(3), CUDA), Sssp.run(g, id(3), CPU));
      same(Bfs.run(g.reversed(), id(3), CUDA), Bfs.run(g.reversed(), id(3), CPU));
    }
  }

  @Test
  void autoTakesTheGpuAndGoesToTheCpuWhenMemoryIsShort() {
    RunOptions auto = RunOptions.DEFAULT.withEngine(EngineChoice.AUTO);
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      same(Bfs.run(g, id(3), auto), Bfs.run(g, id(3), CPU));
      // More than any GPU has: nothing is left for the run.
      sc.setLocalProperty("spark.gpugraph.gpu.memoryReserve", "1000g");
      try (VertexResult<Integer> levels = Bfs.run(g, id(3), auto)) {
        assertThat(levels.report().engine()).isEqualTo("cpu");
        assertThat(levels.report().reason()).contains("spark.gpugraph.gpu.memoryReserve");
      }
      assertThatThrownBy(() -> Bfs.run(g, id(3), CUDA))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("spark.gpugraph.gpu.memoryReserve");
      sc.setLocalProperty("spark.gpugraph.gpu.memoryReserve", null);
      same(Bfs.run(g, id(3), CUDA), Bfs.run(g, id(3), CPU));
    }
  }

  @Test
  void explainNamesTheGpuAndItsMemory() {
    try (ResidentGraph<Double, Double> g = GpuPregel.load(graph, Double.class, Double.class)) {
      assertThat(Bfs.explain(g, id(3), Integer.MAX_VALUE, CUDA))
          .containsPattern("engine: cuda \\(the configuration asks for cuda; GPU [0-9]+ \\(.*\\)")
          .containsPattern("memory: .* free");
    }
  }
}
