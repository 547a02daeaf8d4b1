package io.sparkgpugraph.engine;

import io.sparkgpugraph.graph.Columns;

/**
 * One program on one executor graph, superstep by superstep. Not thread-safe; the engine uses
 * threads inside a superstep. Closing it frees everything that it holds beside the graph.
 */
public interface EngineRun extends AutoCloseable {
  /**
   * Runs superstep 0: the vertex program on every vertex (ghosts too) with the initial message.
   * Under everyVertex without an initial message it only starts the values.
   */
  SuperstepStats initialise();

  /**
   * Runs the next superstep: gather the messages that the values and activity of the last one send,
   * merge them, run the vertex program on the receivers, exchange refined boundary updates.
   *
   * @param aggregates values of the aggregates of the superstep before
   */
  SuperstepStats step(double[] aggregates);

  /**
   * The state columns of a partition's vertices, {@code stored} rows; valid until the next step or
   * close.
   */
  Columns values(int partition);

  /**
   * The final aggregates over the vertices of all partitions here, computed now from the values as
   * they are; one per {@link io.sparkgpugraph.program.LiftedProgram#finalAggregates()}.
   */
  double[] finalAggregates();

  /**
   * The columns of the result function of a partition's vertices, {@code stored} rows, computed
   * now; the state columns when the program has no result function. Rows of vertices that do not
   * exist are zero. A table with a result function's columns is the caller's to keep; state columns
   * are valid until the next step or close.
   *
   * @param finalAggregates final aggregates over the whole graph
   */
  Columns results(int partition, double[] finalAggregates);

  @Override
  void close();
}
