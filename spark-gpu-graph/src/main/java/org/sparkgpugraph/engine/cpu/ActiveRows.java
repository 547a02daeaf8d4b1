package org.sparkgpugraph.engine.cpu;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;

/** The vertices of a partition that push, and whether a run does at all. */
final class ActiveRows {
  private ActiveRows() {}

  /**
   * Whether the supersteps of a run push, all of them: where rows by source are there, where they
   * cost as much as rows by destination, or where runs before would have had use for them.
   *
   * @param compiled whose program may be pushed
   * @param missed what runs before lacked
   * @param partition the only one
   */
  static boolean pushes(
      CompiledKernel compiled,
      MissedTransposes missed,
      KernelChoice choice,
      ActiveDirection direction,
      GraphPartition partition) {
    return compiled.pushes()
        && mayPush(choice, direction)
        && (choice.pushes()
            || PushRows.of(partition).areAtHand()
            || missed.of(partition) >= KernelChooser.PATIENCE);
  }

  /** Whether the settings allow that a program is pushed. */
  static boolean mayPush(KernelChoice choice, ActiveDirection direction) {
    return (choice == KernelChoice.AUTO || choice.pushes())
        && KernelShape.neighbourRowsAreCandidates(direction, true);
  }

  /**
   * Makes all held vertices active: also those that do not exist, whose edges send messages in the
   * first superstep and never again.
   */
  static void all(KernelFrame frame) {
    frame.active.clearAll();
    frame.active.addRange(0, frame.partition.stored());
  }

  /** Whether the active vertices and their out-edges are more than a number. */
  static boolean exceed(KernelFrame frame, long bound) {
    VertexBitmap active = frame.active;
    long sum = 0;
    for (int s = 0; s < active.summary.length && sum <= bound; s++) {
      for (int v : active.members(s)) {
        sum += 1 + frame.outOffsets[v + 1] - frame.outOffsets[v];
      }
    }
    return sum > bound;
  }

  /** Pushes on the caller's thread, until the team is stopped. */
  static void push(CpuKernel kernel, KernelFrame frame, Tally tally, WorkerTeam team) {
    VertexBitmap active = frame.active;
    for (int s = 0; s < active.summary.length && !team.stopped(); s++) {
      if (active.summary[s] != 0) {
        kernel.push(frame, tally, s << 6, Math.min(active.words.length, (s + 1) << 6));
      }
    }
  }
}
