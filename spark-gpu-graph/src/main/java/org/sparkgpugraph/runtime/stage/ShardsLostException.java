package org.sparkgpugraph.runtime.stage;

/** A run over several executors must be set back: state is lost. On the driver, inside the loop. */
public final class ShardsLostException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean failure;
  private final boolean unreadable;

  /**
   * @param failure whether something has failed that may well fail again
   */
  ShardsLostException(String why, Throwable cause, boolean failure) {
    this(why, cause, failure, false);
  }

  /**
   * @param unreadable whether the checkpoint that a shard was to go back to cannot be read
   */
  ShardsLostException(String why, Throwable cause, boolean failure, boolean unreadable) {
    super(why, cause);
    this.failure = failure;
    this.unreadable = unreadable;
  }

  /** Whether the last checkpoint is of no use. */
  public boolean isUnreadable() {
    return unreadable;
  }

  /** Whether it may well happen again. */
  boolean isFailure() {
    return failure;
  }
}
