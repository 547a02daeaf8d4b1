package io.sparkgpugraph.spark;

import java.io.Serializable;

/**
 * What the configuration says about GPUs, on its way to the executors. The fields are those of
 * {@link GpuGraphConf}, where they are documented.
 *
 * @param denseKernel lanes per row of dense supersteps; 0: warp segmentation
 * @param grouping vertices per candidate bit; 0: chosen by what fits
 * @param hubDegree rows of more edges are gathered by whole blocks
 * @param memoryReserve bytes left free
 * @param kernelCacheDir where compiled kernels are kept; empty: the default
 * @param kernelCacheMaxBytes most bytes to keep there
 * @param nvrtcPath file of the run-time compiler; empty: it is looked for
 * @param emulatedMemory bytes of the emulated device
 * @param emulatedSeed order of the emulated device's lanes
 */
record DeviceConf(
    int denseKernel,
    int grouping,
    int hubDegree,
    long memoryReserve,
    String kernelCacheDir,
    long kernelCacheMaxBytes,
    String nvrtcPath,
    long emulatedMemory,
    long emulatedSeed)
    implements Serializable {

  static DeviceConf of(GpuGraphConf conf) {
    return new DeviceConf(
        conf.get(GpuGraphConf.DENSE_KERNEL),
        conf.get(GpuGraphConf.GROUPING),
        conf.get(GpuGraphConf.HUB_DEGREE),
        conf.get(GpuGraphConf.MEMORY_RESERVE),
        conf.get(GpuGraphConf.KERNEL_CACHE_DIR),
        conf.get(GpuGraphConf.KERNEL_CACHE_MAX_BYTES),
        conf.get(GpuGraphConf.NVRTC_PATH),
        conf.get(GpuGraphConf.EMULATED_MEMORY),
        conf.get(GpuGraphConf.EMULATED_SEED));
  }
}
