package org.sparkgpugraph.engine.cpu.codegen.locals;

import java.util.function.Consumer;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Static methods of the kernel that hold one function each, for programs whose loops would be too
 * long to be compiled with everything inlined.
 */
public interface Outlines {
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
