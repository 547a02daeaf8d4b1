package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The send function of the row to a receiver with the worst value that there is: it only finds out
 * whether there is a message. For programs that send {@linkplain ImprovingSends improvements only},
 * whatever the edge, whose row has none for any receiver then.
 */
final class ImprovementBinding extends SendBinding {
  private final int improves;

  /**
   * @param out the row's edges, none of which is read
   * @param improves slot of an INT that becomes 1 when there is a message
   */
  ImprovementBinding(KernelMethod method, EdgeLocals out, int improves) {
    super(method, out, null, -1, -1);
    this.improves = improves;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    if (parameter.role() == Role.DESTINATION) {
      Kind kind = type.kind();
      code.push(kind, method.program.traits().merge().get(0).identity(kind));
    } else {
      super.parameter(out, parameter, type);
    }
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    code.push(1).storeInt(improves);
  }
}
