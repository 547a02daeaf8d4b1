package org.sparkgpugraph.engine.cpu;

import org.sparkgpugraph.engine.DegreeSkew;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.MeanEdgeValue;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.graphs.rows.TransposedValues;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;

/** The vertices of a partition that push, and whether a run does at all. */
final class ActiveRows {
  private static final String PUSHED = "pushes over out-edges in supersteps";
  private static final String PRIORITY =
      "pushes over out-edges in order of priority without supersteps (delta-stepping)";

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
        // Who pushes goes from row to row, which windows of edges off the heap do not follow.
        && partition.inEdges().onHeap()
        && (choice.pushes()
            || PushRows.of(partition).areAtHand()
            || missed.of(partition) >= KernelChooser.PATIENCE);
  }

  /**
   * In which order a run pushes, of priority or of memory. By itself it does where values are made
   * of edge values, such as lengths of paths, which without an order are improved again and again;
   * but not where hubs make all paths short, as in social networks: rows pushed in the order of the
   * memory are walked in half the time then, and seldom again. Hops and labels are seldom improved
   * twice anywhere.
   */
  static Order order(
      CompiledKernel compiled, LiftedProgram program, KernelChoice choice, SentRows rows) {
    return compiled.relaxes() && mayRelax(program, choice)
        ? order(program, choice, rows)
        : new Order(false, PUSHED);
  }

  /** As above, of a program that may be relaxed. */
  static Order order(LiftedProgram program, KernelChoice choice, SentRows rows) {
    if (choice == KernelChoice.ASYNC) {
      return new Order(true, PRIORITY + " (forced)");
    }
    double skew = DegreeSkew.of(rows.csr());
    boolean relaxes = skew < DegreeSkew.HUBS;
    return new Order(relaxes, (relaxes ? PRIORITY : PUSHED) + ": " + DegreeSkew.describe(skew));
  }

  /**
   * In which order a run pushes.
   *
   * @param byPriority whether it is that of priority
   * @param note which one, and the figure that decided
   */
  record Order(boolean byPriority, String note) {}

  /** Whether the settings, or what the program sends, allow an order of priority. */
  static boolean mayRelax(LiftedProgram program, KernelChoice choice) {
    return choice == KernelChoice.ASYNC
        || choice == KernelChoice.AUTO && program.send().reads(Role.EDGE);
  }

  /** The mean size of the edge values that are sent, 1 where none are, by mean degree. */
  static double unitOfPriority(LiftedProgram program, SentRows rows) {
    boolean sends = program.send().reads(Role.EDGE);
    double mean = sends ? MeanEdgeValue.of(program, rows.values()) : 0;
    double degree = (double) rows.csr().edges() / Math.max(1, rows.csr().rows());
    return (mean > 0 ? mean : 1) / Math.max(1, degree);
  }

  /** Whether the settings allow that a program is pushed. */
  static boolean mayPush(KernelChoice choice, ActiveDirection direction) {
    return (choice == KernelChoice.AUTO || choice.pushes())
        && KernelShape.neighbourRowsAreCandidates(direction, true);
  }

  /**
   * The rows over which a part of a graph pushes, always in order of priority: where a graph of one
   * partition would. Their transpose is there, since its edges are counted by it, or is made.
   *
   * @return null: it pulls
   */
  static SentRows ofPart(
      CompiledKernel compiled,
      LiftedProgram program,
      RunSettings settings,
      GraphPartition partition,
      TransposedValues transposed) {
    if (!compiled.relaxes()
        || !partition.inEdges().onHeap()
        || !mayPush(settings.kernel(), settings.activeDirection())
        || !mayRelax(program, settings.kernel())) {
      return null;
    }
    SentRows rows = SentRows.ofPart(partition, transposed, settings.threads());
    return order(compiled, program, settings.kernel(), rows).byPriority() ? rows : null;
  }

  /**
   * Makes all vertices active, ghosts too: also those that do not exist, whose edges send messages
   * in the first superstep and never again.
   */
  static void all(KernelFrame frame) {
    frame.active.clearAll();
    frame.active.addRange(0, frame.active.size());
  }

  /**
   * Leaves active those of the vertices that wait for the next superstep that a relaxation began
   * with.
   *
   * @param begun a copy of the words of those that it began with
   * @return whether there are any
   */
  static boolean keepWaiting(KernelFrame frame, long[] begun) {
    VertexBitmap active = frame.active;
    long any = 0;
    for (int w = 0; w < begun.length; w++) {
      active.words[w] = begun[w] & frame.nextActive.words[w];
      any |= active.words[w];
    }
    active.summarise();
    return any != 0;
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
      push(kernel, frame, tally, s);
    }
  }

  /** Pushes from the active vertices under one word of the summary. */
  static void push(CpuKernel kernel, KernelFrame frame, Tally tally, int s) {
    VertexBitmap active = frame.active;
    if (active.summary[s] != 0) {
      kernel.push(frame, tally, s << 6, Math.min(active.words.length, (s + 1) << 6));
    }
  }
}
