package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.observe.RunOutcome;

/**
 * A finished run, its result still with the executors.
 *
 * @param blocks the result
 * @param outcome what the executors tell of the run
 * @param graph what it ran on
 * @param lift seconds to lift the program; 0 for an operator
 * @param load seconds to load what the graph lacked
 * @param run seconds of the run
 * @param notes what was recognised of the program
 */
record FinishedRun(
    HeldBlocks blocks,
    RunOutcome outcome,
    GraphHandle graph,
    double lift,
    double load,
    double run,
    List<String> notes) {
  /**
   * The report of it.
   *
   * @param collect seconds to collect the result
   */
  RunReport report(double collect) {
    return new RunReport(
        outcome.summary().engine(),
        outcome.reason(),
        outcome.summary(),
        lift,
        load,
        run,
        outcome.seconds().transfer(),
        outcome.seconds().kernel(),
        collect,
        graph.vertices(),
        graph.edges(),
        outcome.seconds().hub(),
        notes,
        outcome.memory());
  }
}
