package org.sparkgpugraph.engine.device.memory;

import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** How fast a device gets what is in the host's memory. */
final class BusRate {
  private static final int MOST_BYTES = 32 << 20;

  private static final int LEAST_BYTES = 1 << 10;

  private static final int COPIES = 4;

  private BusRate() {}

  /**
   * Bytes per second of the fastest of a few copies from page-locked memory, of 32 MiB if the
   * device has so much free.
   */
  static double measure(Device device) {
    int bytes = (int) Math.max(LEAST_BYTES, Math.min(MOST_BYTES, device.memory().free() / 2));
    long least = Long.MAX_VALUE;
    try (PinnedMemory from = device.allocatePinned(bytes);
        DeviceMemory to = device.allocate(bytes, "measure of the bus");
        DeviceStream stream = device.newStream()) {
      for (int i = 0; i < COPIES; i++) {
        try (DeviceEvent begin = stream.record()) {
          stream.upload(from, 0, to, 0, bytes);
          try (DeviceEvent end = stream.record()) {
            stream.synchronize();
            least = Math.min(least, Math.max(1, end.nanosSince(begin)));
          }
        }
      }
    }
    return 1e9 * bytes / least;
  }
}
