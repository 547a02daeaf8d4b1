package org.sparkgpugraph.engine.device.kernels;

import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/**
 * The tables in which {@code sgg/mode.cuh} counts the messages of a row; kernels know it by {@link
 * SharedWords}.
 */
public final class ModeLayout {
  /**
   * Places that a warp's table has room for, at three quarters of its slots; a multiple of 3.
   * Tables of all warps of a block take 24 KiB of shared memory: eight blocks fit a multiprocessor.
   */
  public static final int WARP_ROOM = 192;

  /** Slots of a warp's table. */
  static final int WARP_SLOTS = WARP_ROOM / 3 * 4;

  /** Places that a block's table has room for: those of all its warps. */
  public static final int BLOCK_ROOM = LaunchSize.BLOCK / DeviceProperties.WARP * WARP_ROOM;

  /** Most messages that an edge may send to one vertex. */
  static final int MOST_SENDS = 8;

  private ModeLayout() {}
}
