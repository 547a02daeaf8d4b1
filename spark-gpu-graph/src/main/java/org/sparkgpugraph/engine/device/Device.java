package org.sparkgpugraph.engine.device;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A GPU, or an emulated one: memory, streams, kernels. Everything the device engine needs and no
 * more. Thread-safe: any thread may call, an implementation makes its context current itself.
 *
 * <p>Every method throws {@link DeviceException} with the operation and the device's own error name
 * when the device refuses; {@link DeviceLostException} when it can never be used again in this
 * process.
 */
public interface Device extends AutoCloseable {
  /** What the device is and can do. */
  DeviceProperties properties();

  /** Free and total memory now, other processes counted. */
  MemoryInfo memory();

  /**
   * Allocates device memory; its content is undefined. Zero bytes are legal.
   *
   * @param bytes how much
   * @param purpose what for, in messages and leak reports: {@code "in-edge sources of partition 0"}
   * @throws DeviceOutOfMemoryException names the bytes wanted and free, and the purpose
   */
  DeviceMemory allocate(long bytes, String purpose);

  /**
   * The host's memory that kernels of the device can read where it lies.
   *
   * @param free tells the bytes that {@link #allocateSplit} may take now; to ask takes a while
   * @param page bytes of a page: the part of an array that is on the device is whole pages
   */
  record HostRoom(LongSupplier free, long page) {}

  /**
   * What {@link #allocateSplit} may take now; empty where kernels cannot read the host's memory.
   */
  Optional<HostRoom> hostRoom();

  /**
   * Allocates memory under one address of which only the first part is on the device. The rest lies
   * in the host's memory, and stays there: kernels read it over the bus.
   *
   * @param bytes how much
   * @param own how much of it is on the device; less than a page more or less
   * @param purpose what for, as in {@link #allocate}
   * @throws DeviceOutOfMemoryException when the device, or the host, has not so much; names both
   *     parts
   */
  DeviceMemory allocateSplit(long bytes, long own, String purpose);

  /**
   * Names what is freed when others need the memory of this device. Those that have all of it for
   * themselves never ask.
   */
  default void reclaimFrom(Reclaimable reclaimable) {}

  /** Allocates page-locked host memory, native byte order. */
  PinnedMemory allocatePinned(int bytes);

  /** A new stream: commands in it run in order, those of different streams side by side. */
  DeviceStream newStream();

  /**
   * Compiles kernels for this device, or finds them in a cache, and loads them.
   *
   * @throws KernelCompilationException with the compiler's log and the generated source
   * @throws CompilerUnavailableException when there is neither a compiler nor a precompiled form
   */
  DeviceModule load(KernelSource source);

  /** Whether kernels of this device can read memory of another one directly. */
  boolean canAccess(Device peer);

  /** Lets kernels of this device read memory of another one. Asking twice is harmless. */
  void enableAccess(Device peer);

  /**
   * Copies from a Java array to the device; done on return.
   *
   * @param array {@code boolean[]} (a byte 0 or 1 each), {@code int[]}, {@code long[]}, {@code
   *     float[]} or {@code double[]}
   * @param from first element
   * @param count number of elements
   * @param to where to
   * @param offset byte offset there
   */
  void upload(Object array, int from, int count, DeviceMemory to, long offset);

  /** Copies from the device to a Java array; done on return. */
  void download(DeviceMemory from, long offset, Object array, int to, int count);

  /**
   * A folder, this user's alone, in which what was found out about this kind of device is kept for
   * other processes; empty: there is none.
   */
  default Optional<Path> folder() {
    return Optional.empty();
  }

  /**
   * Bytes of the device's own memory that are allocated through this object and not yet closed: of
   * {@link #allocateSplit} the part that is there.
   */
  long allocatedBytes();

  /** Releases the device. Memory that is still allocated is freed and reported as leaked. */
  @Override
  void close();
}
