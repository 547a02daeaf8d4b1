package org.sparkgpugraph.function;

import java.io.Serializable;
import java.util.function.Predicate;

/** Asked after every superstep, on the driver or in a task: the run ends when it answers true. */
@FunctionalInterface
public interface StopWhen extends Predicate<SuperstepContext>, Serializable {}
