package org.sparkgpugraph.runtime.device;

import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/** Finds the devices of one kind that this process can use. Thread-safe. */
public interface DeviceFinder {
  /**
   * Looks for devices and opens none; finding none is no error but a reason.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   */
  Found find(DeviceConf conf, List<String> addresses);

  /**
   * What was found.
   *
   * @param devices usable ones, in the order in which they were asked for
   * @param reason why there is none, and what to do; where there are some, why others that were
   *     asked for are not among them; may be empty
   */
  record Found(List<FoundDevice> devices, String reason) {
    public Found {
      devices = List.copyOf(devices);
    }

    static Found none(String reason) {
      return new Found(List.of(), reason);
    }
  }

  /**
   * A device that can be opened.
   *
   * @param key equal for what may share one open device: the GPU, and what fixes it when it is
   *     opened
   * @param describe for users: {@code "GPU 0 (NVIDIA H200)"}
   * @param ordinal its number, as {@link org.sparkgpugraph.engine.device.DeviceException#ordinal}
   *     has it
   * @param opener opens it and makes an engine on it; throws a {@link
   *     org.sparkgpugraph.engine.device.DeviceException} when the device refuses
   */
  record FoundDevice(Object key, String describe, int ordinal, Supplier<OpenDevice> opener) {}
}
