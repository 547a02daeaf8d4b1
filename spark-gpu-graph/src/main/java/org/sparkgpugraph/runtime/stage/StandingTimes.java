package org.sparkgpugraph.runtime.stage;

/**
 * How long tasks that {@linkplain StandingStage stay} keep their slots.
 *
 * @param standingMillis from their first work on; 0: they do not stay
 * @param gatheringMillis those that have come while one has not
 * @param idleMillis for a driver that has no work for them: its observers may be waiting for a job
 *     that needs these slots
 */
public record StandingTimes(int standingMillis, int gatheringMillis, int idleMillis) {
  private static final int GATHERING_MILLIS = 300;
  private static final int IDLE_MILLIS = 100;

  /**
   * As the setting says.
   *
   * @param standingMillis 0: they do not stay
   */
  public static StandingTimes of(int standingMillis) {
    return new StandingTimes(standingMillis, GATHERING_MILLIS, IDLE_MILLIS);
  }
}
