package org.sparkgpugraph.engine.device;

/** A buffer on a device. Closing it frees it; closing it twice is harmless. */
public interface DeviceMemory extends AutoCloseable {
  /** Address as kernels see it; 0 for an empty buffer. */
  long address();

  /** Size. */
  long bytes();

  /** What it is for. */
  String purpose();

  @Override
  void close();
}
