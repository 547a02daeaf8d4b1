package io.sparkgpugraph.spark;

/** A run over several executors must be set back: state is lost. On the driver, inside the loop. */
final class ShardsLostException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean failure;

  /**
   * @param failure whether something has failed that may well fail again
   */
  ShardsLostException(String why, Throwable cause, boolean failure) {
    super(why, cause);
    this.failure = failure;
  }

  /** Whether it may well happen again. */
  boolean isFailure() {
    return failure;
  }
}
