package org.sparkgpugraph.engine.cuda;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * Which of the driver's GPUs are meant by Spark's addresses, and which of them are good enough.
 *
 * <p>An address is what {@code nvidia-smi} prints: an index in the order of PCI addresses, or a
 * UUID. The driver counts the GPUs that {@code CUDA_VISIBLE_DEVICES} lists, in its order; an index
 * there is an address. Without it, the driver counts them by speed, so an index is looked up by PCI
 * address.
 */
final class GpuSelection {
  private static final Pattern INDEX = Pattern.compile("[0-9]{1,6}");
  private static final String UUID_PREFIX = "GPU-";

  private GpuSelection() {}

  /**
   * @param gpus what the driver shows
   * @param addresses what is wanted; empty means all
   * @param visible the variable {@code CUDA_VISIBLE_DEVICES}
   */
  static CudaSearch select(List<CudaGpu> gpus, List<String> addresses, Optional<String> visible) {
    List<CudaGpu> usable = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    if (gpus.isEmpty()) {
      reasons.add(
          "the NVIDIA driver shows no GPU"
              + visible.map(list -> " (CUDA_VISIBLE_DEVICES is '" + list + "')").orElse(""));
    } else if (addresses.isEmpty()) {
      gpus.forEach(gpu -> add(gpu, usable, reasons));
    } else {
      for (String address : addresses) {
        find(address.strip(), gpus, visible)
            .ifPresentOrElse(
                gpu -> add(gpu, usable, reasons),
                () -> reasons.add(missing(address, gpus, visible)));
      }
    }
    return new CudaSearch(usable, reasons);
  }

  private static void add(CudaGpu gpu, List<CudaGpu> usable, List<String> reasons) {
    DeviceProperties properties = gpu.properties();
    if (properties.architecture() < CudaDevices.MINIMUM_ARCHITECTURE) {
      reasons.add(
          gpu.describe()
              + " has compute capability "
              + properties.major()
              + "."
              + properties.minor()
              + ", but 7.5 is needed");
    } else if (!usable.contains(gpu)) {
      usable.add(gpu);
    }
  }

  private static Optional<CudaGpu> find(
      String address, List<CudaGpu> gpus, Optional<String> visible) {
    if (address.startsWith(UUID_PREFIX)) {
      return gpus.stream().filter(gpu -> gpu.uuid().startsWith(address)).findFirst();
    }
    if (!INDEX.matcher(address).matches()) {
      return Optional.empty();
    }
    int index = Integer.parseInt(address);
    List<String> listed = visible.map(GpuSelection::indexes).orElse(List.of());
    List<CudaGpu> ordered = gpus;
    if (listed.isEmpty()) {
      ordered = gpus.stream().sorted(Comparator.comparing(CudaGpu::busId)).toList();
    } else {
      index = listed.indexOf(String.valueOf(index));
    }
    return index >= 0 && index < ordered.size()
        ? Optional.of(ordered.get(index))
        : Optional.empty();
  }

  /** The indexes that the variable lists; empty when it lists UUIDs, whose indexes nobody knows. */
  private static List<String> indexes(String visible) {
    List<String> entries = Stream.of(visible.split(",")).map(String::strip).toList();
    return entries.stream().allMatch(entry -> INDEX.matcher(entry).matches()) ? entries : List.of();
  }

  private static String missing(String address, List<CudaGpu> gpus, Optional<String> visible) {
    return "there is no GPU '"
        + address
        + "' among the "
        + gpus.size()
        + " that the driver shows"
        + visible.map(list -> " (CUDA_VISIBLE_DEVICES is '" + list + "')").orElse("");
  }
}
