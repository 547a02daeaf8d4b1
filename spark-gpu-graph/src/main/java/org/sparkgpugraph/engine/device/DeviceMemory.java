package org.sparkgpugraph.engine.device;

/** A buffer on a device. Closing it frees it; closing it twice is harmless. */
public interface DeviceMemory extends AutoCloseable {
  /** Address as kernels see it; 0 for an empty buffer. */
  long address();

  /** Size. */
  long bytes();

  /** How much of it is on the device; the rest lies in the host's memory. */
  default long ownBytes() {
    return bytes();
  }

  /** What it is for. */
  String purpose();

  @Override
  void close();
}
