package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.runtime.DeviceJobTest.id;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.conf.ConfigEntry;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple4;

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

  /**
   * SVD++ as the CPU engine gives it: narrow, the widest that the JVM compiles, and the widest of
   * all, whose 132 columns may take a GPU beyond its registers.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 20, SVDPlusPlus.MAX_RANK})
  void ratingsAreFactorisedAsOnTheCpu(int rank) {
    SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(rank, 3, 0.0, 5.0, 0.007, 0.007, 0.005, 0.015);
    Random random = new Random(rank);
    List<Edge<Double>> ratings = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      // Squared: few items have many ratings.
      long item = 1 + 2 * (long) (300 * Math.pow(random.nextDouble(), 2));
      ratings.add(new Edge<>(2L * random.nextInt(200), item, (double) random.nextInt(6)));
    }
    for (int partitions : new int[] {1, 3}) {
      RunOptions cut = RunOptions.DEFAULT.withPartitions(partitions);
      var expected = SVDPlusPlus.run(sc.parallelize(ratings, 2).rdd(), conf, 5, on(CPU, cut));
      var actual = SVDPlusPlus.run(sc.parallelize(ratings, 2).rdd(), conf, 5, on(CUDA, cut));
      assertThat(actual._2()).isCloseTo(expected._2(), within(1e-12));
      Map<Long, Tuple4<double[], double[], Double, Double>> wanted =
          Compare.vertices(expected._1());
      Map<Long, Tuple4<double[], double[], Double, Double>> got = Compare.vertices(actual._1());
      assertThat(got.keySet()).isEqualTo(wanted.keySet());
      wanted.forEach(
          (id, vertex) -> {
            assertThat(got.get(id)._1()).containsExactly(vertex._1(), within(1e-9));
            assertThat(got.get(id)._2()).containsExactly(vertex._2(), within(1e-9));
            assertThat(got.get(id)._3()).isCloseTo(vertex._3(), within(1e-9));
            assertThat(got.get(id)._4()).isCloseTo(vertex._4(), within(1e-7));
          });
    }
  }

  private static RunOptions on(RunOptions engine, RunOptions cut) {
    return cut.withEngine(engine.engine());
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
