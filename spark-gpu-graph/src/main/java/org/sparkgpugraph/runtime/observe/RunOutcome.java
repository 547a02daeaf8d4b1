package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import org.sparkgpugraph.run.RunSummary;

/**
 * What executors tell the driver of a run that has ended.
 *
 * @param summary the supersteps
 * @param reason why this engine
 * @param seconds what its engine spent
 */
public record RunOutcome(RunSummary summary, String reason, EngineSeconds seconds)
    implements Serializable {}
