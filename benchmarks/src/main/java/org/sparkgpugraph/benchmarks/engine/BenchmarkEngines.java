package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/** Opens engines by name. */
final class BenchmarkEngines {
  /** Names of the engines. */
  static final List<String> NAMES = List.of("cpu", "cuda", "emulated");

  private BenchmarkEngines() {}

  /**
   * Opens an engine, a device engine on the first devices that are usable.
   *
   * @param devices how many devices
   * @param shares whether several may be one GPU
   * @param everyKernel whether a device engine times every launch
   * @throws org.sparkgpugraph.engine.device.DeviceException when there are not so many devices
   */
  static BenchmarkEngine open(String name, int devices, boolean shares, boolean everyKernel) {
    return name.equals("cpu")
        ? new CpuBenchmarkEngine()
        : new DeviceBenchmarkEngine(name, devices(name, devices, shares), everyKernel);
  }

  /**
   * Opens the first device of a device engine that is usable.
   *
   * @throws org.sparkgpugraph.engine.device.DeviceException when there is none
   */
  static Device device(String name) {
    return devices(name, 1, false).get(0);
  }

  /**
   * Opens the first devices of a device engine that are usable.
   *
   * @param shares whether several may be one GPU, where there are fewer
   * @throws org.sparkgpugraph.engine.device.DeviceException when there are not so many
   */
  private static List<Device> devices(String name, int count, boolean shares) {
    return switch (name) {
      case "cuda" -> gpus(count, shares);
      case "emulated" -> {
        List<Device> opened = new ArrayList<>();
        for (int d = 0; d < count; d++) {
          opened.add(new EmulatedDevice(EmulatorSettings.defaults(), d));
        }
        yield opened;
      }
      default -> throw new IllegalArgumentException("no device engine '" + name + "'");
    };
  }

  private static List<Device> gpus(int count, boolean shares) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    if (!search.found()) {
      throw new DeviceUnavailableException("no usable GPU: " + search.why(), "");
    }
    int found = search.gpus().size();
    if (found < count && !shares) {
      throw new DeviceUnavailableException(
          count
              + " GPUs are wanted, usable are "
              + found
              + (search.why().isEmpty() ? "" : ": " + search.why()),
          "");
    }
    return IntStream.range(0, count)
        .mapToObj(d -> CudaDevices.open(search.gpus().get(d % found), settings))
        .toList();
  }
}
