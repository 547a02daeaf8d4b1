package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The functions of a vertex: all but send and merge. */
final class VertexBinding extends FunctionBinding {
  private final int[] value;
  private final int[] given;

  /**
   * @param value slots of the row's state, or null to read the arrays
   * @param given slots of the message, or of the new state; null where there is neither
   */
  VertexBinding(
      KernelMethod method,
      IrFunction function,
      int[] value,
      int[] given,
      int[] targets,
      List<ColumnType> kinds) {
    super(method, function, targets, kinds);
    this.value = value;
    this.given = given;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    int c = parameter.index();
    switch (parameter.role()) {
      case VALUE, BEFORE -> method.vertex.loadState(value, c);
      case MESSAGE, AFTER -> code.load(type, given[c]);
      case ATTRIBUTE -> method.vertex.loadAttribute(c);
      case IN_DEGREE -> method.vertex.loadInDegree();
      case OUT_DEGREE -> method.vertex.loadOutDegree();
      default -> super.parameter(out, parameter, type);
    }
  }
}
