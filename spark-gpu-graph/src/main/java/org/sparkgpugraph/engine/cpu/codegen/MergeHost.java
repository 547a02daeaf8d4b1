package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.engine.cpu.codegen.locals.KernelMethod;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The merge function, into the accumulators. */
final class MergeHost extends FunctionHost {
  private final int[] left;
  private final int[] right;

  /**
   * @param left slots of the accumulators
   * @param right slots of the message
   */
  MergeHost(KernelMethod method, int[] left, int[] right) {
    super(method, method.program.merge(), left, method.message);
    this.left = left;
    this.right = right;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, Kind kind) {
    switch (parameter.role()) {
      case LEFT -> code.load(kind, left[parameter.index()]);
      case RIGHT -> code.load(kind, right[parameter.index()]);
      default -> super.parameter(out, parameter, kind);
    }
  }
}
