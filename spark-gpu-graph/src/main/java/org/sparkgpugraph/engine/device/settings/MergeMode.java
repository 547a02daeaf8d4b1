package org.sparkgpugraph.engine.device.settings;

/** How supersteps that push merge messages. */
public enum MergeMode {
  /** By atomic operations straight into the receivers' values. */
  VALUES,

  /** By atomic operations into slots, which are read behind a barrier. */
  SLOTS,

  /**
   * By the program's merge function, on blocks that own the receivers and get messages through
   * rings ({@code sgg/delegate.cuh}): for any merge that is commutative and associative.
   */
  DELEGATED,

  /**
   * By the program's merge function, under a lock of each receiver: what {@link #DELEGATED} is
   * compared with.
   */
  LOCKED,

  /**
   * By atomic additions to slots, of floating-point sums that a run without supersteps takes out
   * again ({@code sgg/residual.cuh}): of residuals, of which it does not matter when they are added
   * up.
   */
  RESIDUALS;

  /** Whether the program's own function merges, not an atomic operation. */
  public boolean isProgram() {
    return this == DELEGATED || this == LOCKED;
  }

  /** Whether a program is pushed so only where that is asked for, or chosen by a rule. */
  public boolean isAskedFor() {
    return isProgram() || this == RESIDUALS;
  }
}
