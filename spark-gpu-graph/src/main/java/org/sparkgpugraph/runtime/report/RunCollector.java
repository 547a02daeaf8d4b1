package org.sparkgpugraph.runtime.report;

import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/** Makes a {@link RunAccount} of the events of one run. Not thread-safe. */
public final class RunCollector {
  private final long id;
  private final GraphRunStarted started;
  private final SuperstepSeries series = new SuperstepSeries();
  private int superstep;
  private long active = -1;
  private GraphRunEnded ended;

  /**
   * @param id number of the run
   */
  public RunCollector(long id, GraphRunStarted started) {
    this.id = id;
    this.started = started;
  }

  /** A superstep ended. */
  public void superstep(GraphSuperstep event) {
    superstep = event.superstep();
    active = event.activeVertices();
    series.add(event);
  }

  /** The run ended. */
  public void ended(GraphRunEnded event) {
    ended = event;
  }

  /** Whether it has ended. */
  public boolean hasEnded() {
    return ended != null;
  }

  /** What is known by now. */
  public RunAccount account() {
    return new RunAccount(new RunHead(id, started, superstep, active, ended), series.stretches());
  }
}
