package org.sparkgpugraph.runtime.stage;

import java.util.List;

/** A run over several executors must be set back: state is lost. On the driver, inside the loop. */
public final class ShardsLostException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean failure;
  private final boolean unreadable;
  private final List<Integer> edgesLost;

  /**
   * @param failure whether something has failed that may well fail again
   */
  ShardsLostException(String why, Throwable cause, boolean failure) {
    this(why, cause, failure, false, List.of());
  }

  private ShardsLostException(
      String why, Throwable cause, boolean failure, boolean unreadable, List<Integer> edgesLost) {
    super(why, cause);
    this.failure = failure;
    this.unreadable = unreadable;
    this.edgesLost = edgesLost;
  }

  /** The checkpoint that a shard was to go back to cannot be read. */
  static ShardsLostException ofCheckpoint(String why) {
    return new ShardsLostException(why, null, false, true, List.of());
  }

  /**
   * Edges cannot be read any more where they are.
   *
   * @param shards that are to be loaded again
   * @param cause of one of them
   */
  static ShardsLostException ofEdges(String why, Throwable cause, List<Integer> shards) {
    return new ShardsLostException(why, cause, true, false, List.copyOf(shards));
  }

  /** Whether the last checkpoint is of no use. */
  public boolean isUnreadable() {
    return unreadable;
  }

  /** Shards whose executors live, that are to be loaded again. */
  public List<Integer> edgesLost() {
    return edgesLost;
  }

  /** Whether it may well happen again. */
  boolean isFailure() {
    return failure;
  }
}
