package org.sparkgpugraph.runtime.stage;

/**
 * When tasks are asked to stay. A stage that carried no more than the work that it was submitted
 * for has brought nothing, and its shards have said that twice: as if tasks did not come together,
 * supersteps or observers take longer than they may stay. Twice as many ordinary stages as the last
 * time are submitted then.
 */
final class StandingAttempts {
  /** Most stages between two attempts. */
  private static final int MOST_ORDINARY = 64;

  private int ordinary;
  private int ordinaryNext = 1;

  /** Whether the tasks of the next stage may stay; asked once for each stage. */
  boolean isDue() {
    return --ordinary < 0;
  }

  /**
   * The tasks of a stage have stayed.
   *
   * @param orders how many were begun, with the first work
   */
  void ended(int orders) {
    ordinaryNext = orders > 1 ? 1 : Math.min(2 * ordinaryNext, MOST_ORDINARY);
    ordinary = orders > 1 ? 0 : ordinaryNext;
  }
}
