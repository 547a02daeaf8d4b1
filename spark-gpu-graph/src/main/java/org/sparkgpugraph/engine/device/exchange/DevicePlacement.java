package org.sparkgpugraph.engine.device.exchange;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which device each partition of a run is on: partition i on device i modulo their number. So each
 * has a device of its own where there are enough, and otherwise they are dealt out in turn.
 *
 * @param devices devices that the run uses, at least 1
 * @param partitions partitions of the graph
 */
public record DevicePlacement(int devices, int partitions) {
  /**
   * On no more devices than there are partitions.
   *
   * @param available devices that may be used
   */
  public static DevicePlacement of(int available, int partitions) {
    return new DevicePlacement(Math.max(1, Math.min(available, partitions)), partitions);
  }

  /** The device of a partition. */
  public int device(int partition) {
    return partition % devices;
  }

  /** Number of a partition among those of its device. */
  public int slot(int partition) {
    return partition / devices;
  }

  /** The partitions of a device, ascending. */
  public List<Integer> on(int device) {
    return IntStream.range(0, partitions).filter(p -> device(p) == device).boxed().toList();
  }
}
