package org.sparkgpugraph.runtime.device;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaGpu;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.rapids.Rapids;

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
    Optional<Rapids> rapids =
        search.found() && conf.poolFraction() > 0 ? Rapids.here() : Optional.empty();
    List<CudaGpu> usable =
        search.gpus().stream().filter(gpu -> rapids.isEmpty() || isOf(gpu, rapids.get())).toList();
    if (rapids.isPresent() && search.found() && usable.isEmpty()) {
      return Found.none("RAPIDS works on GPU " + rapids.get().ordinal() + " in this process");
    }
    return new Found(
        usable.stream()
            .map(gpu -> found(gpu, opened, conf, rapids.map(r -> r.pool(conf.poolFraction()))))
            .toList(),
        search.why());
  }

  private static boolean isOf(CudaGpu gpu, Rapids rapids) {
    return gpu.properties().ordinal() == rapids.ordinal();
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

  private static FoundDevice found(
      CudaGpu gpu, CudaSettings opened, DeviceConf conf, Optional<? extends SharedPool> shared) {
    SharedPool pool = shared.orElse(null);
    return new FoundDevice(
        pool == null ? gpu.uuid() : List.of(gpu.uuid(), pool),
        gpu.describe(),
        gpu.properties().ordinal(),
        () ->
            new EngineDevice(
                NAME,
                CudaDevices.open(gpu, opened, pool),
                conf,
                pool == null ? "" : pool.describe()));
  }
}
