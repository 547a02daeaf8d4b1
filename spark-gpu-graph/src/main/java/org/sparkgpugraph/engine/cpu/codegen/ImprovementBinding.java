package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The send function of the row to a receiver with the worst value of all, of programs that
 * {@linkplain AtomicMerge#sendsOnlyImprovements let that be told}: it only finds out whether there
 * is a message.
 */
final class ImprovementBinding extends SendBinding {
  private final int speaks;

  /**
   * @param out the row's edges, none of which is read
   * @param speaks slot of an INT that becomes 1 when there is a message
   */
  ImprovementBinding(KernelMethod method, EdgeLocals out, int speaks) {
    super(method, out, null, -1, -1);
    this.speaks = speaks;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, Kind kind) {
    if (parameter.role() == Role.DESTINATION) {
      code.push(kind, method.program.traits().merge().get(0).identity(kind));
    } else {
      super.parameter(out, parameter, kind);
    }
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    code.push(1).storeInt(speaks);
  }
}
