package org.sparkgpugraph.program.analysis;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/** Recognises what the engines may rely on, by looking at the lifted functions. */
public final class TraitRecognizer {
  private TraitRecognizer() {}

  /**
   * Recognises the traits of a program; what is not recognised is not claimed.
   *
   * @param merge null: the most frequent message
   * @param activeWhen null when there is none
   */
  public static ProgramTraits recognize(
      IrFunction vertexProgram,
      IrFunction send,
      IrFunction merge,
      IrFunction activeWhen,
      List<Aggregate> aggregates) {
    List<MergeAlgebra> algebra = merge == null ? List.of(MergeAlgebra.MODE) : algebra(merge);
    String obstacle = MonotoneProof.obstacle(algebra, vertexProgram, send, activeWhen, aggregates);
    boolean toSource = sends(send, Side.SOURCE);
    boolean toDestination = sends(send, Side.DESTINATION);
    List<String> notes = new ArrayList<>();
    notes.add("messages are merged by " + algebra);
    notes.add(
        "messages go to "
            + (toSource
                ? toDestination ? "both ends" : "the source"
                : toDestination ? "the destination" : "no one"));
    notes.add(
        obstacle != null
            ? ProgramTraits.NOT_MONOTONE + obstacle
            : toSource
                ? "monotone under activeDirection Either"
                : "monotone under activeDirection Either and Out");
    return new ProgramTraits(algebra, toSource, toDestination, obstacle == null, notes);
  }

  /** What a merge function does to each column of the messages. */
  public static List<MergeAlgebra> algebra(IrFunction merge) {
    return ColumnAlgebra.of(merge, Role.LEFT, Role.RIGHT);
  }

  /** Whether a send function can send to an end. */
  public static boolean sends(IrFunction send, Side side) {
    return send.code().stream().anyMatch(i -> i instanceof Insn.Emit emit && emit.side() == side);
  }
}
