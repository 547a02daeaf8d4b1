package org.sparkgpugraph.engine;

import org.sparkgpugraph.run.SuperstepStats;

/** Hears of every superstep as it ends. */
@FunctionalInterface
public interface ProgressListener {
  /** Called by the thread that runs the loop; must return quickly. */
  void superstepEnded(SuperstepStats stats);
}
