package org.sparkgpugraph.run;

/**
 * Hears, on the driver, how a run goes. With an embedded Spark ({@code local[…]}), and on a cluster
 * when several executors hold the graph, supersteps are reported as they end; when one executor of
 * a cluster holds it, all of them once the run has ended.
 */
public interface RunObserver {
  /** An observer that does nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * A superstep ended. Called by the thread that runs it; must return quickly. A run that a GPU
   * fails under engine auto starts again on the CPU: with superstep 0. A run over several executors
   * that loses one goes on from the last checkpoint: supersteps since then are reported again.
   */
  default void superstepEnded(SuperstepStats stats) {}

  /** The run ended and its result is there. */
  default void finished(RunReport report) {}
}
