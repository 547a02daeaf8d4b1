package org.sparkgpugraph.engine.device.settings;

import org.sparkgpugraph.engine.device.DeviceProperties;

/** How many blocks of how many threads a kernel is launched with. */
public final class LaunchSize {
  /** Threads of a block, in every launch. */
  public static final int BLOCK = 256;

  /** Warps of a block. */
  public static final int WARPS = BLOCK / DeviceProperties.WARP;

  private LaunchSize() {}

  /** Most blocks of a launch: as many as the device holds at a time. */
  public static int maxBlocks(DeviceProperties properties) {
    return properties.multiprocessors()
        * Math.max(1, properties.threadsPerMultiprocessor() / BLOCK);
  }

  /**
   * Blocks of a launch.
   *
   * @param rows number of rows
   * @param lanes threads per row
   * @param most most blocks
   */
  public static int blocks(long rows, int lanes, int most) {
    return (int) Math.max(1, Math.min(most, (rows * lanes + BLOCK - 1) / BLOCK));
  }
}
