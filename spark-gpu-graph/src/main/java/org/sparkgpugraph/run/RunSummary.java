package org.sparkgpugraph.run;

import java.io.Serializable;
import java.util.List;

/**
 * What a whole run did.
 *
 * @param engine name of the engine
 * @param supersteps one entry per superstep, superstep 0 first
 * @param stopped why it ended
 * @param nanos wall time of the supersteps, loading and collecting left out
 */
public record RunSummary(
    String engine, List<SuperstepStats> supersteps, Stopped stopped, long nanos)
    implements Serializable {
  public RunSummary {
    supersteps = List.copyOf(supersteps);
  }

  /** Why a run ended. */
  public enum Stopped {
    /** No vertex is active any more. */
    CONVERGED,
    /** maxIterations was reached. */
    MAX_ITERATIONS,
    /** stopWhen said so. */
    STOP_WHEN
  }

  /** Number of supersteps after superstep 0. */
  public int iterations() {
    return supersteps.isEmpty() ? 0 : supersteps.get(supersteps.size() - 1).superstep();
  }

  /** Edges whose send function was evaluated, over all supersteps. */
  public long edgesEvaluated() {
    return supersteps.stream().mapToLong(SuperstepStats::edgesEvaluated).sum();
  }

  /** How well lanes were used, over all supersteps in which that is counted. */
  public LaneUse lanes() {
    return supersteps.stream().map(SuperstepStats::lanes).reduce(LaneUse.NONE, LaneUse::plus);
  }
}
