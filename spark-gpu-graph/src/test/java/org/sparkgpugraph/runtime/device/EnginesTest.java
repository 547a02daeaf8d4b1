package org.sparkgpugraph.runtime.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.FakeDevices;
import org.sparkgpugraph.runtime.cluster.GpuProfile;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/** The choice of an engine, on devices that are none. */
class EnginesTest {
  private static final DeviceConf CONF =
      DeviceConf.of(GpuGraphConf.of(new SparkConf(false), Map.of()));
  private static final FakeDevices NOTHING = FakeDevices.none("nothing was found");

  private final FakeDevices gpus = FakeDevices.of(2);
  private final Engines engines = new Engines(gpus, NOTHING, () -> false);

  @Test
  void autoTakesTheGpuAndSaysWhich() {
    try (Selection selection = engines.select(EngineChoice.AUTO, CONF, List.of(), 1)) {
      assertThat(selection.engine()).isSameAs(gpus.device(0));
      assertThat(selection.reason())
          .isEqualTo("GPU 0 (fake), the first of 2: Spark gave the task none");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no NVIDIA driver: libcuda.so.1 is not there",
        "the driver shows no GPU",
        "GPU 0 (Tesla K80) has compute capability 3.7, at least 7.0 is needed"
      })
  void withoutAUsableGpuAutoTakesTheCpuAndCudaFailsWithTheSameReason(String reason) {
    Engines none = new Engines(FakeDevices.none(reason), NOTHING);
    try (Selection selection = none.select(EngineChoice.AUTO, CONF, List.of(), 1)) {
      assertThat(selection.engine().name()).isEqualTo("cpu");
      assertThat(selection.device()).isNull();
      assertThat(selection.reason()).isEqualTo("no usable GPU: " + reason);
    }
    assertThatThrownBy(() -> none.select(EngineChoice.CUDA, CONF, List.of(), 1))
        .isInstanceOf(DeviceUnavailableException.class)
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> none.check(EngineChoice.CUDA, CONF, List.of()))
        .hasMessageContaining(reason);
    none.check(EngineChoice.AUTO, CONF, List.of());
  }

  @Test
  void aDeviceThatCannotBeOpenedIsTriedAgain() {
    gpus.device(0).failToOpen(new DeviceException("context", "CUDA_ERROR_OUT_OF_MEMORY", ""));
    try (Selection selection = engines.select(EngineChoice.AUTO, CONF, List.of(), 1)) {
      assertThat(selection.engine().name()).isEqualTo("cpu");
      assertThat(selection.reason()).contains("CUDA_ERROR_OUT_OF_MEMORY");
    }
    assertThatThrownBy(() -> engines.select(EngineChoice.CUDA, CONF, List.of(), 1))
        .hasMessageContaining("CUDA_ERROR_OUT_OF_MEMORY");
    gpus.device(0).failToOpen(null);
    try (Selection selection = engines.select(EngineChoice.CUDA, CONF, List.of(), 1)) {
      assertThat(selection.engine()).isSameAs(gpus.device(0));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CPU", "EMULATED", "AUTO"})
  void theGpuIsNotTouchedUnlessItIsWanted(EngineChoice choice) {
    FakeDevices emulated = FakeDevices.of(1);
    Engines both = new Engines(gpus, emulated);
    both.select(choice, CONF, List.of(), 1).close();
    assertThat(gpus.searches()).isEqualTo(choice == EngineChoice.AUTO ? 1 : 0);
    assertThat(emulated.searches()).isEqualTo(choice == EngineChoice.EMULATED ? 1 : 0);
  }

  @Test
  void sparkDecidesWhichGpu() {
    assertThat(reason(List.of("1"))).isEqualTo("GPU 1 (fake), given by Spark");
    assertThat(reason(List.of("0", "1")))
        .isEqualTo("GPU 0 (fake), one of 2: the graph has one partition, given by Spark");
    assertThat(reason(List.of("1", "0"), 2))
        .isEqualTo("GPU 1 (fake), GPU 0 (fake), given by Spark");
    assertThat(gpus.device(1).together()).containsExactly(gpus.device(0));
    assertThat(reason(List.of("1", "0"), 5))
        .isEqualTo("GPU 1 (fake), GPU 0 (fake) for 5 partitions, given by Spark");
    assertThat(engines.deviceCount(EngineChoice.AUTO, CONF, List.of("1", "0"))).isEqualTo(2);
    assertThat(engines.deviceCount(EngineChoice.CUDA, CONF, List.of("1"))).isEqualTo(1);
    assertThat(engines.deviceCount(EngineChoice.CUDA, CONF, List.of())).isEqualTo(1);
    assertThat(engines.deviceCount(EngineChoice.CPU, CONF, List.of("1", "0"))).isEqualTo(1);
  }

  @Test
  void rowsWaitForWhoeverNeedsThem() {
    long many = 1L << 22;
    Engines none = new Engines(FakeDevices.none("no GPU"), NOTHING);
    for (boolean host : new boolean[] {false, true}) {
      RowsMade onHost = host ? RowsMade.LATER_ON_HOST : RowsMade.NOW;
      assertThat(none.rowsMade(EngineChoice.CPU, CONF, List.of(), many, host)).isEqualTo(onHost);
      assertThat(none.rowsMade(EngineChoice.AUTO, CONF, List.of(), many, host)).isEqualTo(onHost);
      assertThat(engines.rowsMade(EngineChoice.CPU, CONF, List.of("0"), many, host))
          .isEqualTo(onHost);
      // A GPU makes the rows of a large graph itself; those of a small one the host has sooner.
      assertThat(engines.rowsMade(EngineChoice.AUTO, CONF, List.of(), many, host))
          .isEqualTo(RowsMade.LATER);
      assertThat(engines.rowsMade(EngineChoice.AUTO, CONF, List.of(), 9, host))
          .isEqualTo(RowsMade.NOW);
      assertThat(engines.rowsMade(EngineChoice.CUDA, CONF, List.of("0"), 9, host))
          .isEqualTo(RowsMade.NOW);
    }
  }

  private String reason(List<String> addresses, int partitions) {
    try (Selection selection = engines.select(EngineChoice.AUTO, CONF, addresses, partitions)) {
      return selection.reason();
    }
  }

  @Test
  void whereSparkGivesNoneLocalModeTakesAllAndAnExecutorTheFirst() {
    FakeDevices three = FakeDevices.of(3);
    Engines executor = new Engines(three, NOTHING, () -> false);
    Engines local = new Engines(three, three, () -> true);
    try (Selection selection = executor.select(EngineChoice.AUTO, CONF, List.of(), 2)) {
      assertThat(selection.devices()).hasSize(1);
      assertThat(selection.reason())
          .isEqualTo("GPU 0 (fake), the first of 3: Spark gave the task none");
    }
    try (Selection selection = local.select(EngineChoice.CUDA, CONF, List.of(), 2)) {
      assertThat(selection.devices()).hasSize(2);
      assertThat(selection.reason()).isEqualTo("GPU 0 (fake), GPU 1 (fake)");
    }
    try (Selection selection = local.select(EngineChoice.CUDA, CONF, List.of(), 1)) {
      assertThat(selection.devices()).hasSize(1);
      assertThat(selection.reason())
          .isEqualTo("GPU 0 (fake), one of 3: the graph has one partition");
    }
    assertThat(three.device(2).opened()).isZero();
    Engines emulated = new Engines(NOTHING, three, () -> false);
    try (Selection selection = emulated.select(EngineChoice.EMULATED, CONF, List.of(), 9)) {
      assertThat(selection.devices()).hasSize(3);
    }
    emulated.close();
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      assertThat(three.device(ordinal).closed()).isEqualTo(1);
    }
  }

  /** Of several devices one that cannot be used is left out, and the reason says so. */
  @Test
  void oneOfSeveralDevicesThatCannotBeUsedIsLeftOut() {
    List<String> both = List.of("0", "1");
    gpus.device(0).failToOpen(new DeviceException("context", "CUDA_ERROR_OUT_OF_MEMORY", ""));
    assertThat(reason(both, 2))
        .startsWith("GPU 1 (fake) for 2 partitions")
        .contains("; GPU 0 (fake) is left out: ", "CUDA_ERROR_OUT_OF_MEMORY");
    assertThat(reason(both, 1)).startsWith("GPU 1 (fake), one of 2");
    gpus.device(0).failToOpen(null);
    DeviceLostException lost = new DeviceLostException("superstep 3", "CUDA_ERROR_ECC");
    lost.on(1);
    try (Selection selection = engines.select(EngineChoice.AUTO, CONF, both, 2)) {
      assertThat(engines.afterFailure(EngineChoice.AUTO, selection, lost).reason())
          .contains("CUDA_ERROR_ECC");
    }
    assertThat(reason(both, 2))
        .startsWith("GPU 0 (fake) for 2 partitions")
        .contains("; GPU 1 (fake) is left out: GPU 1 (fake) was lost", "CUDA_ERROR_ECC");
    engines.check(EngineChoice.CUDA, CONF, both);
    assertThatThrownBy(() -> engines.check(EngineChoice.CUDA, CONF, List.of("1")))
        .hasMessageContaining("CUDA_ERROR_ECC");
  }

  private String reason(List<String> addresses) {
    try (Selection selection = engines.select(EngineChoice.AUTO, CONF, addresses, 1)) {
      return selection.reason();
    }
  }

  @Test
  void aDeviceIsOpenedOnceAndClosedWhenItsLastUseEnds() {
    Selection first = engines.select(EngineChoice.AUTO, CONF, List.of(), 1);
    Selection second = engines.select(EngineChoice.AUTO, CONF, List.of(), 1);
    first.close();
    engines.close();
    assertThat(gpus.device(0).opened()).isEqualTo(1);
    assertThat(gpus.device(0).closed()).isZero();
    second.close();
    assertThat(gpus.device(0).closed()).isEqualTo(1);
    engines.close();
    assertThat(gpus.device(0).closed()).isEqualTo(1);
    engines.select(EngineChoice.AUTO, CONF, List.of(), 1).close();
    assertThat(gpus.device(0).opened()).isEqualTo(2);
  }

  private Selection afterFailure(EngineChoice choice, DeviceException failure) {
    try (Selection selection = engines.select(choice, CONF, List.of(), 1)) {
      return engines.afterFailure(choice, selection, failure);
    }
  }

  private void assertFallsBackOnlyUnderAuto(DeviceException failure, String... reason) {
    Selection selection = afterFailure(EngineChoice.AUTO, failure);
    assertThat(selection.engine().name()).isEqualTo("cpu");
    assertThat(selection.reason()).contains(reason).doesNotContain("\n");
    assertThatThrownBy(() -> afterFailure(EngineChoice.CUDA, failure)).isSameAs(failure);
    // The device itself is as good as before.
    assertThat(reason(List.of("0"))).isEqualTo("GPU 0 (fake), given by Spark");
  }

  @Test
  void outOfMemorySaysWhoHasTheMemory() {
    assertFallsBackOnlyUnderAuto(
        new DeviceOutOfMemoryException("GPU 0", "the graph", 1001, 700, "", "use grouping"),
        "the graph does not fit the GPU of 1000 bytes",
        "needs 1001",
        "700 bytes free");
    assertFallsBackOnlyUnderAuto(
        new DeviceOutOfMemoryException("GPU 0", "the graph", 1000, 700, "", ""),
        "this executor's other graphs and runs hold 300 bytes");
    assertFallsBackOnlyUnderAuto(
        new DeviceOutOfMemoryException("GPU 0", "the graph", 1000, 699, "", ""),
        "others hold the GPU's memory");
  }

  @Test
  void kernelsThatDoNotCompileShowTheCompilersFirstLine() {
    KernelSource source =
        new KernelSource("Rank.java:7", "int main", List.of(), List.of("send: Rank.java:7"));
    assertFallsBackOnlyUnderAuto(
        new KernelCompilationException("NVRTC 12.6", source, "\nline 1: error: no\nmore\n"),
        "the generated kernels do not compile: line 1: error: no");
  }

  @Test
  void withoutACompilerTheReasonSaysSo() {
    assertFallsBackOnlyUnderAuto(
        new CompilerUnavailableException("neither NVRTC nor nvcc was found"),
        "no compiler for the kernels: neither NVRTC nor nvcc");
  }

  @Test
  void aLostDeviceIsNotUsedAgainByThisProcess() {
    DeviceLostException lost = new DeviceLostException("superstep 3", "CUDA_ERROR_ILLEGAL_ADDRESS");
    assertThat(afterFailure(EngineChoice.AUTO, lost).reason())
        .contains("CUDA_ERROR_ILLEGAL_ADDRESS", "the executor must be restarted");
    assertThat(reason(List.of()))
        .startsWith("no usable GPU: GPU 0 (fake) was lost")
        .contains("the executor must be restarted");
    assertThatThrownBy(() -> engines.select(EngineChoice.CUDA, CONF, List.of(), 1))
        .isInstanceOf(DeviceUnavailableException.class)
        .hasMessageContaining("the executor must be restarted");
    assertThatThrownBy(() -> engines.check(EngineChoice.CUDA, CONF, List.of()))
        .hasMessageContaining("the executor must be restarted");
    // Another GPU of the executor still works.
    assertThat(reason(List.of("1"))).startsWith("GPU 1 (fake)");
  }

  @Test
  void aLostDeviceStaysLostAfterItsContextHasEnded() {
    DeviceLostException lost = new DeviceLostException("superstep 3", "CUDA_ERROR_ILLEGAL_ADDRESS");
    afterFailure(EngineChoice.AUTO, lost);
    engines.close();
    assertThat(reason(List.of())).contains("the executor must be restarted");
  }

  @Test
  void gpusAreAskedForWhereTheExecutorsHaveThemAndTasksDoNot() {
    String executor = "spark.executor.resource.gpu.amount";
    SparkConf conf = new SparkConf(false);
    assertThat(GpuProfile.toAskFor(false, conf)).isZero();
    conf.set(executor, "2");
    assertThat(GpuProfile.toAskFor(false, conf)).isEqualTo(2);
    assertThat(GpuProfile.toAskFor(true, conf)).isZero();
    assertThat(
            GpuProfile.toAskFor(false, conf.clone().set("spark.dynamicAllocation.enabled", "true")))
        .isZero();
    assertThat(GpuProfile.toAskFor(false, conf.clone().set("spark.task.resource.gpu.amount", "1")))
        .isZero();
  }
}
