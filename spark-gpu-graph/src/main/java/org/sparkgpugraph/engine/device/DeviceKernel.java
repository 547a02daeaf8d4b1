package org.sparkgpugraph.engine.device;

/** A kernel that can be launched. */
public interface DeviceKernel {
  /** Its name in the source. */
  String name();

  /** Registers per thread (0 where that means nothing). */
  int registers();

  /** Bytes per thread that did not fit in registers or are arrays: spills, when not 0. */
  int localBytes();

  /**
   * Most blocks of a size that one multiprocessor holds at a time.
   *
   * @param sharedBytes shared memory of a block beside what the kernel declares
   */
  int blocksPerMultiprocessor(int threads, int sharedBytes);
}
