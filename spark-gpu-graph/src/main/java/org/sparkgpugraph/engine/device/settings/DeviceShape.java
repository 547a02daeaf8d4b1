package org.sparkgpugraph.engine.device.settings;

import org.sparkgpugraph.run.ActiveDirection;

/**
 * What, besides program and kernel shape, decides the code of a program's kernels.
 *
 * @param direction which edges a superstep evaluates: decides whom active vertices make candidates
 * @param virtualWarps whether the baseline kernels (virtual warps, thread per vertex) are made too
 * @param tuning how dense supersteps are gathered
 * @param permissive whether the rows that a superstep computes are some of the held ones, between
 *     borders that move
 * @param asynchronous whether the run may go on by kernels of their own that relax without
 *     supersteps, where the program allows it
 * @param schedule who walks the edges of active vertices where supersteps push
 * @param merging how messages are pushed that the program's own function merges; null: what no
 *     atomic operation merges is not pushed
 */
public record DeviceShape(
    ActiveDirection direction,
    boolean virtualWarps,
    DenseTuning tuning,
    boolean permissive,
    boolean asynchronous,
    WalkSchedule schedule,
    MergeMode merging) {
  /** With fixed borders and supersteps. */
  public DeviceShape(ActiveDirection direction, boolean virtualWarps, DenseTuning tuning) {
    this(direction, virtualWarps, tuning, false, false, WalkSchedule.DEFAULT, null);
  }

  /** The same where rows are gathered in another way. */
  public DeviceShape with(DenseTuning rows) {
    return new DeviceShape(
        direction, virtualWarps, rows, permissive, asynchronous, schedule, merging);
  }

  /** The same where others walk the edges of active vertices. */
  public DeviceShape with(WalkSchedule pushes) {
    return new DeviceShape(
        direction, virtualWarps, tuning, permissive, asynchronous, pushes, merging);
  }
}
