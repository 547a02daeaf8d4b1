package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.engine.cpu.codegen.locals.KernelMethod;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** State, vertex program and result functions. */
final class VertexHost extends FunctionHost {
  private final int[] value;
  private final int[] message;

  /**
   * @param value slots of the row's state, or null to read the arrays
   * @param message slots of the message, or null where there is none
   */
  VertexHost(
      KernelMethod method,
      IrFunction function,
      int[] value,
      int[] message,
      int[] targets,
      List<Kind> kinds) {
    super(method, function, targets, kinds);
    this.value = value;
    this.message = message;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, Kind kind) {
    int c = parameter.index();
    switch (parameter.role()) {
      case VALUE -> method.vertex.loadState(value, c);
      case MESSAGE -> code.load(kind, message[c]);
      case ATTRIBUTE -> method.vertex.loadAttribute(c);
      case IN_DEGREE -> method.vertex.loadInDegree();
      case OUT_DEGREE -> method.vertex.loadOutDegree();
      default -> super.parameter(out, parameter, kind);
    }
  }
}
