package org.sparkgpugraph.engine.cuda;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a user can set about GPUs and compilers. Immutable.
 *
 * @param addresses GPUs to use, as {@code nvidia-smi} counts them or by UUID ({@code GPU-…}): what
 *     Spark's resource {@code gpu} assigns; empty takes every GPU that the process sees
 * @param minimumFreeBytes a GPU with less free memory is not used: others fill it
 * @param nvrtc an NVRTC library file to use instead of searching for one
 * @param kernelCache folder of compiled kernels; empty takes one in the user's cache folder
 * @param kernelCacheBytes bound of that folder; 0 keeps no kernels on disk
 */
public record CudaSettings(
    List<String> addresses,
    long minimumFreeBytes,
    Optional<Path> nvrtc,
    Optional<Path> kernelCache,
    long kernelCacheBytes) {
  /** Key of {@link #nvrtc}, named in messages. */
  public static final String NVRTC_KEY = "spark.gpugraph.nvrtc.path";

  /** Key of {@link #kernelCache}, named in messages. */
  public static final String KERNEL_CACHE_KEY = "spark.gpugraph.kernelCache.dir";

  /** Key of {@link #minimumFreeBytes}, named in messages. */
  public static final String MINIMUM_FREE_KEY = "spark.gpugraph.gpu.memoryReserve";

  private static final long DEFAULT_MINIMUM_FREE = 256L << 20;
  private static final long DEFAULT_CACHE_BYTES = 256L << 20;

  public CudaSettings {
    addresses = List.copyOf(addresses);
    Objects.requireNonNull(nvrtc, "nvrtc");
    Objects.requireNonNull(kernelCache, "kernelCache");
    if (minimumFreeBytes < 0 || kernelCacheBytes < 0) {
      throw new IllegalArgumentException(
          "minimumFreeBytes " + minimumFreeBytes + ", kernelCacheBytes " + kernelCacheBytes);
    }
  }

  /** Every GPU with 256 MiB free; a cache of 256 MiB in its default place. */
  public static CudaSettings defaults() {
    return new CudaSettings(
        List.of(), DEFAULT_MINIMUM_FREE, Optional.empty(), Optional.empty(), DEFAULT_CACHE_BYTES);
  }

  /** The same, for these GPUs. */
  public CudaSettings withAddresses(List<String> gpus) {
    return new CudaSettings(gpus, minimumFreeBytes, nvrtc, kernelCache, kernelCacheBytes);
  }

  /** The same, with another bound on free memory. */
  public CudaSettings withMinimumFreeBytes(long bytes) {
    return new CudaSettings(addresses, bytes, nvrtc, kernelCache, kernelCacheBytes);
  }

  /** The same, with another folder and bound for compiled kernels. */
  public CudaSettings withKernelCache(Path folder, long bytes) {
    return new CudaSettings(addresses, minimumFreeBytes, nvrtc, Optional.of(folder), bytes);
  }
}
