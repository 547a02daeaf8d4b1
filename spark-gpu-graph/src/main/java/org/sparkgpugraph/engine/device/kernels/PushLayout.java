package org.sparkgpugraph.engine.device.kernels;

/** How a queue of active vertices is laid out; kernels know it by {@link SharedWords}. */
public final class PushLayout {
  /** Edges of an item of the queue at most: a vertex with more has several items. */
  public static final int PART = 256;

  private PushLayout() {}

  /** Items that are enough for any set of active vertices. */
  public static long capacity(long vertices, long edges) {
    return vertices + edges / PART + 1;
  }
}
