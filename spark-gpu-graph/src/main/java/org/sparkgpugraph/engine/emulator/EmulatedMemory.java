package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Pointer;
import org.sparkgpugraph.engine.device.DeviceMemory;

/** A buffer of its own, or a part of it that counts for the device. */
final class EmulatedMemory implements DeviceMemory {
  private final EmulatedDevice device;
  private final long address;
  private final long bytes;
  private final long own;
  private final String purpose;
  private volatile boolean closed;

  EmulatedMemory(EmulatedDevice device, long address, long bytes, long own, String purpose) {
    this.device = device;
    this.address = address;
    this.bytes = bytes;
    this.own = own;
    this.purpose = purpose;
  }

  /** As memory of an emulated device. */
  static EmulatedMemory of(DeviceMemory memory) {
    if (memory instanceof EmulatedMemory emulated) {
      return emulated;
    }
    throw new IllegalArgumentException(memory + " is not memory of an emulated device");
  }

  EmulatedDevice device() {
    return device;
  }

  /** Where a part begins, which must lie within the buffer. */
  Pointer at(long offset, long count) {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    if (offset < 0 || count < 0 || offset > bytes - count) {
      throw new IndexOutOfBoundsException(
          count + " bytes from byte " + offset + " on are not within " + this);
    }
    return new Pointer(address + offset);
  }

  @Override
  public long address() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    return address;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long ownBytes() {
    return own;
  }

  @Override
  public String purpose() {
    return purpose;
  }

  @Override
  public void close() {
    if (!closed) {
      device.free(this);
      closed = true;
    }
  }

  @Override
  public String toString() {
    return purpose + " (" + bytes + " bytes on " + device + ")";
  }
}
