package org.sparkgpugraph.runtime.report;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.sparkgpugraph.runtime.event.GraphProgramRefused;
import org.sparkgpugraph.runtime.event.GraphResultCollected;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * Makes {@link RunAccount}s of the events of an application, and keeps them in a {@link Shelf}: of
 * runs that go on now and then, of others when they have ended. When there is too much the oldest
 * are taken from the shelf. Thread-safe.
 */
public final class Accounts {
  /** Runs that are kept. */
  static final int MOST_RUNS = 1000;

  /** Points of charts that are kept, of all runs: about 12 MB. */
  static final int MOST_POINTS = 100_000;

  private static final long WRITE_NANOS = 1_000_000_000L;

  /** Runs that have ended and whose result may be collected still. */
  private static final int MOST_ENDED = 64;

  private final Shelf shelf;
  private final boolean live;
  private final LongSupplier clock;

  // Guarded by this.
  private final Map<String, Open> open = new HashMap<>();
  private final LinkedHashMap<String, RunAccount> ended = new LinkedHashMap<>();
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();
  private List<String> refused = List.of();
  private long runs;
  private long refusals;
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

  /** Where accounts are kept. */
  public interface Shelf {
    /** Keeps an account, in the place of an earlier one of the run. */
    void put(RunAccount run);

    /** Forgets a run. */
    void remove(long run);

    /** Keeps a refusal. */
    void put(Refusal refusal);

    /** Forgets a refusal. */
    void removeRefusal(long refusal);
  }

  /**
   * @param live whether somebody may look at runs before they end
   * @param clock nanoseconds
   */
  public Accounts(Shelf shelf, boolean live, LongSupplier clock) {
    this.shelf = shelf;
    this.live = live;
    this.clock = clock;
  }

  /** Takes what Spark's listeners are told; what is not of this library is ignored. */
  public synchronized void take(Object event) {
    if (event instanceof GraphSuperstep superstep) {
      superstep(superstep);
    } else if (event instanceof GraphRunStarted started) {
      begin(started);
    } else if (event instanceof GraphRunExecutor executor) {
      Open run = open.get(executor.run());
      if (run != null) {
        run.run.executor(executor);
      }
    } else if (event instanceof GraphRunEnded end) {
      end(end);
    } else if (event instanceof GraphResultCollected collected) {
      collected(collected);
    } else if (event instanceof GraphProgramRefused refusal) {
      refuse(refusal);
    }
  }

  private void refuse(GraphProgramRefused refusal) {
    refused = refusal.instead().equals("graphx") ? refusal.reasons() : List.of();
    shelf.put(new Refusal(refusals++, refusal));
    if (refusals > MOST_RUNS) {
      shelf.removeRefusal(refusals - MOST_RUNS - 1);
    }
  }

  private void begin(GraphRunStarted started) {
    // A program falls back right behind its refusal.
    List<String> why = started.engine().equals("graphx") ? refused : List.of();
    refused = List.of();
    Open run = new Open(new RunCollector(runs++, started, why), clock.getAsLong());
    open.put(started.run(), run);
    if (live) {
      shelf.put(run.run.account());
    }
  }

  private void superstep(GraphSuperstep superstep) {
    Open run = open.get(superstep.run());
    if (run == null) {
      return;
    }
    run.run.superstep(superstep);
    long now = clock.getAsLong();
    if (live && now - run.written >= WRITE_NANOS) {
      run.written = now;
      shelf.put(run.run.account());
    }
  }

  private void end(GraphRunEnded event) {
    Open run = open.remove(event.run());
    if (run == null) {
      return;
    }
    run.run.ended(event);
    RunAccount account = run.run.account();
    shelf.put(account);
    ended.put(event.run(), account);
    if (ended.size() > MOST_ENDED) {
      ended.remove(ended.keySet().iterator().next());
    }
    kept.add(new Kept(account.head().id(), account.supersteps().size()));
    points += account.supersteps().size();
    while (kept.size() > MOST_RUNS || points > MOST_POINTS) {
      Kept oldest = kept.remove();
      points -= oldest.points();
      shelf.remove(oldest.id());
      ended.values().removeIf(one -> one.head().id() == oldest.id());
    }
  }

  private void collected(GraphResultCollected event) {
    RunAccount account = ended.remove(event.run());
    if (account != null) {
      shelf.put(account.with(account.head().collected(event.seconds())));
    }
  }

  /** All that is known is to be kept: of a log that is read, this was its end. */
  public synchronized void flush() {
    open.values().forEach(run -> shelf.put(run.run.account()));
  }
}
