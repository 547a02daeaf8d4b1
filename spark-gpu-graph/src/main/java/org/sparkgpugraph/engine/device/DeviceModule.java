package org.sparkgpugraph.engine.device;

/** Compiled kernels, loaded on a device. */
public interface DeviceModule extends AutoCloseable {
  /**
   * A kernel by its name in the source.
   *
   * @throws DeviceException when there is none
   */
  DeviceKernel kernel(String name);

  @Override
  void close();
}
