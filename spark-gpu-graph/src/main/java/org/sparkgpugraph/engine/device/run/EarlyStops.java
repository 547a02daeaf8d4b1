package org.sparkgpugraph.engine.device.run;

import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.settings.StopSettings;

/**
 * Which supersteps of a run let rows stop early ({@code sgg/stopping.cuh}): those that would gather
 * more than {@link StopSettings} say, when most active vertices say the best that any does.
 */
final class EarlyStops {
  /** Of a run whose rows never stop. */
  static final EarlyStops NEVER = new EarlyStops(null, StopSettings.NEVER, 0);

  private final DeviceTeam team;
  private final StopSettings settings;
  private final double size;
  private boolean near;
  private boolean stopped;
  private long supersteps;

  /**
   * @param team of one device, with one partition
   * @param size vertices and edges of the graph
   */
  EarlyStops(DeviceTeam team, StopSettings settings, long size) {
    this.team = team;
    this.settings = settings;
    this.size = size;
  }

  /** Queues, behind a superstep, the search for what active vertices say next. */
  void seek(DevicePartition partition, boolean pushed) {
    if (settings.stops()) {
      partition.bound(pushed);
    }
  }

  /**
   * Takes what was found, once the superstep is done.
   *
   * @param stops whether rows stopped early in it
   */
  void found(boolean stops) {
    if (!settings.stops()) {
      return;
    }
    long attaining = team.word(0, StatusWord.ATTAINING);
    long others = team.word(0, StatusWord.OTHERS);
    near = attaining > 0 && attaining >= others;
    stopped = stops;
    supersteps += stops ? 1 : 0;
    if (near) {
      team.partition(0).stopAt(team.word(0, StatusWord.BOUND), others == 0);
    }
  }

  /** Nothing is known of what comes next: values were restored. */
  void forget() {
    near = false;
    stopped = false;
  }

  /** Whether rows of the next superstep stop early if it gathers. */
  boolean now() {
    return near;
  }

  /**
   * The most work that the next superstep pushes.
   *
   * @param limit the same where rows do not stop early
   */
  long limit(long limit) {
    return near ? Math.min(limit, part(stopped ? settings.until() : settings.from())) : limit;
  }

  /** The most work that a launch of several supersteps that push goes on with. */
  long launchLimit(long limit) {
    return settings.stops() ? Math.min(limit, part(settings.from())) : limit;
  }

  private long part(double share) {
    return (long) (share * size);
  }

  /** Supersteps in which rows stopped early. */
  long supersteps() {
    return supersteps;
  }
}
