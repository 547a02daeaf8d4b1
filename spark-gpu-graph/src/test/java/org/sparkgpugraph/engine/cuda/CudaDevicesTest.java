package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;

@Tag("any-spark")
class CudaDevicesTest {
  private static final List<CudaGpu> GPUS =
      List.of(gpu(0, 90, "c0"), gpu(1, 80, "40"), gpu(2, 70, "80"));

  private static CudaGpu gpu(int ordinal, int architecture, String bus) {
    return new CudaGpu(
        new DeviceProperties(
            "Test " + architecture,
            ordinal,
            architecture / 10,
            architecture % 10,
            8,
            2048,
            1 << 16,
            1L << 34,
            true,
            false),
        "GPU-0000000" + ordinal + "-1111-2222-3333-444444444444",
        "0000:" + bus + ":00.0");
  }

  private static List<Integer> ordinals(CudaSearch search) {
    return search.gpus().stream().map(gpu -> gpu.properties().ordinal()).toList();
  }

  private static CudaSearch select(String visible, String... addresses) {
    return GpuSelection.select(GPUS, List.of(addresses), Optional.ofNullable(visible));
  }

  @Test
  void allGpusThatAreNewEnough() {
    CudaSearch search = select(null);
    assertThat(ordinals(search)).containsExactly(0, 1);
    assertThat(search.reasons())
        .containsExactly("GPU 2 (Test 70) has compute capability 7.0, but 7.5 is needed");
  }

  @Test
  void indexesFollowTheBus() {
    assertThat(ordinals(select(null, "0"))).containsExactly(1);
    assertThat(ordinals(select(null, "2", " 0 "))).containsExactly(0, 1);
    assertThat(ordinals(select(null, "0", "0"))).containsExactly(1);
    assertThat(select(null, "1").why()).contains("7.0");
  }

  @Test
  void indexesAreThoseOfTheVisibleDevices() {
    assertThat(ordinals(select("5,3,7", "5"))).containsExactly(0);
    assertThat(ordinals(select("5, 3, 7", "3"))).containsExactly(1);
    CudaSearch missing = select("5,3,7", "0");
    assertThat(missing.found()).isFalse();
    assertThat(missing.why()).contains("no GPU '0'").contains("'5,3,7'");
  }

  @Test
  void uuidsAreFoundByTheirBeginning() {
    assertThat(ordinals(select(null, GPUS.get(0).uuid()))).containsExactly(0);
    assertThat(ordinals(select("GPU-00000001", "GPU-00000001"))).containsExactly(1);
  }

  @Test
  void whatIsNoAddressIsSaid() {
    for (String address : List.of("gpu", "-1", "", "9", "99999999999999")) {
      assertThat(select(null, address).why()).as(address).contains("no GPU '" + address + "'");
    }
  }

  @Test
  void noGpuAtAllIsSaid() {
    CudaSearch search = GpuSelection.select(List.of(), List.of("0"), Optional.of(""));
    assertThat(search.found()).isFalse();
    assertThat(search.why()).contains("shows no GPU").contains("CUDA_VISIBLE_DEVICES is ''");
  }

  @Test
  void versionsAreShownAsNvidiaWritesThem() {
    assertThat(CudaDriver.text(13000)).isEqualTo("13.0");
    assertThat(CudaDriver.text(11080)).isEqualTo("11.8");
  }

  @Test
  void withoutADriverThereIsAReasonAndNoException() throws Exception {
    CudaSearch search = CudaDevices.search(CudaSettings.defaults());
    assumeFalse(search.found(), "skipped: this machine has a GPU");
    assertThat(search.reasons()).isNotEmpty().noneMatch(String::isBlank);
    try (OpenDevices open = OpenDevices.of(CudaSettings.defaults())) {
      assertThat(open.devices()).isEmpty();
      assertThat(open.reasons()).isEqualTo(search.reasons());
    }
    assumeFalse(
        Files.exists(Path.of("/dev/nvidiactl")), "skipped: this machine has an NVIDIA driver");
    assertThat(search.why()).isEqualTo("no NVIDIA driver on this host (libcuda.so.1 is not found)");
    assertThatThrownBy(() -> CudaDevices.open(GPUS.get(0), CudaSettings.defaults()))
        .isInstanceOf(DeviceUnavailableException.class)
        .hasMessageContaining("libcuda.so.1");
    // JCuda would have unpacked its library to this name.
    assertThat(
            Path.of(System.getProperty("java.io.tmpdir"), "libJCudaDriver-12.6.0-linux-x86_64.so"))
        .doesNotExist();
  }

  @Test
  void otherLinkErrorsAreShownInALine() {
    UnsatisfiedLinkError error =
        new UnsatisfiedLinkError(
            "Error while loading native library \"x\"\nOperating system name: Linux\n"
                + "java.lang.UnsatisfiedLinkError: no x in java.library.path\n\tat a.b(c)");
    assertThat(CudaDevices.reason(new ExceptionInInitializerError(error)))
        .isEqualTo(
            "JCuda cannot be used: java.lang.UnsatisfiedLinkError: no x in java.library.path");
  }
}
