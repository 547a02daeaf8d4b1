package org.sparkgpugraph.engine.cpu;

import java.util.function.Consumer;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.engine.cpu.frame.Tally;

/**
 * Decides whether rows of a superstep stop early: when most of its active vertices say the best
 * that any does.
 */
final class StoppingRows {
  /** A superstep that pushes more than this part of the graph lets rows stop instead … */
  private static final double FROM = 1 / 64.0;

  /** … and so does one behind such a superstep, with more than this. */
  private static final double UNTIL = 1 / 1024.0;

  private final CpuKernel kernel;
  private final KernelFrame[] frames;
  private final Tally[] tallies;
  private final WorkerTeam team;
  private final Consumer<Tally> others;
  private long supersteps;

  /**
   * @param others tells a tally what others say who are no active vertices
   */
  StoppingRows(
      CpuKernel kernel,
      KernelFrame[] frames,
      Tally[] tallies,
      WorkerTeam team,
      Consumer<Tally> others) {
    this.kernel = kernel;
    this.frames = frames;
    this.tallies = tallies;
    this.team = team;
    this.others = others;
  }

  /**
   * The most active vertices and edges that are pushed.
   *
   * @param size all of them
   * @param stopped whether rows stopped in the superstep before
   */
  static long mostPushed(long size, boolean stopped) {
    return (long) ((stopped ? UNTIL : FROM) * size);
  }

  /** Supersteps in which rows stopped. */
  long supersteps() {
    return supersteps;
  }

  /**
   * Asks the active vertices; if rows are to stop, frames have the bound.
   *
   * @param together whether by all threads
   */
  boolean now(boolean together) {
    for (Tally tally : tallies) {
      tally.listen();
    }
    for (KernelFrame frame : frames) {
      team.each(
          together,
          frame.active.summary.length,
          (member, s) -> {
            if (frame.active.summary[s] != 0) {
              int end = Math.min(frame.active.words.length, (s + 1) << 6);
              kernel.listen(frame, tallies[member], s << 6, end);
            }
          });
    }
    others.accept(tallies[0]);
    long bound = MessageKey.NONE;
    for (Tally tally : tallies) {
      bound = Math.max(bound, tally.best);
    }
    long attaining = 0;
    long less = 0;
    for (Tally tally : tallies) {
      attaining += tally.best == bound ? tally.attaining : 0;
      less += tally.others + (tally.best == bound ? 0 : tally.attaining);
    }
    if (attaining == 0 || attaining < less) {
      return false;
    }
    for (KernelFrame frame : frames) {
      frame.bound = bound;
    }
    supersteps++;
    return true;
  }
}
