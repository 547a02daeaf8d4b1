package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.jvm.IrEmitter;

/** What all functions share: context parameters, results into locals, faults. */
abstract class FunctionBinding implements IrEmitter.Binding {
  /** The JVM allows 255 slots of arguments; three are the frame, the tally and the vertex. */
  private static final int MOST_ARGUMENTS = 250;

  final KernelMethod method;
  final CodeBuilder code;
  final IrFunction function;
  private final int[] targets;
  private final List<ColumnType> kinds;
  private final Label done = new Label();

  /**
   * @param targets slots that take the results; of arrays they take where these are, until the
   *     function is run again
   * @param kinds kinds of the results
   */
  FunctionBinding(KernelMethod method, IrFunction function, int[] targets, List<ColumnType> kinds) {
    this.method = method;
    this.function = function;
    this.targets = targets;
    this.kinds = kinds;
    code = method.code;
  }

  /** Of a send function, the messages that it takes; else null. */
  Side side() {
    return null;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    if (ContextLocals.isContext(parameter.role())) {
      method.context.load(parameter, type.kind());
    } else if (parameter.role() == Role.ID) {
      method.vertex.loadId(method.vertex.v());
    } else {
      throw new IllegalArgumentException(
          "function '" + function.name() + "' cannot read " + parameter);
    }
  }

  @Override
  public void table(CodeBuilder out, int table, Kind kind) {
    method.context.loadTable(table);
  }

  @Override
  public int[] arrays(CodeBuilder out, IrFunction made, ArrayPlaces places) {
    return method.context.arrays(made);
  }

  @Override
  public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
    for (int c = 0; c < slots.length; c++) {
      code.load(kinds.get(c), slots[c]);
    }
    for (int c = slots.length - 1; c >= 0; c--) {
      code.store(kinds.get(c), targets[c]);
    }
    leave(last);
  }

  /** Takes those results that are numbers. */
  final void numbers(int[] slots) {
    for (int c = 0; c < slots.length; c++) {
      if (!kinds.get(c).isArray()) {
        code.load(kinds.get(c), slots[c]);
      }
    }
    for (int c = slots.length - 1; c >= 0; c--) {
      if (!kinds.get(c).isArray()) {
        code.store(kinds.get(c), targets[c]);
      }
    }
  }

  /** Takes the results of a call. */
  void take(PassedValues passed) {
    passed.take(kinds, targets);
  }

  final void leave(boolean last) {
    if (!last) {
      code.jump(Opcodes.GOTO, done);
    }
  }

  @Override
  public void fail(CodeBuilder out, Insn.Fail fail) {
    method.fail(function, fail);
  }

  /** Writes the function, or a call of it; its results are in the targets behind it. */
  final void inline() {
    if (isOutlined(method, function)) {
      call(passed(function));
    } else {
      write();
    }
  }

  /** Whether a function is called: not one that takes more than a method may. */
  static boolean isOutlined(KernelMethod method, IrFunction function) {
    return method.kernel.outlined() != null
        && OutlinedMethod.slots(function, passed(function)) <= MOST_ARGUMENTS;
  }

  private static List<Param> passed(IrFunction function) {
    return function.parameters().stream().filter(p -> !ContextLocals.isContext(p.role())).toList();
  }

  /** Writes the function here. */
  final void write() {
    IrEmitter.emit(function, code, this);
    code.label(done);
  }

  private void call(List<Param> passed) {
    for (Param p : passed) {
      parameter(code, p, p.type(function.variables().get(p.variable())));
    }
    code.loadReference(method.frame).loadReference(method.tally).loadInt(method.vertex.v());
    method
        .kernel
        .outlined()
        .call(
            function,
            side(),
            descriptor(passed),
            out -> new OutlinedMethod(method, out, function, passed, side()).write(),
            code);
    take(new PassedValues(method));
  }

  private String descriptor(List<Param> passed) {
    StringBuilder text = new StringBuilder("(");
    for (Param p : passed) {
      String kind = CodeBuilder.type(function.variables().get(p.variable())).getDescriptor();
      text.append(p.length() > 0 ? "[" + kind + "I" : kind);
    }
    text.append(Type.getDescriptor(KernelFrame.class));
    return text.append(Type.getDescriptor(Tally.class)).append("I)V").toString();
  }
}
