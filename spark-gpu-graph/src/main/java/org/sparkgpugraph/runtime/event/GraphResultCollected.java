package org.sparkgpugraph.runtime.event;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The result of a run left the executors; comes after {@link GraphRunEnded}, where it did.
 *
 * @param run key of the run
 * @param seconds that it took
 * @param time milliseconds since 1970
 */
public record GraphResultCollected(String run, double seconds, long time)
    implements SparkListenerEvent {}
