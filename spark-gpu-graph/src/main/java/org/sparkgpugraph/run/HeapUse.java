package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * The heap of an executor's process, in bytes. Peaks are of all that is in it, whoever made it,
 * with garbage that was not collected yet: a heap that is far larger than what it needs may be full
 * of that. Executors that are one process (a local master) have the same heap.
 *
 * @param most that it may grow to
 * @param forGraphs what of it graphs, runs and results may take together ({@code
 *     spark.gpugraph.memoryFraction})
 * @param loadPeak most that was in use while the graph was loaded; 0: not known
 * @param runPeak most that was in use during the run
 */
public record HeapUse(long most, long forGraphs, long loadPeak, long runPeak)
    implements Serializable {}
