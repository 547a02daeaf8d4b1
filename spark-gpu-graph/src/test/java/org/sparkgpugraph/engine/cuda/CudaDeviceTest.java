package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.device.Device;

/** The device interface on a real GPU. */
@Tag("gpu")
class CudaDeviceTest {
  @TempDir Path folder;

  private CudaSettings settings;
  private CudaGpu gpu;
  private Device device;

  @BeforeEach
  void openTheFirstGpu() {
    settings = CudaSettings.defaults().withKernelCache(folder.resolve("kernels"), 1 << 20);
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), search::why);
    gpu = search.gpus().get(0);
    device = CudaDevices.open(gpu, settings);
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  @Test
  void arraysGoThereAndBack() {
    DeviceChecks.arraysGoThereAndBack(device);
  }

  @Test
  void splitArraysAreOne() {
    DeviceChecks.splitArraysAreOne(device);
  }

  @Test
  void rangesAreChecked() {
    DeviceChecks.rangesAreChecked(device);
  }

  @Test
  void kernelsRun() {
    DeviceChecks.kernelsRun(device);
  }

  @Test
  void streamsKeepTheirOrder() {
    DeviceChecks.streamsKeepTheirOrder(device);
  }

  @Test
  void heapCopiesWaitForStreams() {
    DeviceChecks.heapCopiesWaitForStreams(device);
  }

  @Test
  void uploadsAreDoneOnReturn() {
    DeviceChecks.uploadsAreDoneOnReturn(device);
  }

  @Test
  void eventsTellTime() {
    DeviceChecks.eventsTellTime(device);
  }

  @Test
  void memoryIsCounted() {
    DeviceChecks.memoryIsCounted(device);
  }

  @Test
  void compileErrorsAreShown() {
    DeviceChecks.compileErrorsAreShown(device);
  }

  @Test
  void closedDevicesRefuse() {
    DeviceChecks.closedDevicesRefuse(device);
  }

  @Test
  void anyThreadMayCall() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running =
          List.of(
              threads.submit(() -> DeviceChecks.arraysGoThereAndBack(device)),
              threads.submit(() -> DeviceChecks.kernelsRun(device)),
              threads.submit(() -> DeviceChecks.streamsKeepTheirOrder(device)),
              threads.submit(() -> DeviceChecks.heapCopiesWaitForStreams(device)));
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(device.allocatedBytes()).isZero();
  }

  @Test
  void twoDevicesOfOneGpuShareItsContext() {
    try (Device second = CudaDevices.open(gpu, settings)) {
      assertThat(second.canAccess(device)).isTrue();
      second.enableAccess(device);
      DeviceChecks.kernelsRun(second);
    }
    DeviceChecks.kernelsRun(device);
  }

  @Test
  void everyUsableGpuIsOpened() {
    try (OpenDevices open = OpenDevices.of(settings)) {
      assertThat(open.devices()).hasSize(CudaDevices.search(settings).gpus().size());
      open.devices().forEach(DeviceChecks::kernelsRun);
    }
  }

  @Test
  void gpusAreFoundByAddressAndUuid() {
    assertThat(CudaDevices.search(settings.withAddresses(List.of(gpu.uuid()))).gpus())
        .containsExactly(gpu);
    CudaSearch missing = CudaDevices.search(settings.withAddresses(List.of("999")));
    assertThat(missing.found()).isFalse();
    assertThat(missing.why()).contains("'999'");
  }

  @Test
  void peersReadEachOther() {
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.gpus().size() > 1, "there is one GPU only");
    try (Device peer = CudaDevices.open(search.gpus().get(1), settings)) {
      DeviceChecks.peersCopy(device, peer);
    }
  }

  @Test
  void aFaultTakesTheDeviceFromTheProcess() throws Exception {
    ChildProcess.of(DeviceScenariosJob.class, "faultsAreFatal", folder.toString())
        .run()
        .succeeded();
    DeviceChecks.kernelsRun(device);
  }

  @Test
  void twoProcessesShareTheGpuAndTheKernelCache() throws Exception {
    ChildProcess first = ChildProcess.of(DeviceScenariosJob.class, "everything", folder.toString());
    ChildProcess second =
        ChildProcess.of(DeviceScenariosJob.class, "everything", folder.toString());
    try (ChildProcess.Running one = first.start();
        ChildProcess.Running two = second.start()) {
      one.result().succeeded();
      two.result().succeeded();
    }
  }
}
