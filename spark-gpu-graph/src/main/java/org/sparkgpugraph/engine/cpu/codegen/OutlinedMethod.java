package org.sparkgpugraph.engine.cpu.codegen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The body of a static method with one function: arguments, then frame, tally and v. */
final class OutlinedMethod {
  /** Calls such methods, for programs whose loops would be too long with everything inlined. */
  interface Caller {
    /**
     * Calls the method of a function, which is added when it is called for the first time.
     *
     * @param side of a send function: the messages that it takes; else null
     */
    void call(
        IrFunction function,
        Side side,
        String descriptor,
        Consumer<CodeBuilder> body,
        CodeBuilder from);
  }

  private final KernelMethod method;
  private final IrFunction function;
  private final Side side;
  private final Map<Param, Integer> arguments = new HashMap<>();

  /**
   * @param caller a method that calls it
   * @param passed the function's parameters that are arguments; it reads the others itself
   * @param side of a send function: the messages that it takes; else null
   */
  OutlinedMethod(
      KernelMethod caller, CodeBuilder out, IrFunction function, List<Param> passed, Side side) {
    this.function = function;
    this.side = side;
    for (int i = 0; i < passed.size(); i++) {
      arguments.put(passed.get(i), slots(function, passed.subList(0, i)));
    }
    method = caller.outlined(out, slots(function, passed));
  }

  /** Slots that arguments take. */
  static int slots(IrFunction function, List<Param> passed) {
    int slots = 0;
    for (Param p : passed) {
      slots += CodeBuilder.isWide(p.type(function.variables().get(p.variable()))) ? 2 : 1;
    }
    return slots;
  }

  void write() {
    method.context.read(function);
    if (side == null) {
      new OutlinedBinding(method, function, null, null, arguments).write();
    } else {
      method.context.read(method.program.merge());
      MessageAccumulators accumulators = new MessageAccumulators(method);
      accumulators.take();
      new OutlinedBinding(method, function, side, accumulators, arguments).write();
      accumulators.keep();
    }
    method.leave();
  }
}
