package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.lanes.ElementFunction;

/**
 * The row's merged message as a local variable for each element, where messages are short arrays
 * that are merged element by element: the JVM keeps them in registers, and there is no loop for
 * each edge, which costs as much as some elements.
 */
final class ElementAccumulators {
  /** Longer arrays have no registers left, and loops over them are worth their while. */
  private static final int MOST = 16;

  private final KernelMethod method;
  private final CodeBuilder code;
  private final IrFunction merge;
  private final Kind kind;
  private final int[] elements;

  private ElementAccumulators(KernelMethod method, ArrayType type, IrFunction merge) {
    this.method = method;
    this.merge = merge;
    code = method.code;
    kind = type.kind();
    elements = new int[type.length()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = code.local(kind);
    }
  }

  /** Allocates the local variables; null where messages are something else. */
  static ElementAccumulators of(KernelMethod method) {
    if (method.message.size() != 1
        || !(method.message.get(0) instanceof ArrayType type)
        || type.length() > MOST
        || method.kernel.outlined() != null) {
      return null;
    }
    return ElementFunction.of(method.program.merge())
        .map(merge -> new ElementAccumulators(method, type, merge))
        .orElse(null);
  }

  /** No message yet; the verifier wants them to have a value. */
  void reset() {
    for (int slot : elements) {
      code.pushZero(kind).store(kind, slot);
    }
  }

  /** Takes a message. */
  void assign(int message) {
    for (int i = 0; i < elements.length; i++) {
      load(message, i);
      code.store(kind, elements[i]);
    }
  }

  /** Merges a message. */
  void merge(int message) {
    for (int i = 0; i < elements.length; i++) {
      new ElementBinding(method, merge, message, i).write();
    }
  }

  /** Makes an array of them. */
  void store(int array) {
    for (int i = 0; i < elements.length; i++) {
      at(array, i);
      code.load(kind, elements[i]).arrayStore(kind);
    }
  }

  private void load(int array, int i) {
    at(array, i);
    code.arrayLoad(kind);
  }

  private void at(int array, int i) {
    code.loadReference(array).loadInt(array + 1);
    if (i > 0) {
      code.push(i).op(Opcodes.IADD);
    }
  }

  /** The merge function of one element, into its local variable. */
  private final class ElementBinding extends FunctionBinding {
    private final int message;
    private final int i;

    ElementBinding(KernelMethod method, IrFunction merge, int message, int i) {
      super(method, merge, new int[] {elements[i]}, List.of(kind));
      this.message = message;
      this.i = i;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
      switch (parameter.role()) {
        case LEFT -> code.load(kind, elements[i]);
        case RIGHT -> load(message, i);
        default -> super.parameter(out, parameter, type);
      }
    }
  }
}
