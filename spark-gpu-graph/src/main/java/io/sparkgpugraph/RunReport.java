package io.sparkgpugraph;

import io.sparkgpugraph.engine.RunSummary;

/**
 * What a finished run did and how long its parts took. Wall seconds, seen from the driver.
 *
 * @param engine the engine that ran: {@code cpu}, {@code cuda} or {@code graphx}
 * @param summary the supersteps; null when stock GraphX ran
 * @param liftSeconds reading the program from its bytecode
 * @param loadSeconds from the source to the partitions, 0 on a graph that was resident
 * @param runSeconds the superstep loop with its set-up
 * @param collectSeconds from the engine to the result's vertices
 * @param vertices vertices of the graph
 * @param edges edges of the graph
 */
public record RunReport(
    String engine,
    RunSummary summary,
    double liftSeconds,
    double loadSeconds,
    double runSeconds,
    double collectSeconds,
    long vertices,
    long edges) {
  /** The sum of the parts. */
  public double totalSeconds() {
    return liftSeconds + loadSeconds + runSeconds + collectSeconds;
  }
}
