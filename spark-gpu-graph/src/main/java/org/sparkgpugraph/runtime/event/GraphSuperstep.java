package org.sparkgpugraph.runtime.event;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A superstep ended. Runs on one executor of a cluster tell their supersteps when the run has
 * ended, all others as they go. A run that starts again, because its GPU failed or an executor was
 * lost, tells supersteps a second time.
 *
 * @param run key of the run
 * @param superstep its number
 * @param supersteps how many the event sums up, the last of them being {@code superstep}: 1, unless
 *     thousands follow each other within seconds
 * @param kernel {@code DENSE} or {@code SPARSE}; of several executors that differ, that of the
 *     first
 * @param verticesRun vertices whose vertex program ran
 * @param activeVertices vertices that are active for the next superstep
 * @param edgesEvaluated edges whose send function was evaluated
 * @param edgesPerSecond these over the superstep's time
 * @param boundaryUpdates updates of boundary vertices that partitions told each other
 * @param exchangedBytes bytes of these updates
 * @param fullExchangeBytes bytes that telling every vertex to every other partition would have
 *     moved
 * @param seconds wall time of the slowest executor's engine
 * @param kernelSeconds of these: kernels, by the devices' own clocks; on the CPU all of them
 * @param exchangeSeconds of {@code executorSeconds}: bringing updates from device to device,
 *     packing and unpacking them, and taking them out of the engine and into it
 * @param executorSeconds all that the slowest executor did, part by part as {@link
 *     org.sparkgpugraph.run.SuperstepTimes} says it
 * @param sparkSeconds wall time beside these, of a graph on several executors: stages, tasks and
 *     the shuffle; in superstep 0 opening the run, too
 */
public record GraphSuperstep(
    String run,
    int superstep,
    int supersteps,
    String kernel,
    long verticesRun,
    long activeVertices,
    long edgesEvaluated,
    double edgesPerSecond,
    long boundaryUpdates,
    long exchangedBytes,
    long fullExchangeBytes,
    double seconds,
    double kernelSeconds,
    double exchangeSeconds,
    double executorSeconds,
    double sparkSeconds)
    implements SparkListenerEvent {}
