package org.sparkgpugraph.engine.cuda;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * The GPUs of this process. The driver is looked for once per process; where there is none,
 * everything here works and says why nothing was found.
 */
public final class CudaDevices {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevices.class);

  /** Oldest compute capability with what the kernels need: 7.5, Turing. */
  static final int MINIMUM_ARCHITECTURE = 75;

  /** Oldest CUDA version of a driver whose functions the binding links to. */
  static final int MINIMUM_DRIVER = 11000;

  private static final Map<CudaSettings, KernelImages> COMPILERS = new ConcurrentHashMap<>();

  /** The driver, or why there is none. */
  private record Detection(CudaDriver driver, String reason) {}

  /** Initialised on first use, by one thread. */
  private static final class Detected {
    static final Detection RESULT = detect();
  }

  private CudaDevices() {}

  /**
   * The usable GPUs; retains no context. Never throws.
   *
   * @param settings which ones are wanted
   */
  public static CudaSearch search(CudaSettings settings) {
    Detection detection = Detected.RESULT;
    if (detection.driver() == null) {
      return new CudaSearch(List.of(), List.of(detection.reason()));
    }
    try {
      if (detection.driver().version() < MINIMUM_DRIVER) {
        return new CudaSearch(
            List.of(),
            List.of(
                "the NVIDIA driver runs CUDA "
                    + CudaDriver.text(detection.driver().version())
                    + " at most, but "
                    + CudaDriver.text(MINIMUM_DRIVER)
                    + " is needed: update the driver"));
      }
      return GpuSelection.select(
          detection.driver().gpus(),
          settings.addresses(),
          Optional.ofNullable(System.getenv("CUDA_VISIBLE_DEVICES")));
    } catch (DeviceException e) {
      LOG.debug("the GPUs cannot be listed", e);
      return new CudaSearch(List.of(), List.of(e.getMessage()));
    }
  }

  /**
   * Opens a GPU that a search found.
   *
   * @throws DeviceUnavailableException when others left less memory free than the settings ask for
   * @throws DeviceException when the driver refuses
   */
  public static Device open(CudaGpu gpu, CudaSettings settings) {
    return open(gpu, settings, null);
  }

  /**
   * As above, of a GPU whose memory another library of this process manages.
   *
   * @param pool where memory comes from; null: from the driver
   */
  public static Device open(CudaGpu gpu, CudaSettings settings, SharedPool pool) {
    Detection detection = Detected.RESULT;
    if (detection.driver() == null) {
      throw new DeviceUnavailableException(detection.reason(), "");
    }
    KernelImages images =
        COMPILERS.computeIfAbsent(
            settings.withAddresses(List.of()).withMinimumFreeBytes(0), // the same compiler for all
            key -> CachedCompiler.of(key, detection.driver().version()));
    long start = System.nanoTime();
    Device device = detection.driver().open(gpu, images, pool);
    PhaseTimes.ended("GPU: context", start);
    try {
      MemoryInfo memory = device.memory();
      if (memory.free() < settings.minimumFreeBytes()) {
        throw new DeviceUnavailableException(
            gpu.describe()
                + " has only "
                + memory.free()
                + " of "
                + memory.total()
                + " bytes free, "
                + (pool == null ? "others hold the rest" : pool.describe())
                + "; "
                + settings.minimumFreeBytes()
                + " are wanted ("
                + CudaSettings.MINIMUM_FREE_KEY
                + ")",
            "");
      }
    } catch (RuntimeException e) {
      device.close();
      throw e;
    }
    return device;
  }

  private static Detection detect() {
    long start = System.nanoTime();
    DriverClassLoader loader = new DriverClassLoader();
    try {
      Class<?> binding =
          Class.forName(CudaDevices.class.getPackageName() + ".driver.JCudaBinding", true, loader);
      return new Detection((CudaDriver) binding.getConstructor().newInstance(), "");
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.debug("no CUDA driver", e);
      return new Detection(null, reason(e));
    } finally {
      loader.deleteUnpacked();
      PhaseTimes.ended("GPU: start of the driver", start);
    }
  }

  /** One sentence about why the driver cannot be used. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof DeviceException)) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof LinkageError && message.contains("libcuda.so")) {
      return "no NVIDIA driver on this host (libcuda.so.1 is not found)";
    }
    if (cause instanceof DeviceException) {
      return message;
    }
    if (cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError) {
      return "JCuda is not on the class path (no "
          + message
          + "): pass its jars too, \"On GPUs\" in docs/usage.md lists them";
    }
    return "JCuda cannot be used: "
        + message
            .lines()
            .filter(line -> line.contains("Error: "))
            .findFirst()
            .map(String::strip)
            .orElse(
                cause.getClass().getSimpleName() + ": " + message.lines().findFirst().orElse(""));
  }
}
