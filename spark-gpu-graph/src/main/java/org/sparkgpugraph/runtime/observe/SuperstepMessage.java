package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * A superstep that ended on the one executor of a run, told while the run goes on; not all are.
 *
 * @param run key of the run's result
 */
record SuperstepMessage(String run, SuperstepStats stats) implements Serializable {}
