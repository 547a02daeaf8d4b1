package org.sparkgpugraph.engine.device.settings;

/**
 * Words by which a launch of several supersteps that walk rows tells the host what each did;
 * kernels know them as {@code SGG_OUTLINE_…} ({@code sgg/outline.cuh}). An entry of the ring is the
 * status of a superstep, its aggregates, and behind them the device's clock at its end.
 */
public final class OutlineLayout {
  /** Where it stands how many supersteps the launch did, in words of the state … */
  public static final int ROUNDS = 0;

  /** … and how often a block came to the barrier of the grid. */
  public static final int ARRIVALS = 1;

  /** Words of the state. */
  public static final int STATE_WORDS = 2;

  private OutlineLayout() {}
}
