package io.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The CUDA device without a GPU: JCuda and its native library as they are, over a driver that is
 * faked in C++. In JVMs of their own, since a process looks for its driver once.
 */
@Tag("any-spark")
class FakeDriverTest {
  @TempDir static Path libraries;
  @TempDir Path folder;

  private Path temporary;

  @BeforeAll
  static void compileTheDriver() throws Exception {
    FakeCuda.driver(libraries);
    FakeCuda.nvrtc(libraries);
  }

  @BeforeEach
  void makeATemporaryFolder() throws Exception {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private ChildJvm scenario(String name) {
    return ChildJvm.of(DeviceScenarios.class, name, folder.toString())
        .option("-Djava.io.tmpdir=" + temporary)
        .environment("LD_LIBRARY_PATH", libraries.toString())
        .environment("FAKE_NVRTC_LOG", folder.resolve("compiled").toString());
  }

  private List<String> compiled() throws Exception {
    return Files.readAllLines(folder.resolve("compiled"));
  }

  @Test
  void theDeviceDoesWhatADeviceMust() throws Exception {
    scenario("everything").run().succeeded();
    assertThat(compiled()).containsExactly("sm_90", "sm_90"); // the source and the broken one
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(path -> !path.getFileName().toString().startsWith("jna"))).isEmpty();
    }
  }

  @Test
  void twoProcessesStartAtOnceAndShareTheCache() throws Exception {
    try (ChildJvm.Running one = scenario("everything").start();
        ChildJvm.Running two = scenario("everything").start()) {
      one.result().succeeded();
      two.result().succeeded();
    }
    scenario("everything").run().succeeded();
    // The broken source is compiled by each of three; the other one by the first two at most.
    assertThat(compiled()).hasSizeBetween(4, 5);
  }

  @Test
  void aFaultTakesTheDeviceFromTheProcess() throws Exception {
    scenario("faultsAreFatal").run().succeeded();
  }

  @Test
  void peersCopy() throws Exception {
    scenario("peers").environment("FAKE_CUDA_GPUS", "2").run().succeeded();
  }

  @Test
  void memoryThatOthersHoldIsSaid() throws Exception {
    ChildJvm.Result result =
        scenario("open").environment("FAKE_CUDA_USED", "1000000000").run().succeeded();
    assertThat(result.output())
        .contains("GPU 0 (Fake GPU 0) has only 73741824 of 1073741824 bytes free")
        .contains(CudaSettings.MINIMUM_FREE_KEY);
  }

  @Test
  void aGpuThatIsTooOldIsSaid() throws Exception {
    ChildJvm.Result result =
        scenario("open").environment("FAKE_CUDA_ARCHITECTURE", "70").run().succeeded();
    assertThat(result.output()).contains("has compute capability 7.0, but 7.5 is needed");
  }

  @Test
  void aDriverThatIsTooOldIsSaid() throws Exception {
    ChildJvm.Result result =
        scenario("open").environment("FAKE_CUDA_VERSION", "10020").run().succeeded();
    assertThat(result.output()).contains("CUDA 10.2").contains("11.0 is needed");
  }

  @Test
  void aDriverThatDoesNotStartIsSaid() throws Exception {
    ChildJvm.Result result =
        scenario("open").environment("FAKE_CUDA_INIT", "100").run().succeeded();
    assertThat(result.output()).contains("CUDA_ERROR_NO_DEVICE").contains("CUDA_VISIBLE_DEVICES");
  }

  @Test
  void addressesAreThoseOfNvidiaSmi() throws Exception {
    // The fake driver counts against the order of the bus.
    ChildJvm.Result result =
        scenario("addresses").environment("FAKE_CUDA_GPUS", "3").run().succeeded();
    assertThat(result.output()).contains("0 is 2, 2 is 0, ");
  }

  @Test
  void aNewerCompilerThanTheDriverIsUsedWhenThereIsNoOther() throws Exception {
    scenario("everything").environment("FAKE_CUDA_VERSION", "12040").run().succeeded();
  }

  @Test
  void anUnknownGpuGetsPtx() throws Exception {
    ChildJvm.Result result = scenario("compile").environment("FAKE_CUDA_ARCHITECTURE", "121").run();
    assertThat(compiled()).containsExactly("compute_90");
    // The fake driver takes no PTX.
    assertThat(result.output()).contains("CUDA_ERROR_INVALID_IMAGE").contains("update the driver");
  }

  @Test
  void aPlantedLibraryIsNotLoaded() throws Exception {
    Path planted = temporary.resolve("libJCudaDriver-12.6.0-linux-x86_64.so");
    Files.write(planted, new byte[] {1, 2, 3});
    scenario("compile").run().succeeded();
  }

  @Test
  void aCacheThatOthersCanWriteToIsNotUsed() throws Exception {
    Path kernels =
        Files.createDirectory(
            folder.resolve("kernels"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setPosixFilePermissions(kernels, PosixFilePermissions.fromString("rwxrwxrwx"));
    ChildJvm.Result result =
        scenario("compile").option("-Dorg.apache.logging.log4j.level=WARN").run().succeeded();
    assertThat(result.output())
        .contains("may be written by others (rwxrwxrwx)")
        .contains(CudaSettings.KERNEL_CACHE_KEY);
    try (Stream<Path> files = Files.list(kernels)) {
      assertThat(files).isEmpty();
    }
  }
}
