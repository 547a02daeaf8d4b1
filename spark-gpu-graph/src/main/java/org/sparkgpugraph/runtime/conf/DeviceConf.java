package org.sparkgpugraph.runtime.conf;

import java.io.Serializable;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/**
 * What the configuration says about GPUs, on its way to the executors. The fields are those of
 * {@link GpuGraphConf}, where they are documented.
 *
 * @param engine how the engine uses a device
 * @param buildRows where rows are made
 * @param poolFraction part of another library's memory pool to take at most; 0: none
 * @param kernelCacheDir where compiled kernels are kept; empty: the default
 * @param kernelCacheMaxBytes most bytes to keep there
 * @param nvrtcPath file of the run-time compiler; empty: it is looked for
 * @param emulatedMemory bytes of an emulated device
 * @param emulatedSeed order of the emulated devices' lanes
 * @param emulatedDevices number of emulated devices where Spark gives no addresses
 */
public record DeviceConf(
    DeviceSettings engine,
    BuildRows buildRows,
    double poolFraction,
    String kernelCacheDir,
    long kernelCacheMaxBytes,
    String nvrtcPath,
    long emulatedMemory,
    long emulatedSeed,
    int emulatedDevices)
    implements Serializable {

  public static DeviceConf of(GpuGraphConf conf) {
    return new DeviceConf(
        conf.get(GpuGraphConf.DENSE_KERNEL)
            .in(DeviceSettings.DEFAULT)
            .withGrouping(conf.get(GpuGraphConf.GROUPING))
            .withHubs(conf.get(GpuGraphConf.HUB_DEGREE), DeviceSettings.DEFAULT.chunkEdges())
            .withReserve(conf.get(GpuGraphConf.MEMORY_RESERVE))
            .withEdgeBytes(conf.get(GpuGraphConf.EDGE_MEMORY))
            .withExchange(conf.get(GpuGraphConf.GPU_EXCHANGE))
            .withPartitioning(conf.get(GpuGraphConf.GPU_PARTITIONING))
            .withTrials(conf.get(GpuGraphConf.GPU_TUNING) == TuningMode.ON),
        conf.get(GpuGraphConf.GPU_BUILD_ROWS),
        conf.get(GpuGraphConf.POOL_FRACTION),
        conf.get(GpuGraphConf.KERNEL_CACHE_DIR),
        conf.get(GpuGraphConf.KERNEL_CACHE_MAX_BYTES),
        conf.get(GpuGraphConf.NVRTC_PATH),
        conf.get(GpuGraphConf.EMULATED_MEMORY),
        conf.get(GpuGraphConf.EMULATED_SEED),
        conf.get(GpuGraphConf.EMULATED_DEVICES));
  }
}
