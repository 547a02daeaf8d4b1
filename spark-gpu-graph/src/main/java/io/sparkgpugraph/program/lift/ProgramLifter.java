package io.sparkgpugraph.program.lift;

import io.sparkgpugraph.program.ProgramInstance;

/**
 * Lifts a program's functions from their bytecode (DESIGN, "Programs are lifted from bytecode").
 */
public final class ProgramLifter {
  private ProgramLifter() {}

  /**
   * Lifts a program. Runs on the driver; reads bytecode through the class loader of each lambda.
   *
   * @throws NotLiftableException with every reason, when a function cannot be lifted
   */
  public static ProgramInstance lift(ProgramSource source) {
    throw new UnsupportedOperationException("being written: " + source);
  }
}
