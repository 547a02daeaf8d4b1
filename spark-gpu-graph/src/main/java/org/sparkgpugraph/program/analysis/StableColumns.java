package org.sparkgpugraph.program.analysis;

import java.util.Arrays;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/** State columns that a vertex program returns as it got them, on every path. */
public final class StableColumns {
  /** Nothing writes the variable. */
  private static final int UNWRITTEN = -1;

  /** Something else than copies of one variable. */
  private static final int COMPUTED = -2;

  private StableColumns() {}

  /**
   * Which columns are stable.
   *
   * @param width number of state columns
   */
  public static boolean[] of(IrFunction vertexProgram, int width) {
    int[] copyOf = copies(vertexProgram);
    int[] given = new int[width];
    Arrays.fill(given, -1);
    for (Param p : vertexProgram.parameters()) {
      if (p.role() == Role.VALUE && copyOf[p.variable()] == UNWRITTEN) {
        given[p.index()] = p.variable();
      }
    }
    for (Param p : vertexProgram.parameters()) {
      copyOf[p.variable()] = COMPUTED;
    }
    boolean[] stable = new boolean[width];
    for (int c = 0; c < width; c++) {
      stable[c] = given[c] >= 0;
    }
    for (Insn insn : vertexProgram.code()) {
      if (insn instanceof Insn.Return r) {
        for (int c = 0; c < width; c++) {
          int returned = r.values().get(c);
          stable[c] &= returned == given[c] || copyOf[returned] == given[c];
        }
      }
    }
    return stable;
  }

  /** For each variable the one that all writes copy into it. */
  private static int[] copies(IrFunction function) {
    int[] copyOf = new int[function.variables().size()];
    Arrays.fill(copyOf, UNWRITTEN);
    for (Insn insn : function.code()) {
      int target = insn.target();
      if (target >= 0) {
        int source = insn instanceof Insn.Copy copy ? copy.source() : COMPUTED;
        copyOf[target] =
            copyOf[target] == UNWRITTEN || copyOf[target] == source ? source : COMPUTED;
      }
    }
    return copyOf;
  }
}
