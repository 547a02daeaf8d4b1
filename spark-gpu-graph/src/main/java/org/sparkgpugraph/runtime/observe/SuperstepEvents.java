package org.sparkgpugraph.runtime.observe;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * Makes events of supersteps: one each, unless thousands follow each other within seconds. Spark's
 * listener queues hold 10 000 events and drop what comes too fast, Spark's own among it; so after
 * the first {@value #BURST} no more than {@value #PER_SECOND} per second are posted, and those in
 * between are added to the next one. A run of very many supersteps must not fill the event log
 * either: from the {@value #FREE}th event on one sums up at least a thousandth of the supersteps
 * before, or 10 seconds, so that 100 000 supersteps are some 6000 events. Not thread-safe.
 */
public final class SuperstepEvents {
  public static final int BURST = 500;
  static final int PER_SECOND = 100;

  /** Events that are posted without a look at how many there are. */
  public static final int FREE = 2000;

  private static final int SHARE = 1000;
  private static final long LONGEST_NANOS = 10_000_000_000L;

  private final String run;
  private final Consumer<SparkListenerEvent> bus;
  private final LongSupplier clock;
  private double tokens = BURST;
  private long refilled;

  private int last = -1;
  private int posted;
  private long done;
  private long flushed;

  /** What was held back; null: nothing. */
  private SuperstepStats sum;

  private int supersteps;
  private long fullExchangeBytes;
  private long sparkNanos;

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
   * @param sparks nanoseconds beside those that executors know of
   */
  public void add(SuperstepStats stats, long fullBytes, long sparks) {
    if (stats.superstep() <= last) {
      // The run has started again: sums of both would mean nothing.
      flush();
    }
    last = stats.superstep();
    sum = sum == null ? stats : sum.plus(stats);
    supersteps++;
    fullExchangeBytes += fullBytes;
    sparkNanos += sparks;
    long now = clock.getAsLong();
    tokens = Math.min(BURST, tokens + (now - refilled) / 1e9 * PER_SECOND);
    refilled = now;
    done++;
    if (tokens >= 1 && isWorthAnEvent(now)) {
      tokens--;
      posted++;
      flushed = now;
      flush();
    }
  }

  private boolean isWorthAnEvent(long now) {
    return posted < FREE || (long) supersteps * SHARE >= done || now - flushed >= LONGEST_NANOS;
  }

  /** Posts what was held back. */
  public void flush() {
    if (sum == null) {
      return;
    }
    SuperstepTimes times = sum.times();
    bus.accept(
        new GraphSuperstep(
            run,
            sum.superstep(),
            supersteps,
            String.valueOf(sum.kernel()),
            sum.verticesRun(),
            sum.activeVertices(),
            sum.edgesEvaluated(),
            RunMetrics.rate(sum),
            sum.boundaryUpdates(),
            sum.boundaryBytes(),
            fullExchangeBytes,
            sum.nanos() / 1e9,
            times.kernelNanos() / 1e9,
            (times.hubNanos() + times.codecNanos() + times.stagingNanos()) / 1e9,
            times.shardNanos() / 1e9,
            sparkNanos / 1e9));
    sum = null;
    supersteps = 0;
    fullExchangeBytes = 0;
    sparkNanos = 0;
  }
}
