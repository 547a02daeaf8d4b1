package org.sparkgpugraph.engine.cuda;

import java.util.List;
import org.sparkgpugraph.engine.device.Device;

/**
 * GPUs that are ready to be used; the caller closes them.
 *
 * @param devices in the order in which they were asked for
 * @param reasons why others are not usable, a sentence each
 */
public record OpenDevices(List<Device> devices, List<String> reasons) implements AutoCloseable {
  public OpenDevices {
    devices = List.copyOf(devices);
    reasons = List.copyOf(reasons);
  }

  @Override
  public void close() {
    devices.forEach(Device::close);
  }
}
