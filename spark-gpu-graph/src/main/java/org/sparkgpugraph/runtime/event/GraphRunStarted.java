package org.sparkgpugraph.runtime.event;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A program begins to run on a graph that is loaded.
 *
 * @param run key of the run, the same in all of its events
 * @param program class that the program's functions were written in
 * @param engine engine that was asked for, as in {@code spark.gpugraph.engine}
 * @param vertices vertices of the graph; −1 where stock GraphX runs, which does not count them
 * @param edges edges of the graph; −1 likewise
 * @param graphBytes bytes of its structure on the heaps of the executors
 * @param executors executors that hold it
 * @param partitions partitions that it is cut into, over all executors
 * @param rowBytes bytes of a vertex's values that partitions tell each other
 * @param time milliseconds since 1970
 * @param liftSeconds that reading the program took before
 * @param loadSeconds that loading took before; 0 of a graph that was resident
 */
public record GraphRunStarted(
    String run,
    String program,
    String engine,
    long vertices,
    long edges,
    long graphBytes,
    int executors,
    int partitions,
    int rowBytes,
    long time,
    double liftSeconds,
    double loadSeconds)
    implements SparkListenerEvent {}
