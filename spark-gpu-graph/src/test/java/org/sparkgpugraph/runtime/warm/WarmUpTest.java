package org.sparkgpugraph.runtime.warm;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.rows.BitmapVertexIds;
import org.sparkgpugraph.graphs.rows.IdentityVertexIds;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.FakeDevices;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.rapids.Rapids;

/** What an executor does before its first run, on GPUs that are none. */
class WarmUpTest {
  private final FakeDevices gpus = FakeDevices.of(3);
  private final Engines before =
      ExecutorRegistry.replaceEngines(
          new Engines(gpus, FakeDevices.none("not asked for"), () -> true));

  @AfterEach
  void restore() {
    ExecutorRegistry.replaceEngines(before).close();
  }

  private static SparkConf conf(String... settings) {
    SparkConf conf = new SparkConf(false);
    for (String setting : settings) {
      String[] parts = setting.split("=");
      conf.set(GpuGraphConf.PREFIX + parts[0], parts[1]);
    }
    return conf;
  }

  private static void warmUp(SparkConf conf, String... addresses) throws InterruptedException {
    try (WarmUp warmUp = WarmUp.start(conf, List.of(addresses))) {
      warmUp.await();
    }
  }

  private List<Integer> opened() {
    return List.of(gpus.device(0).opened(), gpus.device(1).opened(), gpus.device(2).opened());
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "cuda"})
  void theGpuThatRunsWillTakeIsOpen(String engine) throws Exception {
    warmUp(conf("engine=" + engine));
    assertThat(opened()).containsExactly(1, 0, 0);
    // The run finds it open, and nobody uses it meanwhile.
    ExecutorRegistry.engines().close();
    assertThat(gpus.device(0).closed()).isEqualTo(1);
  }

  @Test
  void allThatSparkGaveTheExecutorAreOpen() throws Exception {
    warmUp(conf(), "2", "1");
    assertThat(opened()).containsExactly(0, 1, 1);
  }

  @Test
  void asManyAsAGraphWillHavePartitionsAreOpen() throws Exception {
    warmUp(conf("partitions=2"));
    assertThat(opened()).containsExactly(1, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"warmUp=false", "engine=cpu", "engine=graphx", "engine=emulated", "engine=x"})
  void whereNoRunWantsAGpuNobodyLooksForOne(String setting) throws Exception {
    warmUp(conf(setting));
    assertThat(gpus.searches()).isZero();
  }

  /** A GPU that is open before RAPIDS is there would not be in its pool. */
  @Test
  void besideRapidsNobodyLooksForAGpu() throws Exception {
    warmUp(conf().set("spark.plugins", "org.sparkgpugraph.GpuGraphPlugin," + Rapids.PLUGIN));
    assertThat(gpus.searches()).isZero();
    warmUp(conf().set("spark.plugins", "org.sparkgpugraph.GpuGraphPlugin"));
    assertThat(opened()).containsExactly(1, 0, 0);
  }

  @Test
  void aGpuThatCannotBeOpenedIsLeftToTheRun() throws Exception {
    gpus.device(0).failToOpen(new DeviceException("context", "CUDA_ERROR_OUT_OF_MEMORY", ""));
    gpus.device(1).failToOpen(new DeviceException("context", "CUDA_ERROR_OUT_OF_MEMORY", ""));
    gpus.device(2).failToOpen(new DeviceException("context", "CUDA_ERROR_OUT_OF_MEMORY", ""));
    warmUp(conf());
    assertThat(opened()).containsExactly(0, 0, 0);
  }

  /** Whoever starts it hears of no failure, so it is called here. */
  @Test
  void samplesRunAndLeaveNothingBehind() {
    MetricRegistry metrics = new MetricRegistry();
    RunMetrics.executor().register(metrics, "");
    Object runs = metrics.getGauges().get("runsStarted").getValue();
    int held = ExecutorRegistry.size();
    List<RunSummary> summaries = SampleRuns.run(GpuGraphConf.of(conf(), Map.of()), true, 2);
    assertThat(summaries)
        .extracting(RunSummary::stopped)
        .containsExactly(RunSummary.Stopped.MAX_ITERATIONS, RunSummary.Stopped.CONVERGED);
    assertThat(summaries.get(0).supersteps()).hasSize(SampleRuns.SUPERSTEPS + 1);
    assertThat(summaries.get(1).supersteps()).hasSizeGreaterThan(3);
    assertThat(metrics.getGauges().get("runsStarted").getValue()).isEqualTo(runs);
    assertThat(ExecutorRegistry.size()).isEqualTo(held);
    assertThat(gpus.searches()).isZero();
  }

  /** Each kind of mapping has code of its own, which the JVM compiles for what it has seen. */
  @Test
  void sampleGraphsHaveBothKindsOfIdsThatLieClose() {
    ExecutorGraph gapless = SampleGraph.load(false, 2).graph();
    ExecutorGraph holes = SampleGraph.load(true, 2).graph();
    assertThat(gapless.ids()).isInstanceOf(IdentityVertexIds.class);
    assertThat(holes.ids()).isInstanceOf(BitmapVertexIds.class);
    assertThat(holes.ids().size()).isEqualTo(gapless.ids().size());
    assertThat(holes.ids().original(3)).isEqualTo(6);
  }
}
