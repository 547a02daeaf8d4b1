package org.sparkgpugraph.program.bytecode;

import org.sparkgpugraph.program.ir.SourcePosition;

/** Ends the lifting of one function; becomes a {@link Refusal}. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient SourcePosition where;

  public RefusedException(SourcePosition where, String reason) {
    super(reason);
    this.where = where;
  }

  public SourcePosition where() {
    return where;
  }
}
