package org.sparkgpugraph.run;

import java.io.Serializable;
import java.util.List;

/**
 * What one superstep did.
 *
 * @param superstep its number
 * @param kernel what was used: DENSE, SPARSE, PUSH, OUTLINED, DELEGATED or ASYNC (then it stands
 *     for all that was done without supersteps)
 * @param verticesRun vertices whose vertex program ran (received a message)
 * @param activeVertices vertices that are active for the next superstep
 * @param edgesEvaluated edges whose send function was evaluated for this superstep's messages; an
 *     edge counts where its destination pulls, or where its source does when the program sends to
 *     sources only. It depends on the kernel: with direction EITHER a row that is pulled evaluates
 *     all its edges where those between inactive vertices could only say what they said before,
 *     while what is pushed goes over the edges of active vertices alone; a first superstep that
 *     pushes leaves out vertices that have nothing to say to anybody. Where messages to both ends
 *     are pushed into values, each active end evaluates what it says itself, and that is half an
 *     edge
 * @param boundaryUpdates refined boundary updates exchanged, summed over all lists. A run counts
 *     the lists inside its executor graph; whoever carries its {@code EngineRun.outgoing} further
 *     adds those ({@link #exchanging})
 * @param boundaryBytes bytes of those updates (positions and values)
 * @param fullBytes what the same exchanges would have moved without refinement
 * @param nanos wall time
 * @param times where the time went
 * @param lanes how well lanes were used, where that is counted
 * @param aggregates values of the program's aggregates over the vertices that ran
 */
public record SuperstepStats(
    int superstep,
    KernelChoice kernel,
    long verticesRun,
    long activeVertices,
    long edgesEvaluated,
    long boundaryUpdates,
    long boundaryBytes,
    ExchangeVolume fullBytes,
    long nanos,
    SuperstepTimes times,
    LaneUse lanes,
    double[] aggregates)
    implements Serializable {

  /** Stats of a superstep that was nothing but computing on the CPU, without an exchange. */
  public SuperstepStats(
      int superstep,
      KernelChoice kernel,
      long verticesRun,
      long activeVertices,
      long edgesEvaluated,
      long nanos,
      double[] aggregates) {
    this(
        superstep,
        kernel,
        verticesRun,
        activeVertices,
        edgesEvaluated,
        0,
        0,
        ExchangeVolume.NONE,
        nanos,
        SuperstepTimes.computing(nanos),
        LaneUse.NONE,
        aggregates);
  }

  /**
   * Two supersteps as one: sums, with the number, kernel, activity and aggregates of the later one.
   *
   * @param later the superstep behind this one
   */
  public SuperstepStats plus(SuperstepStats later) {
    return new SuperstepStats(
        later.superstep,
        later.kernel,
        verticesRun + later.verticesRun,
        later.activeVertices,
        edgesEvaluated + later.edgesEvaluated,
        boundaryUpdates + later.boundaryUpdates,
        boundaryBytes + later.boundaryBytes,
        fullBytes.plus(later.fullBytes),
        nanos + later.nanos,
        times.plus(later.times),
        lanes.plus(later.lanes),
        later.aggregates);
  }

  /**
   * A superstep that several executor graphs did side by side: sums; of times the longest; dense
   * where any of them was.
   *
   * @param superstep its number
   * @param parts what each did, at least one
   * @param aggregates over all of them
   */
  public static SuperstepStats beside(
      int superstep, List<SuperstepStats> parts, double[] aggregates) {
    KernelChoice kernel = parts.get(0).kernel();
    long run = 0;
    long active = 0;
    long edges = 0;
    long updates = 0;
    long bytes = 0;
    ExchangeVolume full = ExchangeVolume.NONE;
    long nanos = 0;
    SuperstepTimes times = SuperstepTimes.NONE;
    LaneUse lanes = LaneUse.NONE;
    for (SuperstepStats part : parts) {
      kernel = part.kernel() == KernelChoice.DENSE ? KernelChoice.DENSE : kernel;
      run += part.verticesRun();
      active += part.activeVertices();
      edges += part.edgesEvaluated();
      updates += part.boundaryUpdates();
      bytes += part.boundaryBytes();
      full = full.plus(part.fullBytes());
      nanos = Math.max(nanos, part.nanos());
      times = times.beside(part.times());
      lanes = lanes.plus(part.lanes());
    }
    return new SuperstepStats(
        superstep,
        kernel,
        run,
        active,
        edges,
        updates,
        bytes,
        full,
        nanos,
        times,
        lanes,
        aggregates);
  }

  /**
   * Whether a value may be another one than before, in a run whose active vertices are those that
   * changed. Where these push, those whose turn came in the same superstep, or without supersteps,
   * are not active any more.
   */
  public boolean mayHaveChanged() {
    return activeVertices > 0 || kernel.pushes() && edgesEvaluated > 0;
  }

  /** The same with another number of active vertices. */
  public SuperstepStats active(long vertices) {
    return with(vertices, boundaryUpdates, boundaryBytes, fullBytes, times, lanes);
  }

  /** The same with what is known of where its time went. */
  public SuperstepStats timed(SuperstepTimes where) {
    return with(activeVertices, boundaryUpdates, boundaryBytes, fullBytes, where, lanes);
  }

  /** The same with how its lanes were used. */
  public SuperstepStats using(LaneUse use) {
    return with(activeVertices, boundaryUpdates, boundaryBytes, fullBytes, times, use);
  }

  /**
   * The same with an exchange beside those that were counted.
   *
   * @param updates number of updates
   * @param bytes their bytes, as they travelled
   * @param full what it would have moved without refinement
   */
  public SuperstepStats exchanging(long updates, long bytes, ExchangeVolume full) {
    return with(
        activeVertices,
        boundaryUpdates + updates,
        boundaryBytes + bytes,
        fullBytes.plus(full),
        times,
        lanes);
  }

  private SuperstepStats with(
      long active,
      long updates,
      long bytes,
      ExchangeVolume full,
      SuperstepTimes where,
      LaneUse use) {
    return new SuperstepStats(
        superstep,
        kernel,
        verticesRun,
        active,
        edgesEvaluated,
        updates,
        bytes,
        full,
        nanos,
        where,
        use,
        aggregates);
  }
}
