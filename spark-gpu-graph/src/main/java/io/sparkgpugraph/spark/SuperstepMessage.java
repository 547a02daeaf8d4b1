package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.SuperstepStats;
import java.io.Serializable;

/**
 * A superstep that ended on the one executor of a run, told while the run goes on; not all are.
 *
 * @param run key of the run's result
 */
record SuperstepMessage(String run, SuperstepStats stats) implements Serializable {}
