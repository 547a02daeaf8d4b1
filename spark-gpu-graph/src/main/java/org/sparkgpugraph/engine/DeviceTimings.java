package org.sparkgpugraph.engine;

import java.util.List;

/**
 * Where the time of a run on devices went. Several devices work at the same time: of each superstep
 * and each upload the slowest one counts.
 *
 * @param structureNanos uploads of structure that stays on a device for the next runs
 * @param valueNanos uploads of what the run has alone: attributes, tables
 * @param kernelNanos supersteps, as the devices' own clocks have it
 * @param hubNanos bringing changes from partition to partition, as the devices' own clocks have it
 * @param resultNanos downloads of values and results
 * @param hubBytes bytes copied to and from the hub, and bytes that came directly, by all devices
 * @param kernelNanosByDevice supersteps of each device, of which {@code kernelNanos} counts the
 *     slowest
 */
public record DeviceTimings(
    long structureNanos,
    long valueNanos,
    long kernelNanos,
    long hubNanos,
    long resultNanos,
    long hubBytes,
    List<Long> kernelNanosByDevice) {
  public DeviceTimings {
    kernelNanosByDevice = List.copyOf(kernelNanosByDevice);
  }

  /** The same before the last supersteps, which took so long. */
  public DeviceTimings withoutKernels(long nanos) {
    return new DeviceTimings(
        structureNanos,
        valueNanos,
        kernelNanos - nanos,
        hubNanos,
        resultNanos,
        hubBytes,
        kernelNanosByDevice);
  }

  /** All transfers between host and devices that are not part of supersteps. */
  public long transferNanos() {
    return structureNanos + valueNanos + resultNanos;
  }
}
