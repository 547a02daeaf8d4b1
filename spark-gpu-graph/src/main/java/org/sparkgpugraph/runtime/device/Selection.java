package org.sparkgpugraph.runtime.device;

import java.util.List;
import org.sparkgpugraph.engine.Engine;

/**
 * The engine that was chosen for a run. Closing it ends the use of its devices, which then may be
 * closed.
 *
 * @param engine runs it
 * @param devices whose engine it is; none: the CPU engine
 * @param reason why this one, for users, one line
 */
public record Selection(Engine engine, List<DeviceSlot> devices, String reason)
    implements AutoCloseable {
  public Selection {
    devices = List.copyOf(devices);
  }

  /** The first of the devices, or null on the CPU. */
  public DeviceSlot device() {
    return devices.isEmpty() ? null : devices.get(0);
  }

  /** What these devices hold now. */
  public List<DeviceUse> uses() {
    return devices.stream().map(DeviceSlot::use).toList();
  }

  @Override
  public void close() {
    devices.forEach(DeviceSlot::endUse);
  }
}
