package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;

/**
 * What of a function's code is printed: what control reaches, without messages to the other side,
 * without values that nothing reads, without jumps to the next instruction and without labels that
 * nothing jumps to. C compilers would do the same, but they warn of what they leave out.
 */
final class NeededCode {
  private NeededCode() {}

  /**
   * @param side the end of the edge whose messages are wanted; null: no messages are sent
   */
  static List<Insn> of(IrFunction function, Side side) {
    List<Insn> code = new ArrayList<>();
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Branch branch
          && branch.left() == branch.right()
          && function.variables().get(branch.left()).isIntegral()) {
        if (branch.condition().holds(0)) {
          code.add(new Insn.Jump(branch.label(), branch.where()));
        }
      } else if (!(insn instanceof Insn.Emit emit) || emit.side() == side) {
        code.add(insn);
      }
    }
    return CodeCleaner.clean(code);
  }
}
