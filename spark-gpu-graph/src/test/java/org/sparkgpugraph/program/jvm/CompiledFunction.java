package org.sparkgpugraph.program.jvm;

import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;

/**
 * A single function in callable form, with boxed arguments: for what runs rarely (and for tests).
 * Loops over vertices and edges are generated with the functions inlined instead.
 */
public interface CompiledFunction {
  /** Receives the messages of a send function. */
  @FunctionalInterface
  interface MessageSink {
    /** Takes one message; one box per message column. */
    void emit(Side side, Object[] message);
  }

  /** The function. */
  IrFunction function();

  /**
   * Calls the function.
   *
   * @param arguments one box per {@link IrFunction#parameters()}, in their order; a box of the
   *     variable's kind
   * @param sink takes the messages; may be null when the function has no Emit
   * @return one box per result column
   * @throws FunctionFault when the function reaches a Fail
   */
  Object[] call(Object[] arguments, MessageSink sink);

  /** Calls a function that sends no messages. */
  default Object[] call(Object... arguments) {
    return call(arguments, null);
  }
}
