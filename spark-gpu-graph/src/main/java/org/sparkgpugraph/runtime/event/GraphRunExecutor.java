package org.sparkgpugraph.runtime.event;

import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.run.ExecutorMemory;

/**
 * What one executor did in a run that ended well; comes before {@link GraphRunEnded}, one for each
 * executor that held a part of the graph.
 *
 * @param run key of the run
 * @param shard number of the part, from 0
 * @param executor its id, and its host
 * @param engine that ran there
 * @param vertices that it held
 * @param edges that it held
 * @param graphBytes of the heap that the part's structure took
 * @param transferSeconds copying between host and devices
 * @param kernelSeconds supersteps on its devices, the slowest of each superstep, or on its cores
 * @param exchangeSeconds bringing updates from device to device
 * @param devices that it used; none on the CPU
 * @param memory what of its memory was taken; null in logs of versions that did not tell
 * @param time milliseconds since 1970
 */
public record GraphRunExecutor(
    String run,
    int shard,
    String executor,
    String engine,
    long vertices,
    long edges,
    long graphBytes,
    double transferSeconds,
    double kernelSeconds,
    double exchangeSeconds,
    List<Device> devices,
    ExecutorMemory memory,
    long time)
    implements SparkListenerEvent {
  /**
   * A device at the end of the run, which still held its memory.
   *
   * @param name with its number
   * @param totalBytes of its memory
   * @param heldBytes of it that the executor held, with graphs and runs beside this one
   * @param kernelSeconds of the run's kernels; 0 where they are not counted for each device
   */
  public record Device(String name, long totalBytes, long heldBytes, double kernelSeconds) {}

  /** Logs of other versions may lack parts. */
  public GraphRunExecutor {
    devices = devices == null ? List.of() : List.copyOf(devices);
  }
}
