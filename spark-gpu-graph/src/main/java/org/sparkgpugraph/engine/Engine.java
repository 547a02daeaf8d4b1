package org.sparkgpugraph.engine;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;

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
   * @throws org.sparkgpugraph.engine.ProgramFault later, from a superstep, when the program stops
   *     itself
   */
  EngineRun open(
      ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings settings);

  /**
   * Makes ready what does not depend on the graph, so that {@link #open} finds it: for whoever has
   * a moment before the graph is there. Nothing has to be closed.
   *
   * @param partitions that the graph will probably have; all of its vertices are taken to exist
   */
  default void prepare(LiftedProgram program, RunSettings settings, int partitions) {}

  /** As {@link #prepare}, what makes rows of edges as they were loaded. */
  default void prepareRows() {}

  /** Number of devices that it computes on; 0: it computes on the CPU's cores. */
  default int deviceCount() {
    return 0;
  }

  /**
   * What the engine offers operators beside this, by the interface that they ask for; empty where
   * it does not.
   */
  default <T> Optional<T> offer(Class<T> service) {
    return Optional.of(this).filter(service::isInstance).map(service::cast);
  }

  /**
   * Finds the connected components of what an executor graph holds.
   *
   * @param graph the graph; shared, not changed
   * @param threads worker threads, at least 1
   * @throws java.util.concurrent.CancellationException when the caller is interrupted
   */
  Contraction components(ExecutorGraph graph, int threads);

  /**
   * Bytes that a run takes beside the graph as it is held now: on the heap, or on a device (where
   * structure that is there already does not count).
   */
  long estimate(ExecutorGraph graph, ProgramInstance program, RunSettings settings);

  /** One line for explain(): how a program runs, whatever the graph. */
  String describe(LiftedProgram program, RunSettings settings);

  /**
   * Lines for explain(): which ways a run of the program takes on this graph where it has a choice,
   * and the figures that decide, as far as they are there without making anything.
   */
  default List<String> describeChoices(
      ExecutorGraph graph, LiftedProgram program, RunSettings settings) {
    return List.of();
  }

  /** One line for explain(): what a run of the program takes on this graph. */
  String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings settings);

  /**
   * Lines for explain() about the partitions: the share of the graph that each has, and what it
   * sends the others in a superstep in which all of its boundary vertices change.
   */
  default List<String> describePartitions(ExecutorGraph graph, LiftedProgram program) {
    return PartitionLines.of(graph, program);
  }
}
