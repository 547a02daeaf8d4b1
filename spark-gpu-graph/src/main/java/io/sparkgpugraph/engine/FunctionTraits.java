package io.sparkgpugraph.engine;

import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;
import java.util.Arrays;
import java.util.List;

/** Small facts about a program's functions that decide how its loops are written. */
public final class FunctionTraits {
  private FunctionTraits() {}

  /** State columns that the vertex program returns as it got them, on every path. */
  public static boolean[] stableColumns(LiftedProgram program) {
    int width = program.state().columns().size();
    boolean[] stable = new boolean[width];
    for (int c = 0; c < width; c++) {
      stable[c] = isStable(program.vertexProgram(), c);
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

  /** State columns that the send function reads of either end, ascending. */
  public static int[] shippedColumns(LiftedProgram program) {
    return program.send().parameters().stream()
        .filter(p -> p.role() == Role.SOURCE || p.role() == Role.DESTINATION)
        .mapToInt(Param::index)
        .distinct()
        .sorted()
        .toArray();
  }

  /** Whether a function that runs in a superstep reads ids. */
  public static boolean readsIds(LiftedProgram program) {
    return program.send().reads(Role.SOURCE_ID)
        || program.send().reads(Role.DESTINATION_ID)
        || program.vertexProgram().reads(Role.ID)
        || (program.activeWhen() != null && program.activeWhen().reads(Role.ID))
        || program.aggregates().stream().anyMatch(a -> a.function().reads(Role.ID));
  }

  /**
   * The values from which an accumulator can start so that the first message needs no test, or null
   * when there are none. A merge with branches is left alone: {@code a < b ? a : b} and a NaN.
   */
  public static Object[] identities(LiftedProgram program) {
    List<MergeAlgebra> algebra = program.traits().merge();
    int width = program.message().columns().size();
    if (algebra.size() != width
        || program.merge().code().stream().anyMatch(i -> i instanceof Insn.Branch)) {
      return null;
    }
    Object[] identities = new Object[width];
    for (int c = 0; c < width; c++) {
      identities[c] = algebra.get(c).identity(program.message().columns().get(c));
    }
    return Arrays.stream(identities).anyMatch(i -> i == null) ? null : identities;
  }
}
