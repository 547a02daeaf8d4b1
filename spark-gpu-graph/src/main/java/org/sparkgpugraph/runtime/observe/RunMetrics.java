package org.sparkgpugraph.runtime.observe;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Totals of all runs of this process since it started, whether anybody asks for them or not. There
 * are two: an executor's count what its own tasks did, the driver's what whole runs did; with a
 * local master both are in one process. Thread-safe.
 */
public final class RunMetrics {
  private static final RunMetrics EXECUTOR = new RunMetrics();
  private static final RunMetrics DRIVER = new RunMetrics();

  private final LongAdder started = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicLong running = new AtomicLong();
  private final LongAdder supersteps = new LongAdder();
  private final LongAdder edges = new LongAdder();
  private final LongAdder boundaryUpdates = new LongAdder();
  private final LongAdder exchangedBytes = new LongAdder();
  private final LongAdder fullExchangeBytes = new LongAdder();
  private final LongAdder kernelNanos = new LongAdder();
  private final AtomicLong activeVertices = new AtomicLong();
  private volatile double edgesPerSecond;

  public RunMetrics() {}

  /** What this process did as an executor. */
  public static RunMetrics executor() {
    return EXECUTOR;
  }

  /** What this process did as a driver. */
  static RunMetrics driver() {
    return DRIVER;
  }

  /** A run begins; {@link Meter#close} ends it. */
  public Meter begin() {
    started.increment();
    running.incrementAndGet();
    return new Meter();
  }

  /** One run's share; used by one thread at a time. */
  public final class Meter implements AutoCloseable {
    private long active;
    private boolean closed;

    private Meter() {}

    /**
     * A superstep ended.
     *
     * @param fullBytes what a full-vertex exchange would have moved
     * @param deviceNanos time on the device, or on the cores
     */
    public void superstep(SuperstepStats stats, long fullBytes, long deviceNanos) {
      supersteps.increment();
      edges.add(stats.edgesEvaluated());
      boundaryUpdates.add(stats.boundaryUpdates());
      exchangedBytes.add(stats.boundaryBytes());
      fullExchangeBytes.add(fullBytes);
      kernelNanos.add(deviceNanos);
      activeVertices.addAndGet(stats.activeVertices() - active);
      active = stats.activeVertices();
      edgesPerSecond = rate(stats);
    }

    /** The run has failed; it is to be closed still. */
    public void fail() {
      failed.increment();
    }

    /** The run is over; a second time is harmless. */
    @Override
    public void close() {
      if (!closed) {
        closed = true;
        running.decrementAndGet();
        activeVertices.addAndGet(-active);
        active = 0;
      }
    }
  }

  /** Edges that a superstep evaluated per second. */
  static double rate(SuperstepStats stats) {
    return stats.nanos() <= 0 ? 0 : stats.edgesEvaluated() * 1e9 / stats.nanos();
  }

  /**
   * Registers a gauge for each.
   *
   * @param prefix of the names
   */
  public void register(MetricRegistry registry, String prefix) {
    gauge(registry, prefix + "runsStarted", started::sum);
    gauge(registry, prefix + "runsFailed", failed::sum);
    gauge(registry, prefix + "runsRunning", running::get);
    gauge(registry, prefix + "supersteps", supersteps::sum);
    gauge(registry, prefix + "activeVertices", activeVertices::get);
    gauge(registry, prefix + "edgesEvaluated", edges::sum);
    gauge(registry, prefix + "edgesPerSecond", () -> edgesPerSecond);
    gauge(registry, prefix + "boundaryUpdates", boundaryUpdates::sum);
    gauge(registry, prefix + "exchangedBytes", exchangedBytes::sum);
    gauge(registry, prefix + "fullExchangeBytes", fullExchangeBytes::sum);
    gauge(registry, prefix + "kernelMillis", () -> kernelNanos.sum() / 1_000_000);
  }

  /** Registers one gauge. */
  static <T> void gauge(MetricRegistry registry, String name, Supplier<T> value) {
    registry.register(name, (Gauge<T>) value::get);
  }
}
