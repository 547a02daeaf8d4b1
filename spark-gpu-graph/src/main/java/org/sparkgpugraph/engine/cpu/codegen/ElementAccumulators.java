package org.sparkgpugraph.engine.cpu.codegen;

import java.util.Arrays;
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

  /** Of all arrays of a message. */
  private static final int MOST_OF_ALL = 32;

  private final KernelMethod method;
  private final CodeBuilder code;
  private final IrFunction merge;
  private final List<Kind> kinds;
  private final int length;

  /** The variables of each array. */
  private final int[][] elements;

  private ElementAccumulators(KernelMethod method, int length, IrFunction merge) {
    this.method = method;
    this.merge = merge;
    this.length = length;
    code = method.code;
    kinds = method.message.stream().map(ColumnType::kind).toList();
    elements = new int[kinds.size()][length];
    for (int c = 0; c < elements.length; c++) {
      for (int i = 0; i < length; i++) {
        elements[c][i] = code.local(kinds.get(c));
      }
    }
  }

  /** Allocates the local variables; null where messages are something else. */
  static ElementAccumulators of(KernelMethod method) {
    List<ColumnType> message = method.message;
    if (message.isEmpty()
        || !(message.get(0) instanceof ArrayType first)
        || message.stream().anyMatch(type -> !type.isArray() || type.width() != first.length())
        || first.length() > MOST
        || first.length() * message.size() > MOST_OF_ALL
        || method.kernel.outlined() != null) {
      return null;
    }
    return ElementFunction.of(method.program.merge())
        .map(merge -> new ElementAccumulators(method, first.length(), merge))
        .orElse(null);
  }

  /** No message yet; the verifier wants them to have a value. */
  void reset() {
    for (int c = 0; c < elements.length; c++) {
      for (int slot : elements[c]) {
        code.pushZero(kinds.get(c)).store(kinds.get(c), slot);
      }
    }
  }

  /**
   * Takes a message.
   *
   * @param message slots of its arrays
   */
  void assign(int[] message) {
    for (int c = 0; c < elements.length; c++) {
      for (int i = 0; i < length; i++) {
        load(message, c, i);
        code.store(kinds.get(c), elements[c][i]);
      }
    }
  }

  /** Merges a message. */
  void merge(int[] message) {
    for (int i = 0; i < length; i++) {
      new ElementBinding(message, i).write();
    }
  }

  /** Makes arrays of them. */
  void store(int[] arrays) {
    for (int c = 0; c < elements.length; c++) {
      for (int i = 0; i < length; i++) {
        at(arrays[c], i);
        code.load(kinds.get(c), elements[c][i]).arrayStore(kinds.get(c));
      }
    }
  }

  private void load(int[] arrays, int c, int i) {
    at(arrays[c], i);
    code.arrayLoad(kinds.get(c));
  }

  private void at(int array, int i) {
    code.loadReference(array).loadInt(array + 1);
    if (i > 0) {
      code.push(i).op(Opcodes.IADD);
    }
  }

  private int[] at(int i) {
    return Arrays.stream(elements).mapToInt(array -> array[i]).toArray();
  }

  /** The merge function of the elements at one index, into their local variables. */
  private final class ElementBinding extends FunctionBinding {
    private final int[] message;
    private final int i;

    ElementBinding(int[] message, int i) {
      super(
          ElementAccumulators.this.method,
          merge,
          at(i),
          List.<ColumnType>copyOf(ElementAccumulators.this.kinds));
      this.message = message;
      this.i = i;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
      int c = parameter.index();
      switch (parameter.role()) {
        case LEFT -> code.load(type.kind(), elements[c][i]);
        case RIGHT -> load(message, c, i);
        default -> super.parameter(out, parameter, type);
      }
    }
  }
}
