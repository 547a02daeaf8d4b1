package org.sparkgpugraph.runtime.event;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A run ended; its totals.
 *
 * @param run key of the run
 * @param engine engine that ran: {@code cpu}, {@code cuda}, {@code emulated} or {@code graphx};
 *     empty when it failed
 * @param reason why this engine; empty when it failed
 * @param outcome {@code CONVERGED}, {@code MAX_ITERATIONS}, {@code STOP_WHEN}, {@code FAILED}, or
 *     {@code ENDED} where GraphX's own Pregel ran, which does not tell
 * @param error what went wrong; empty when nothing did
 * @param supersteps number of the last superstep
 * @param edgesEvaluated over all supersteps
 * @param boundaryUpdates over all supersteps
 * @param exchangedBytes over all supersteps
 * @param fullExchangeBytes over all supersteps, as in {@link GraphSuperstep}
 * @param seconds from the graph to the result's columns, wall time
 * @param transferSeconds of these: copying between host and GPU
 * @param kernelSeconds of these: supersteps on the device, or on the cores
 * @param hubSeconds of the seconds: bringing changes from GPU to GPU inside executors; 0 where each
 *     has one
 * @param laneEfficiency edges evaluated per lane that could have evaluated one, 0 to 1, of the
 *     kernels that count lanes ({@link org.sparkgpugraph.run.LaneUse}); 0: none did
 * @param packingFactor of the lanes that may have a row each, those that had one, likewise
 * @param time milliseconds since 1970
 */
public record GraphRunEnded(
    String run,
    String engine,
    String reason,
    String outcome,
    String error,
    int supersteps,
    long edgesEvaluated,
    long boundaryUpdates,
    long exchangedBytes,
    long fullExchangeBytes,
    double seconds,
    double transferSeconds,
    double kernelSeconds,
    double hubSeconds,
    double laneEfficiency,
    double packingFactor,
    long time)
    implements SparkListenerEvent {}
