package io.sparkgpugraph.program.analysis;

import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;

/** State columns that a vertex program returns as it got them, on every path. */
public final class StableColumns {
  private StableColumns() {}

  /**
   * Which columns are stable.
   *
   * @param width number of state columns
   */
  public static boolean[] of(IrFunction vertexProgram, int width) {
    boolean[] stable = new boolean[width];
    for (int c = 0; c < width; c++) {
      stable[c] = isStable(vertexProgram, c);
    }
    return stable;
  }

  private static boolean isStable(IrFunction function, int column) {
    int variable = -1;
    for (Param p : function.parameters()) {
      if (p.role() == Role.VALUE && p.index() == column) {
        variable = p.variable();
      }
    }
    if (variable < 0) {
      return false;
    }
    for (Insn insn : function.code()) {
      if (insn.written() == variable) {
        return false;
      }
    }
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Return r && !isCopyOf(function, r.values().get(column), variable)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a variable is the other one, or is only ever assigned from it. */
  private static boolean isCopyOf(IrFunction function, int variable, int original) {
    if (variable == original) {
      return true;
    }
    boolean copied = false;
    for (Param p : function.parameters()) {
      if (p.variable() == variable) {
        return false;
      }
    }
    for (Insn insn : function.code()) {
      if (insn.written() == variable) {
        if (!(insn instanceof Insn.Copy c) || c.source() != original) {
          return false;
        }
        copied = true;
      }
    }
    return copied;
  }
}
