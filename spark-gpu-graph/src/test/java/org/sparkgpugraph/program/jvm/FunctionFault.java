package org.sparkgpugraph.program.jvm;

import org.sparkgpugraph.program.ir.Insn;

/** A {@link CompiledFunction} stopped itself. */
public final class FunctionFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Insn.Fail fail;

  FunctionFault(String function, Insn.Fail fail) {
    super(
        fail.code().text()
            + (fail.detail().isEmpty() ? "" : " (" + fail.detail() + ")")
            + " in "
            + function
            + " at "
            + fail.where());
    this.fail = fail;
  }

  /** The instruction that was reached. */
  public Insn.Fail fail() {
    return fail;
  }
}
