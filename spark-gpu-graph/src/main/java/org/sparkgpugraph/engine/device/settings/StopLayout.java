package org.sparkgpugraph.engine.device.settings;

/** What the blocks leave that look for the best message ({@code sgg/stopping.cuh}). */
public final class StopLayout {
  /** Most blocks. */
  public static final int BLOCKS = 512;

  /** … where they do so between the supersteps of a launch ({@code sgg/search.cuh}). */
  public static final int SEARCH_BLOCKS = 1024;

  /** 64-bit words of a block: the best key, how many say it, and how many others there are. */
  public static final int WORDS = 3;

  /** The best key where what active vertices say over some edge is not known: a sum overflows. */
  public static final long UNKNOWN = -1;

  /** Behind what active vertices are asked, which decides where it stands who is active. */
  public enum Behind {
    /** A superstep that gathered. */
    GATHERED,

    /** Supersteps that pushed. */
    PUSHED,

    /** The begin of the superstep itself. */
    BEGUN
  }

  private StopLayout() {}
}
