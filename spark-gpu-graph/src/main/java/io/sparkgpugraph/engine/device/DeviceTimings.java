package io.sparkgpugraph.engine.device;

/**
 * Where the time of a run on a device went.
 *
 * @param structureNanos uploads of structure that stays on the device for the next runs
 * @param valueNanos uploads of what the run has alone: attributes, tables
 * @param kernelNanos supersteps, as the device's own clock has it
 * @param resultNanos downloads of values and results
 */
public record DeviceTimings(
    long structureNanos, long valueNanos, long kernelNanos, long resultNanos) {
  /** All transfers. */
  public long transferNanos() {
    return structureNanos + valueNanos + resultNanos;
  }
}
