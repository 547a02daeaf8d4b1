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

  /** Something else than copies of one parameter. */
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
      if (p.role() == Role.VALUE && copyOf[p.variable()] == p.variable()) {
        given[p.index()] = p.variable();
      }
    }
    boolean[] stable = new boolean[width];
    for (int c = 0; c < width; c++) {
      stable[c] = given[c] >= 0;
    }
    for (Insn insn : vertexProgram.code()) {
      if (insn instanceof Insn.Return r) {
        for (int c = 0; c < width; c++) {
          stable[c] &= copyOf[r.values().get(c)] == given[c];
        }
      }
    }
    return stable;
  }

  /**
   * For each variable the parameter whose value it has wherever it has one. Loops hand parameters
   * on from variable to variable and back: each has the value of one as long as nothing else comes
   * in.
   */
  private static int[] copies(IrFunction function) {
    int[] copyOf = new int[function.variables().size()];
    Arrays.fill(copyOf, UNWRITTEN);
    for (Param p : function.parameters()) {
      copyOf[p.variable()] = p.variable();
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Insn insn : function.code()) {
        int target = insn.target();
        if (target >= 0) {
          int source = insn instanceof Insn.Copy copy ? copyOf[copy.source()] : COMPUTED;
          int now = meet(copyOf[target], source);
          changed |= now != copyOf[target];
          copyOf[target] = now;
        }
      }
    }
    return copyOf;
  }

  private static int meet(int one, int other) {
    if (one == UNWRITTEN) {
      return other;
    }
    return other == UNWRITTEN || other == one ? one : COMPUTED;
  }
}
