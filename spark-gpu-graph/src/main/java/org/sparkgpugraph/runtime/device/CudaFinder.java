package org.sparkgpugraph.runtime.device;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaGpu;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/** Finds the GPUs of this process. */
public final class CudaFinder implements DeviceFinder {
  /** Name of the engine on them. */
  static final String NAME = "cuda";

  @Override
  public Found find(DeviceConf conf, List<String> addresses) {
    CudaSearch search;
    try {
      search = CudaDevices.search(settings(conf, addresses));
    } catch (LinkageError e) {
      // The jars of JCuda and JNA are apart from the library's.
      return Found.none(
          "a class of JCuda or JNA is not on the class path ("
              + e.getMessage()
              + "), see \"On GPUs\""
              + " in docs/usage.md");
    }
    CudaSettings opened = settings(conf, List.of());
    return new Found(
        search.gpus().stream().map(gpu -> found(gpu, opened, conf)).toList(), search.why());
  }

  private static CudaSettings settings(DeviceConf conf, List<String> addresses) {
    return new CudaSettings(
        addresses,
        conf.engine().reserveBytes(),
        path(conf.nvrtcPath()),
        path(conf.kernelCacheDir()),
        conf.kernelCacheMaxBytes());
  }

  private static Optional<Path> path(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
  }

  private static FoundDevice found(CudaGpu gpu, CudaSettings opened, DeviceConf conf) {
    return new FoundDevice(
        gpu.uuid(),
        gpu.describe(),
        gpu.properties().ordinal(),
        () -> new EngineDevice(NAME, CudaDevices.open(gpu, opened), conf));
  }
}
