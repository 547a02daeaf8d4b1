package io.sparkgpugraph.engine;

import java.io.Serializable;

/**
 * What one superstep did.
 *
 * @param superstep its number
 * @param kernel what was used: DENSE or SPARSE
 * @param verticesRun vertices whose vertex program ran (received a message)
 * @param activeVertices vertices that are active for the next superstep
 * @param edgesEvaluated edges whose send function was evaluated for this superstep's messages; an
 *     edge counts where its destination pulls, or where its source does when the program sends to
 *     sources only
 * @param boundaryUpdates refined boundary updates exchanged, summed over all lists
 * @param boundaryBytes bytes of those updates (positions and values)
 * @param nanos wall time
 * @param aggregates values of the program's aggregates over the vertices that ran
 */
public record SuperstepStats(
    int superstep,
    KernelChoice kernel,
    long verticesRun,
    long activeVertices,
    long edgesEvaluated,
    long boundaryUpdates,
    long boundaryBytes,
    long nanos,
    double[] aggregates)
    implements Serializable {}
