package org.sparkgpugraph.runtime.report;

import java.util.List;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;

/**
 * What is known of a run, in bounded memory however long it is.
 *
 * @param supersteps what charts show, no more than {@link SuperstepSeries#MOST}
 * @param executors what each did, the first {@value #MOST_EXECUTORS}; none before the end
 * @param refused why it runs on stock GraphX, where it could not be lifted
 */
public record RunAccount(
    RunHead head,
    List<Stretch> supersteps,
    List<GraphRunExecutor> executors,
    List<String> refused) {
  /** Executors that are shown. */
  static final int MOST_EXECUTORS = 64;

  /** What a store has kept may lack parts. */
  public RunAccount {
    supersteps = supersteps == null ? List.of() : List.copyOf(supersteps);
    executors = executors == null ? List.of() : List.copyOf(executors);
    refused = refused == null ? List.of() : List.copyOf(refused);
  }

  /** The same with another line in the table of runs. */
  RunAccount with(RunHead other) {
    return new RunAccount(other, supersteps, executors, refused);
  }
}
