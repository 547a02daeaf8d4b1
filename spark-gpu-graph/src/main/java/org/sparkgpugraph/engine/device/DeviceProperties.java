package org.sparkgpugraph.engine.device;

/**
 * What a device is and can do.
 *
 * @param name as its driver calls it
 * @param ordinal its number among the devices that this process sees
 * @param major compute capability: 9 for an H200 …
 * @param minor … and 0
 * @param multiprocessors number of streaming multiprocessors
 * @param threadsPerMultiprocessor most threads that one holds at a time
 * @param sharedBytes most shared memory that a launch can give a block
 * @param totalMemory bytes
 * @param cooperative whether the blocks of a launch may wait for each other
 * @param emulated whether it is none but in name: a launch takes no time beside what it does
 */
public record DeviceProperties(
    String name,
    int ordinal,
    int major,
    int minor,
    int multiprocessors,
    int threadsPerMultiprocessor,
    int sharedBytes,
    long totalMemory,
    boolean cooperative,
    boolean emulated) {
  /** Lanes of a warp, on every device. */
  public static final int WARP = 32;

  /** Compute capability as one number: 90 for 9.0. */
  public int architecture() {
    return 10 * major + minor;
  }
}
