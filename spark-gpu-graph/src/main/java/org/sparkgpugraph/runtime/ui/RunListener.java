package org.sparkgpugraph.runtime.ui;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;
import org.sparkgpugraph.runtime.report.RunAccount;
import org.sparkgpugraph.runtime.report.RunCollector;

/**
 * Keeps what runs tell in the store of the UI: of runs that go on now and then, of others when they
 * have ended. The oldest runs are forgotten when there is too much. One thread calls it, but for
 * {@link #flush}.
 */
final class RunListener extends SparkListener {
  /** Runs that are kept. */
  static final int MOST_RUNS = 1000;

  /** Points of charts that are kept, of all runs: about 12 MB. */
  static final int MOST_POINTS = 100_000;

  private static final long WRITE_NANOS = 1_000_000_000L;

  private final RunStore store;
  private final boolean live;
  private final LongSupplier clock;
  private final Map<String, Open> open = new HashMap<>();
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();
  private long next;
  private long points;

  /** A run that goes on. */
  private static final class Open {
    private final RunCollector run;
    private long written;

    private Open(RunCollector run, long written) {
      this.run = run;
      this.written = written;
    }
  }

  /** A run that has ended. */
  private record Kept(long id, int points) {}

  /**
   * @param live whether somebody may look at runs before they end
   * @param clock nanoseconds
   */
  RunListener(RunStore store, boolean live, LongSupplier clock) {
    this.store = store;
    this.live = live;
    this.clock = clock;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof GraphRunStarted started) {
      begin(started);
    } else if (event instanceof GraphSuperstep superstep) {
      superstep(superstep);
    } else if (event instanceof GraphRunEnded ended) {
      end(ended);
    }
  }

  private synchronized void begin(GraphRunStarted started) {
    Open run = new Open(new RunCollector(next++, started), clock.getAsLong());
    open.put(started.run(), run);
    if (live) {
      store.write(run.run.account());
    }
  }

  private synchronized void superstep(GraphSuperstep superstep) {
    Open run = open.get(superstep.run());
    if (run == null) {
      return;
    }
    run.run.superstep(superstep);
    long now = clock.getAsLong();
    if (live && now - run.written >= WRITE_NANOS) {
      run.written = now;
      store.write(run.run.account());
    }
  }

  private synchronized void end(GraphRunEnded ended) {
    Open run = open.remove(ended.run());
    if (run == null) {
      return;
    }
    run.run.ended(ended);
    RunAccount account = run.run.account();
    store.write(account);
    kept.add(new Kept(account.head().id(), account.supersteps().size()));
    points += account.supersteps().size();
    while (kept.size() > MOST_RUNS || points > MOST_POINTS) {
      Kept oldest = kept.remove();
      points -= oldest.points();
      store.delete(oldest.id());
    }
  }

  /** All that is known is to be in the store: of a log that is read, this was its end. */
  synchronized void flush() {
    open.values().forEach(run -> store.write(run.run.account()));
  }
}
