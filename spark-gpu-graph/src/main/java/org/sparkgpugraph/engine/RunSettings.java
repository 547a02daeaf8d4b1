package org.sparkgpugraph.engine;

import java.io.Serializable;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * How a program is run; everything that is not the program itself.
 *
 * @param initialMessage the message of superstep 0, one box per message column; null under
 *     everyVertex without one (then there is no superstep 0: rounds of gather and apply only)
 * @param emptyMessage everyVertex: every edge is evaluated and every vertex runs in every
 *     superstep, with this message where none came (one box per column); null: GraphX's Pregel
 * @param activeDirection which edges are evaluated
 * @param gather which of its edges a vertex evaluates
 * @param maxIterations bound on the supersteps after superstep 0, at least 1
 * @param inPlace whether values may be updated in place and reordered: the program is monotone (as
 *     recognised or declared) and maxIterations is not bounded
 * @param kernel AUTO, or forced
 * @param threads worker threads, at least 1
 * @param stopWhen asked after every superstep; null: never
 * @param exchange what partitions tell each other
 * @param hubs vertices with more in-edges are sent partial messages by other executors, of a
 *     program that allows it ({@link PartialMessageRules}); 0: none
 */
public record RunSettings(
    Object[] initialMessage,
    Object[] emptyMessage,
    ActiveDirection activeDirection,
    Gather gather,
    int maxIterations,
    boolean inPlace,
    KernelChoice kernel,
    int threads,
    StopWhen stopWhen,
    ExchangeMode exchange,
    int hubs)
    implements Serializable {

  /** Settings with the refined exchange. */
  public RunSettings(
      Object[] initialMessage,
      Object[] emptyMessage,
      ActiveDirection activeDirection,
      Gather gather,
      int maxIterations,
      boolean inPlace,
      KernelChoice kernel,
      int threads,
      StopWhen stopWhen) {
    this(
        initialMessage,
        emptyMessage,
        activeDirection,
        gather,
        maxIterations,
        inPlace,
        kernel,
        threads,
        stopWhen,
        ExchangeMode.REFINED);
  }

  /** Settings without hubs. */
  public RunSettings(
      Object[] initialMessage,
      Object[] emptyMessage,
      ActiveDirection activeDirection,
      Gather gather,
      int maxIterations,
      boolean inPlace,
      KernelChoice kernel,
      int threads,
      StopWhen stopWhen,
      ExchangeMode exchange) {
    this(
        initialMessage,
        emptyMessage,
        activeDirection,
        gather,
        maxIterations,
        inPlace,
        kernel,
        threads,
        stopWhen,
        exchange,
        0);
  }

  /** The same with vertices that are sent partial messages. */
  public RunSettings withHubs(int inEdges) {
    return new RunSettings(
        initialMessage,
        emptyMessage,
        activeDirection,
        gather,
        maxIterations,
        inPlace,
        kernel,
        threads,
        stopWhen,
        exchange,
        inEdges);
  }

  /** Whether every vertex runs in every superstep. */
  public boolean everyVertex() {
    return emptyMessage != null;
  }
}
