package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.program.ProgramInstance;
import java.io.Serializable;

/**
 * What a run job does on the executor that holds the graph.
 *
 * @param graphKey key of the graph
 * @param resultKey key to keep the result under
 * @param reversed whether the program sees every edge turned round
 * @param engine name of the engine
 * @param program the program
 * @param settings how to run it
 */
record RunTask(
    String graphKey,
    String resultKey,
    boolean reversed,
    String engine,
    ProgramInstance program,
    RunSettings settings)
    implements Serializable {}
