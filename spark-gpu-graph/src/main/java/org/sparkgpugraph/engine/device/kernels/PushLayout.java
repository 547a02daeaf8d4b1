package org.sparkgpugraph.engine.device.kernels;

/** How a queue of active vertices is laid out; kernels know it by {@link SharedWords}. */
public final class PushLayout {
  /** Edges of an item of the queue at most: a vertex with more has several items. */
  public static final int PART = 256;

  /**
   * Of a launch whose supersteps push or let rows stop early ({@code sgg/search.cuh}): where it
   * stands how many supersteps it did …
   */
  public static final int SEARCH_ROUNDS = 0;

  /** … and the device's clock when it began. */
  public static final int SEARCH_BEGAN = 1;

  /** Words of the launch, before those of its supersteps. */
  public static final int SEARCH_WORDS = 2;

  /**
   * Of a superstep of such a launch: where the {@link RingWord}s of one that pushes are, behind its
   * {@link StatusWord}s.
   */
  public static final int SEARCH_RING = StatusWord.COUNT;

  /** … where it stands whether rows stopped early … */
  public static final int SEARCH_STOPPED = SEARCH_RING + RingWord.COUNT;

  /** … and how many words these are. */
  public static final int SEARCH_ENTRY = SEARCH_STOPPED + 1;

  /** Most supersteps of such a launch: the host reads their entries. */
  public static final int MOST_SEARCHED = 32;

  /** Words of a launch and all its supersteps. */
  public static final int SEARCH_ALL = SEARCH_WORDS + SEARCH_ENTRY * MOST_SEARCHED;

  /** Small supersteps one after the other behind which it ends. */
  public static final int SEARCH_CALM = 8;

  private PushLayout() {}

  /** Items that are enough for any set of active vertices. */
  public static long capacity(long vertices, long edges) {
    return vertices + edges / PART + 1;
  }
}
