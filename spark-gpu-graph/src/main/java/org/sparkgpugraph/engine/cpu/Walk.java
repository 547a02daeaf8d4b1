package org.sparkgpugraph.engine.cpu;

import org.sparkgpugraph.run.KernelChoice;

/** Which edges a superstep of the CPU engine evaluates. */
enum Walk {
  /** All edges of all rows. */
  EVERY_EDGE(KernelChoice.DENSE),

  /** Of all rows those edges that the activity of their ends selects. */
  ACTIVE_EDGES(KernelChoice.DENSE),

  /**
   * The same of candidate rows only, which are marked first, along the edges of active vertices.
   */
  CANDIDATES(KernelChoice.SPARSE),

  /**
   * Of rows that may improve the edges of active ends, up to the first message that says as much as
   * any can.
   */
  STOPPING(KernelChoice.DENSE),

  /** The out-edges of active vertices, which push along them. */
  PUSH(KernelChoice.PUSH),

  /** The same in order of priority, and of all that become active by it, without supersteps. */
  PRIORITY(KernelChoice.ASYNC);

  private final KernelChoice choice;

  Walk(KernelChoice choice) {
    this.choice = choice;
  }

  /** What stands for it in statistics and settings. */
  KernelChoice choice() {
    return choice;
  }
}
