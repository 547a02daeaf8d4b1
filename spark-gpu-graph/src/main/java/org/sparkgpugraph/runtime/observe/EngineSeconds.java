package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import java.util.List;

/**
 * What a run spent in its engine, in seconds.
 *
 * @param transfer copying between host and device
 * @param kernel supersteps
 * @param hub bringing changes from device to device inside an executor
 * @param devices supersteps of each device; none on the CPU, or where they are not counted
 */
public record EngineSeconds(double transfer, double kernel, double hub, List<Double> devices)
    implements Serializable {
  public EngineSeconds {
    devices = List.copyOf(devices);
  }

  /** Without the devices, one by one. */
  public EngineSeconds(double transfer, double kernel, double hub) {
    this(transfer, kernel, hub, List.of());
  }

  /** Of a run on stock GraphX, or of one that failed: not known. */
  static final EngineSeconds NONE = new EngineSeconds(0, 0, 0);

  /** The longest times of several shards, which work at the same time. */
  public static EngineSeconds longest(List<EngineSeconds> shards) {
    EngineSeconds longest = NONE;
    for (EngineSeconds one : shards) {
      longest =
          new EngineSeconds(
              Math.max(longest.transfer, one.transfer),
              Math.max(longest.kernel, one.kernel),
              Math.max(longest.hub, one.hub));
    }
    return longest;
  }
}
