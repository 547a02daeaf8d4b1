package org.sparkgpugraph.engine.cpu;

import java.util.function.Consumer;
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

  private final KernelFrame[] frames;
  private final Tally[] tallies;
  private final Speakers speakers;
  private final Consumer<Tally> others;
  private long supersteps;

  /**
   * @param others tells a tally what others say who are no active vertices
   */
  StoppingRows(KernelFrame[] frames, Tally[] tallies, Speakers speakers, Consumer<Tally> others) {
    this.frames = frames;
    this.tallies = tallies;
    this.speakers = speakers;
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
   * Asks the active vertices; those that improve no value are not active any more.
   *
   * @param together whether all threads ask
   */
  void listen(boolean together) {
    speakers.ask(together);
    others.accept(tallies[0]);
  }

  /** Whether rows are to stop, by what active vertices said; then frames have the bound. */
  boolean now() {
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
      frame.alike = less == 0;
    }
    supersteps++;
    return true;
  }
}
