package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** A function in a method of its own. */
final class OutlinedBinding extends FunctionBinding {
  private final Side side;
  private final MessageAccumulators accumulators;
  private final Map<Param, Integer> arguments;

  /**
   * @param side of a send function: the messages that it takes; else null
   * @param accumulators of a send function; else null
   * @param arguments slots of the parameters that the method takes
   */
  OutlinedBinding(
      KernelMethod method,
      IrFunction function,
      Side side,
      MessageAccumulators accumulators,
      Map<Param, Integer> arguments) {
    super(method, function, new int[0], List.of());
    this.side = side;
    this.accumulators = accumulators;
    this.arguments = arguments;
  }

  @Override
  Side side() {
    return side;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    if (ContextLocals.isContext(parameter.role())) {
      super.parameter(out, parameter, type);
    } else {
      code.load(type, arguments.get(parameter));
    }
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    if (emit.side() == side) {
      accumulators.merge(slots);
    }
  }

  @Override
  public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
    new PassedValues(method).keep(function.results(), slots);
    leave(last);
  }
}
