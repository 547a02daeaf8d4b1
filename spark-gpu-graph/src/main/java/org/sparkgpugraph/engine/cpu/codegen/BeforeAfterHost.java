package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.engine.cpu.codegen.locals.KernelMethod;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Activity and aggregates: functions of the state before and after, with one result. */
final class BeforeAfterHost extends FunctionHost {
  private final int[] before;
  private final int[] after;

  /**
   * @param before slots of the row's state, or null to read the arrays
   * @param after slots of its new state
   */
  BeforeAfterHost(
      KernelMethod method, IrFunction function, int[] before, int[] after, int target, Kind kind) {
    super(method, function, new int[] {target}, List.of(kind));
    this.before = before;
    this.after = after;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, Kind kind) {
    switch (parameter.role()) {
      case BEFORE -> method.vertex.loadState(before, parameter.index());
      case AFTER -> code.load(kind, after[parameter.index()]);
      default -> super.parameter(out, parameter, kind);
    }
  }
}
