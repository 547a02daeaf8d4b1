package io.sparkgpugraph.program.analysis;

import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.ProgramTraits;
import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Side;
import java.util.Collections;
import java.util.List;

/** Recognises what the engines may rely on, from the lifted functions alone. */
public final class TraitRecognizer {
  private TraitRecognizer() {}

  /** Recognises the traits of a program; what is not recognised is not claimed. */
  public static ProgramTraits recognize(
      IrFunction vertexProgram,
      IrFunction send,
      IrFunction merge,
      IrFunction activeWhen,
      List<Aggregate> aggregates) {
    return new ProgramTraits(
        Collections.nCopies(merge.results().size(), MergeAlgebra.GENERAL),
        sends(send, Side.SOURCE),
        sends(send, Side.DESTINATION),
        false,
        List.of());
  }

  private static boolean sends(IrFunction send, Side side) {
    return send.code().stream().anyMatch(i -> i instanceof Insn.Emit emit && emit.side() == side);
  }
}
