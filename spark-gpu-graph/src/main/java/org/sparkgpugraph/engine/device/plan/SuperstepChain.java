package org.sparkgpugraph.engine.device.plan;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Supersteps that are launched one behind the other, without a wait for the host between them:
 * where all vertices run always, nothing that a superstep tells decides what comes next. Each
 * counts in status words of its own.
 */
public final class SuperstepChain {
  /** Supersteps of a chain at most. */
  public static final int MOST = 16;

  /** Bytes of a superstep's words. */
  public static final int ENTRY_BYTES = Long.BYTES * StatusWord.COUNT;

  /** What a chain may take: a run is interrupted between chains. */
  private static final long MOST_NANOS = 20_000_000;

  private SuperstepChain() {}

  /**
   * Whether supersteps of a run may follow each other so: all vertices are active always, nobody
   * elsewhere is told anything, no border moves, no aggregate of one is read by the next, all have
   * the same kernels, and none can stop itself, behind which others must not go on.
   *
   * @param partitions of the graph
   */
  public static boolean fits(LiftedProgram program, ProgramKernels kernels, int partitions) {
    KernelShape shape = kernels.shape();
    return partitions == 1
        && shape.everyVertex()
        && !shape.tracksChanges()
        && !shape.partialMessages()
        && !kernels.permissive()
        && program.activeWhen() == null
        && program.aggregates().isEmpty()
        && !program.phased()
        && kernels.outlined().isEmpty()
        && kernels.sites().isEmpty();
  }

  /**
   * How many supersteps the next chain may have.
   *
   * @param left how many there are
   * @param each what one took, in nanoseconds; 0: nothing is known
   */
  public static int length(long left, long each) {
    return each == 0 ? 1 : (int) Math.max(1, Math.min(Math.min(MOST, left), MOST_NANOS / each));
  }
}
