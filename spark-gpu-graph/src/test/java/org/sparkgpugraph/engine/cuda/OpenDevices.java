package org.sparkgpugraph.engine.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;

/**
 * GPUs that are ready to be used; the caller closes them.
 *
 * @param devices in the order in which they were asked for
 * @param reasons why others are not usable, a sentence each
 */
public record OpenDevices(List<Device> devices, List<String> reasons) implements AutoCloseable {
  public OpenDevices {
    devices = List.copyOf(devices);
    reasons = List.copyOf(reasons);
  }

  /**
   * Opens every usable GPU. Never throws for GPUs that cannot be used.
   *
   * @param settings which ones are wanted
   */
  public static OpenDevices of(CudaSettings settings) {
    CudaSearch search = CudaDevices.search(settings);
    List<Device> devices = new ArrayList<>();
    List<String> reasons = new ArrayList<>(search.reasons());
    for (CudaGpu gpu : search.gpus()) {
      try {
        devices.add(CudaDevices.open(gpu, settings));
      } catch (DeviceException e) {
        reasons.add(e.getMessage());
      }
    }
    return new OpenDevices(devices, reasons);
  }

  /** Opens the first usable GPU, or skips the test with the reason; the caller closes it. */
  public static Device first() {
    return first(1).get(0);
  }

  /** The same with the first ones, at most so many. */
  public static List<Device> first(int most) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), () -> "skipped: " + search.why());
    return search.gpus().stream().limit(most).map(gpu -> CudaDevices.open(gpu, settings)).toList();
  }

  /**
   * Opens up to four GPUs, or skips the test with the reason where there are fewer than so many.
   */
  public static List<Device> distinct(int least) {
    return several(least, 0);
  }

  /**
   * The same of a test whose devices may share a GPU: with {@code -Dsgg.sharedGpus=N} those that
   * are there are opened again until there are N devices, for a host that has fewer GPUs than the
   * test wants. Their kernels take turns then.
   */
  public static List<Device> several(int least) {
    return several(least, Integer.getInteger("sgg.sharedGpus", 0));
  }

  private static List<Device> several(int least, int shared) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    int found = search.gpus().size();
    int count = Math.min(4, Math.max(found, shared));
    assumeTrue(
        found > 0 && count >= least,
        () -> "skipped: " + least + " GPUs are needed, found " + found + " " + search.why());
    return IntStream.range(0, count)
        .mapToObj(d -> CudaDevices.open(search.gpus().get(d % found), settings))
        .toList();
  }

  @Override
  public void close() {
    devices.forEach(Device::close);
  }
}
