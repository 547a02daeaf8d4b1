package org.sparkgpugraph.program.lift;

import org.sparkgpugraph.program.ir.SourcePosition;

/** Ends the lifting of one function; becomes a {@link Refusal}. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient SourcePosition where;

  RefusedException(SourcePosition where, String reason) {
    super(reason);
    this.where = where;
  }

  SourcePosition where() {
    return where;
  }
}
