package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSearch;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import io.sparkgpugraph.engine.device.DeviceUnavailableException;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import java.util.List;

/** Opens engines by name. */
final class BenchmarkEngines {
  /** Names of the engines. */
  static final List<String> NAMES = List.of("cpu", "cuda", "emulated");

  private BenchmarkEngines() {}

  /**
   * Opens an engine; the first GPU that is usable.
   *
   * @param everyKernel whether a device engine times every launch
   * @throws io.sparkgpugraph.engine.device.DeviceException when there is no such device
   */
  static BenchmarkEngine open(String name, boolean everyKernel) {
    return switch (name) {
      case "cpu" -> new CpuBenchmarkEngine();
      case "cuda" -> {
        CudaSettings settings = CudaSettings.defaults();
        CudaSearch search = CudaDevices.search(settings);
        if (!search.found()) {
          throw new DeviceUnavailableException("no usable GPU: " + search.why(), "");
        }
        yield new DeviceBenchmarkEngine(
            name, CudaDevices.open(search.gpus().get(0), settings), everyKernel);
      }
      case "emulated" ->
          new DeviceBenchmarkEngine(
              name, new EmulatedDevice(EmulatorSettings.defaults()), everyKernel);
      default -> throw new IllegalArgumentException("no engine '" + name + "'");
    };
  }
}
