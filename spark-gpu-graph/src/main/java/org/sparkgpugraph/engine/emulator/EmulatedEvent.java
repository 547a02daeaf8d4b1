package org.sparkgpugraph.engine.emulator;

import org.sparkgpugraph.engine.device.DeviceEvent;

/** A point in time: the commands before it are done. */
final class EmulatedEvent implements DeviceEvent {
  private final EmulatedDevice device;
  private final long nanos;
  private volatile boolean closed;

  EmulatedEvent(EmulatedDevice device, long nanos) {
    this.device = device;
    this.nanos = nanos;
  }

  /** As an event of an emulated device. */
  static EmulatedEvent of(DeviceEvent event) {
    if (event instanceof EmulatedEvent emulated) {
      return emulated;
    }
    throw new IllegalArgumentException(event + " is not an event of an emulated device");
  }

  /** Fails when the event is closed. */
  void check() {
    if (closed) {
      throw new IllegalStateException("an event of " + device + " is used after it was closed");
    }
  }

  @Override
  public void synchronize() {
    check();
    device.throwPending();
  }

  @Override
  public long nanosSince(DeviceEvent earlier) {
    check();
    of(earlier).check();
    return nanos - of(earlier).nanos;
  }

  @Override
  public void close() {
    closed = true;
  }
}
