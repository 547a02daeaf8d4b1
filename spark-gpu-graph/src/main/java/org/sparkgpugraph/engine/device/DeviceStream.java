package org.sparkgpugraph.engine.device;

/**
 * A queue of commands that a device runs in order. Commands return at once; an error that a kernel
 * causes is thrown by a later call, {@link #synchronize()} at the latest.
 */
public interface DeviceStream extends AutoCloseable {
  /**
   * Launches a kernel whose only parameter is a struct, by value.
   *
   * @param blocks number of thread blocks, at least 1
   * @param threads threads per block, a multiple of 32
   * @param arguments the bytes of the struct; copied before the call returns
   */
  default void launch(DeviceKernel kernel, int blocks, int threads, byte[] arguments) {
    launch(kernel, blocks, threads, 0, arguments);
  }

  /**
   * As above.
   *
   * @param sharedBytes shared memory that each block gets beside what the kernel declares
   */
  void launch(DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments);

  /**
   * As {@link #launch}, of blocks that are all on the device at the same time and may wait for each
   * other.
   *
   * @param blocks no more than {@link DeviceKernel#blocksPerMultiprocessor} on each multiprocessor
   * @param sharedBytes shared memory that each block gets beside what the kernel declares
   */
  void launchCooperative(
      DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments);

  /** Sets bytes to a value. */
  void fill(DeviceMemory memory, long offset, long bytes, byte value);

  /** Copies between buffers of this device, or of this one and a peer. */
  void copy(DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes);

  /** Copies to the device; the host memory must stay as it is until the copy is done. */
  void upload(PinnedMemory from, int fromOffset, DeviceMemory to, long toOffset, int bytes);

  /** Copies from the device; the host memory is ready after {@link #synchronize()}. */
  void download(DeviceMemory from, long fromOffset, PinnedMemory to, int toOffset, int bytes);

  /** An event that happens when the commands so far are done. */
  DeviceEvent record();

  /** Holds the commands to come until an event (of any stream) has happened. */
  void waitFor(DeviceEvent event);

  /** Waits until all commands are done and throws what one of them caused. */
  void synchronize();

  @Override
  void close();
}
