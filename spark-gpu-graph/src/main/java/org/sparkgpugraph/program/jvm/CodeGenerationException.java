package org.sparkgpugraph.program.jvm;

import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * The JVM does not take the code that was generated from a program: a method of it is too large, as
 * a rule. The program may still run on a GPU or on stock GraphX.
 */
public final class CodeGenerationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String function;
  private final SourcePosition where;

  /**
   * @param function name of the program's function that is at fault
   * @param where where it begins
   * @param reason what is wrong, and what to do
   */
  public CodeGenerationException(
      String function, SourcePosition where, String reason, Throwable cause) {
    super(reason, cause);
    this.function = function;
    this.where = where;
  }

  /** Name of the program's function that is at fault. */
  public String function() {
    return function;
  }

  /** Where it begins in the user's source. */
  public SourcePosition where() {
    return where;
  }

  @Override
  public String toString() {
    return function + " at " + where + ": " + getMessage();
  }
}
