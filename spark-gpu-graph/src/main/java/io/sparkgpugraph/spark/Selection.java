package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.Engine;

/**
 * The engine that was chosen for a run. Closing it ends the use of its device, which then may be
 * closed.
 *
 * @param engine runs it
 * @param device whose engine it is; null: the CPU engine
 * @param reason why this one, for users, one line
 */
record Selection(Engine engine, DeviceSlot device, String reason) implements AutoCloseable {
  @Override
  public void close() {
    if (device != null) {
      device.endUse();
    }
  }
}
