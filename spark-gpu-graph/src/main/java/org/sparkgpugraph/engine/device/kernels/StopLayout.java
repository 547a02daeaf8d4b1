package org.sparkgpugraph.engine.device.kernels;

/** What the blocks leave that look for the best message ({@code sgg/stopping.cuh}). */
public final class StopLayout {
  /** Most blocks. */
  public static final int BLOCKS = 512;

  /** 64-bit words of a block: the best key, how many say it, and how many others there are. */
  public static final int WORDS = 3;

  private StopLayout() {}
}
