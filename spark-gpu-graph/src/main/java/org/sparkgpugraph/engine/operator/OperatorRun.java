package org.sparkgpugraph.engine.operator;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;

/** An operator at work on one executor graph. Used by one thread at a time. */
public interface OperatorRun extends AutoCloseable {
  /**
   * Goes on.
   *
   * @param number of the round, from 0
   * @param arrived what other shards said in the round before, by sender; none in round 0
   * @throws org.sparkgpugraph.engine.device.DeviceException when the device fails; under engine
   *     AUTO all shards start again, this one on the CPU
   */
  GraphOperator.Round round(int number, List<GraphOperator.Parcel> arrived);

  /**
   * The values, behind the last round.
   *
   * @return columns of {@link GraphOperator#result} by dense id, {@code ids().size()} rows; those
   *     of vertices that others hold are not read
   */
  Columns results();

  /** Nanoseconds of kernels and of copies until now, where a device does the work. */
  default DeviceNanos deviceNanos() {
    return new DeviceNanos(0, 0);
  }

  /**
   * Where time on a device went.
   *
   * @param kernels in kernels
   * @param transfers copying between host and device
   */
  record DeviceNanos(long kernels, long transfers) {}

  @Override
  default void close() {}
}
