package org.sparkgpugraph.runtime.observe;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * Makes events of supersteps: one each, unless thousands follow each other within seconds. Spark's
 * listener queues hold 10 000 events and drop what comes too fast, Spark's own among it; so after
 * the first {@value #BURST} no more than {@value #PER_SECOND} per second are posted, and those in
 * between are added to the next one. Not thread-safe.
 */
public final class SuperstepEvents {
  public static final int BURST = 500;
  static final int PER_SECOND = 100;

  private final String run;
  private final Consumer<SparkListenerEvent> bus;
  private final LongSupplier clock;
  private double tokens = BURST;
  private long refilled;

  private SuperstepStats last;
  private int supersteps;
  private long verticesRun;
  private long edgesEvaluated;
  private long boundaryUpdates;
  private long exchangedBytes;
  private long fullExchangeBytes;
  private long nanos;

  /**
   * @param run key of the run
   * @param bus where events go
   * @param clock nanoseconds
   */
  public SuperstepEvents(String run, Consumer<SparkListenerEvent> bus, LongSupplier clock) {
    this.run = run;
    this.bus = bus;
    this.clock = clock;
    this.refilled = clock.getAsLong();
  }

  /**
   * A superstep ended.
   *
   * @param fullBytes what a full-vertex exchange would have moved
   */
  public void add(SuperstepStats stats, long fullBytes) {
    if (last != null && stats.superstep() <= last.superstep()) {
      // The run has started again: sums of both would mean nothing.
      flush();
    }
    last = stats;
    supersteps++;
    verticesRun += stats.verticesRun();
    edgesEvaluated += stats.edgesEvaluated();
    boundaryUpdates += stats.boundaryUpdates();
    exchangedBytes += stats.boundaryBytes();
    fullExchangeBytes += fullBytes;
    nanos += stats.nanos();
    long now = clock.getAsLong();
    tokens = Math.min(BURST, tokens + (now - refilled) / 1e9 * PER_SECOND);
    refilled = now;
    if (tokens >= 1) {
      tokens--;
      flush();
    }
  }

  /** Posts what was held back. */
  public void flush() {
    if (supersteps == 0) {
      return;
    }
    bus.accept(
        new GraphSuperstep(
            run,
            last.superstep(),
            supersteps,
            String.valueOf(last.kernel()),
            verticesRun,
            last.activeVertices(),
            edgesEvaluated,
            nanos <= 0 ? 0 : edgesEvaluated * 1e9 / nanos,
            boundaryUpdates,
            exchangedBytes,
            fullExchangeBytes,
            nanos / 1e9));
    supersteps = 0;
    verticesRun = 0;
    edgesEvaluated = 0;
    boundaryUpdates = 0;
    exchangedBytes = 0;
    fullExchangeBytes = 0;
    nanos = 0;
  }
}
