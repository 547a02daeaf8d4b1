package org.sparkgpugraph.engine;

import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.SourcePosition;

/** A program stopped itself: division by zero, a message to a stranger, an exception it threw. */
public final class ProgramFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FaultCode code;

  /**
   * @param code what happened
   * @param detail more about it, may be empty
   * @param where position in the user's source
   * @param function which function of the program ran
   * @param vertex original id of the vertex that ran it (the receiver, in a send function)
   */
  public ProgramFault(
      FaultCode code, String detail, SourcePosition where, String function, long vertex) {
    super(
        "%s%s in %s at %s, vertex %s"
            .formatted(
                code.text(), detail.isEmpty() ? "" : " (" + detail + ")", function, where, vertex));
    this.code = code;
  }

  /** What happened. */
  public FaultCode code() {
    return code;
  }
}
