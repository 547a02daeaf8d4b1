package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.HeldBlocks;

/**
 * What a run has left with the executors.
 *
 * @param blocks the values
 * @param type of each
 * @param report what the run did
 */
public record RunResult(HeldBlocks blocks, ValueType type, RunReport report) {}
