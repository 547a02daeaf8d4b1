package org.sparkgpugraph.engine.device;

/**
 * What gives memory of a device back when others need it: copies that no run uses, say. Asked from
 * any thread, in the middle of others' allocations: it never waits for anybody.
 */
public interface Reclaimable {
  /** Bytes that {@link #reclaim} could free now; 0 also where that cannot be told at once. */
  long reclaimableBytes();

  /**
   * Frees memory that nobody uses.
   *
   * @param bytes how much is wanted
   * @return how much was freed; less where there is less, or where it cannot be told at once
   */
  long reclaim(long bytes);
}
