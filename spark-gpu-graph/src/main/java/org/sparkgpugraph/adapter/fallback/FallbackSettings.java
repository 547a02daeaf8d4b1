package org.sparkgpugraph.adapter.fallback;

import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;

/**
 * How a program is run on GraphX; {@link RunSettings} with message objects instead of columns.
 *
 * @param initialMessage the message of superstep 0; null under everyVertex without one
 * @param emptyMessage everyVertex: the message where none came; null: GraphX's Pregel
 * @param activeDirection which edges are evaluated
 * @param gather which of its edges a vertex evaluates
 * @param maxIterations bound on the supersteps after superstep 0, at least 1
 * @param stopWhen asked after every superstep; null: never
 * @param <A> message
 */
public record FallbackSettings<A>(
    A initialMessage,
    A emptyMessage,
    ActiveDirection activeDirection,
    Gather gather,
    int maxIterations,
    StopWhen stopWhen) {
  /**
   * @throws IllegalArgumentException for what no engine can run
   */
  public FallbackSettings {
    if (maxIterations < 1) {
      throw new IllegalArgumentException(
          "Maximum number of iterations must be greater than 0, but got " + maxIterations);
    }
    if (initialMessage == null && emptyMessage == null) {
      throw new IllegalArgumentException(
          "initialMessage is missing; only everyVertex can do without one");
    }
  }

  /** Whether every vertex runs in every superstep. */
  public boolean everyVertex() {
    return emptyMessage != null;
  }

  /** Whether GraphX's own Pregel can run under these settings. */
  boolean isPlain() {
    return !everyVertex() && gather == Gather.ACTIVE && stopWhen == null;
  }
}
