package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;

/**
 * When supersteps push, and how many threads do it. Work is the number of active vertices and of
 * their edges.
 *
 * @param share supersteps push while their work is at most this part of all vertices and edges
 * @param blockWork work up to which one block runs outlined supersteps: its barrier costs least
 * @param threadWork work per thread up to which each multiprocessor has one block; with more, all
 *     that fit
 * @param bucket how far above the least value one may be in order not to be put off, in mean edge
 *     values; 0: nothing is put off
 * @param rounds most supersteps of a launch
 * @param meets whether devices that write each other's memory meet behind each superstep of a
 *     launch, not behind the launch only
 * @param searches whether supersteps that push and those whose rows stop early follow each other in
 *     one launch
 * @param async how values are relaxed without supersteps
 * @param schedule who walks the edges of active vertices
 * @param delegate how messages are merged by servers
 * @param stops when rows that gather stop early instead
 */
public record PushSettings(
    double share,
    long blockWork,
    long threadWork,
    double bucket,
    int rounds,
    boolean meets,
    boolean searches,
    AsyncSettings async,
    WalkSchedule schedule,
    DelegateSettings delegate,
    StopSettings stops)
    implements Serializable {
  /**
   * An eighth of the graph; 512 active vertices and edges; 16 per thread; 32 edge values; 512
   * supersteps, in which devices meet.
   */
  public static final PushSettings DEFAULT = new PushSettings(1 / 8.0, 512, 16, 32, 512);

  /**
   * With meetings, searches in one launch, {@link AsyncSettings#DEFAULT}, {@link
   * WalkSchedule#DEFAULT}, {@link DelegateSettings#DEFAULT} and {@link StopSettings#DEFAULT}.
   */
  public PushSettings(double share, long blockWork, long threadWork, double bucket, int rounds) {
    this(
        share,
        blockWork,
        threadWork,
        bucket,
        rounds,
        true,
        true,
        AsyncSettings.DEFAULT,
        WalkSchedule.DEFAULT,
        DelegateSettings.DEFAULT,
        StopSettings.DEFAULT);
  }

  public PushSettings {
    Objects.requireNonNull(async, "async");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(delegate, "delegate");
    Objects.requireNonNull(stops, "stops");
    if (!(share >= 0) || blockWork < 0 || threadWork < 0 || !(bucket >= 0) || rounds < 1) {
      throw new IllegalArgumentException(
          "share "
              + share
              + ", blockWork "
              + blockWork
              + ", threadWork "
              + threadWork
              + " and bucket "
              + bucket
              + " must not be negative, rounds "
              + rounds
              + " at least 1");
    }
  }

  /** The same where supersteps push that have another part of the graph to do. */
  public PushSettings withShare(double other) {
    return RecordCopy.with(this, Map.of("share", other));
  }

  /** The same with another way to relax without supersteps. */
  public PushSettings withAsync(AsyncSettings other) {
    return RecordCopy.with(this, Map.of("async", other));
  }

  /** The same with devices that meet, or do not. */
  public PushSettings withMeets(boolean other) {
    return RecordCopy.with(this, Map.of("meets", other));
  }

  /** The same with searches in one launch, or superstep by superstep. */
  public PushSettings withSearches(boolean other) {
    return RecordCopy.with(this, Map.of("searches", other));
  }

  /** The same with others who walk edges. */
  public PushSettings withSchedule(WalkSchedule other) {
    return RecordCopy.with(this, Map.of("schedule", other));
  }

  /** The same with another way to merge by servers. */
  public PushSettings withDelegate(DelegateSettings other) {
    return RecordCopy.with(this, Map.of("delegate", other));
  }

  /** The same where rows stop early at another time. */
  public PushSettings withStops(StopSettings other) {
    return RecordCopy.with(this, Map.of("stops", other));
  }
}
