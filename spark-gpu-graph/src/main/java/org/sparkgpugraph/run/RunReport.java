package org.sparkgpugraph.run;

import java.util.List;

/**
 * What a finished run did and how long its parts took. Wall seconds, seen from the driver.
 *
 * @param engine the engine that ran: {@code cpu}, {@code cuda}, {@code emulated} or {@code graphx}
 * @param reason why this engine, one line
 * @param summary the supersteps; null when stock GraphX ran
 * @param liftSeconds reading the program from its bytecode
 * @param loadSeconds from the source to the partitions, 0 on a graph that was resident
 * @param runSeconds from the partitions to the result's columns in the executor: kernels and
 *     transfers, and what is neither (generating and compiling code, the job's own overhead)
 * @param transferSeconds of these: copying structure, values and results between host and GPU; 0 on
 *     the CPU
 * @param kernelSeconds of these: the supersteps, with superstep 0 and final aggregates
 * @param collectSeconds from the engine to the result's vertices
 * @param vertices vertices of the graph
 * @param edges edges of the graph
 * @param hubSeconds of the seconds of the run: bringing changes from GPU to GPU inside executors,
 *     in the supersteps; 0 where each has one
 * @param notes what was recognised of the program and done with it, a line each, as {@code
 *     explain()} has it: how messages are merged, which steps are folded; then which ways the
 *     engine has taken where it had a choice, with the figures that decided; of a run in place over
 *     several executors also how often they exchanged, and how many local supersteps each ran
 *     before; empty for an operator, and on stock GraphX
 * @param memory what was taken of the memory of each executor, in the order of their parts of the
 *     graph; of several runs of one algorithm the last one's; empty on stock GraphX
 */
public record RunReport(
    String engine,
    String reason,
    RunSummary summary,
    double liftSeconds,
    double loadSeconds,
    double runSeconds,
    double transferSeconds,
    double kernelSeconds,
    double collectSeconds,
    long vertices,
    long edges,
    double hubSeconds,
    List<String> notes,
    List<ExecutorMemory> memory) {
  public RunReport {
    notes = List.copyOf(notes);
    memory = List.copyOf(memory);
  }

  /** The sum of lifting, loading, running and collecting. */
  public double totalSeconds() {
    return liftSeconds + loadSeconds + runSeconds + collectSeconds;
  }
}
