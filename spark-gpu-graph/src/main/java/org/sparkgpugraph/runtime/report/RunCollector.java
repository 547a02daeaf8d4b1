package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/** Makes a {@link RunAccount} of the events of one run. Not thread-safe. */
final class RunCollector {
  private final long id;
  private final GraphRunStarted started;
  private final List<String> refused;
  private final SuperstepSeries series = new SuperstepSeries();
  private final List<GraphRunExecutor> executors = new ArrayList<>();
  private int superstep;
  private long active = -1;
  private GraphRunEnded ended;

  /**
   * @param id number of the run
   * @param refused why it runs on stock GraphX
   */
  RunCollector(long id, GraphRunStarted started, List<String> refused) {
    this.id = id;
    this.started = started;
    this.refused = refused;
  }

  void superstep(GraphSuperstep event) {
    superstep = event.superstep();
    active = event.activeVertices();
    series.add(event);
  }

  void executor(GraphRunExecutor event) {
    if (executors.size() < RunAccount.MOST_EXECUTORS) {
      executors.add(event);
    }
  }

  void ended(GraphRunEnded event) {
    ended = event;
  }

  /** What is known by now. */
  RunAccount account() {
    return new RunAccount(
        new RunHead(id, started, superstep, active, ended, -1),
        series.stretches(),
        executors,
        refused);
  }
}
