package org.sparkgpugraph.engine.cuda;

import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceModule;

/** Prints the GPUs of this machine and whether kernels can be compiled; status 3 without a GPU. */
final class GpuList {
  private static final int NONE = 3;

  private GpuList() {}

  public static void main(String[] arguments) {
    CudaSettings settings = CudaSettings.defaults();
    try (OpenDevices open = OpenDevices.of(settings)) {
      for (Device device : open.devices()) {
        System.out.println(device.properties() + ", " + device.memory());
        try (DeviceModule module = device.load(DeviceChecks.source())) {
          System.out.println("  runs kernels: " + module.kernel("increment").name());
        }
      }
      open.reasons().forEach(System.out::println);
      if (open.devices().isEmpty()) {
        System.out.println("no usable GPU");
        System.exit(NONE);
      }
    }
  }
}
