package io.sparkgpugraph.engine;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.List;

/** Runs vertex programs on an executor graph. Thread-safe. */
public interface Engine {
  /** Name as a user writes it: {@code cpu}, {@code cuda}. */
  String name();

  /**
   * Prepares a run: generates (or finds) the code and allocates values.
   *
   * @param graph the graph; shared, not changed
   * @param program the program
   * @param attributes vertex attributes (original, not state), one table per partition with {@code
   *     stored + ghosts} rows; empty tables when the program's attribute type has no columns or no
   *     function reads them
   * @param settings how to run it
   * @throws io.sparkgpugraph.engine.ProgramFault later, from a superstep, when the program stops
   *     itself
   */
  EngineRun open(
      ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings settings);
}
