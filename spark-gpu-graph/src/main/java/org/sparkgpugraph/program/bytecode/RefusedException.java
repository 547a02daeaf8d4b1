package org.sparkgpugraph.program.bytecode;

import java.util.List;
import org.sparkgpugraph.program.ir.SourcePosition;

/** Ends the lifting of one function; becomes a {@link org.sparkgpugraph.program.Refusal}. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What follows is about the code of the library that was called. */
  public static final String INSIDE = " (inside it: ";

  private final transient SourcePosition where;
  private final transient List<RefusedException> all;

  public RefusedException(SourcePosition where, String reason) {
    super(reason);
    this.where = where;
    all = List.of(this);
  }

  /** Of several reasons, at least one. */
  RefusedException(List<RefusedException> all) {
    super(all.get(0).getMessage(), all.get(0));
    where = all.get(0).where;
    this.all = List.copyOf(all);
  }

  public SourcePosition where() {
    return where;
  }

  /** All reasons that were found, in their order. */
  public List<RefusedException> all() {
    return all;
  }

  /** Whether this says the same in the same place, whatever is said of the library's inside. */
  boolean says(RefusedException other) {
    return where.equals(other.where) && said().equals(other.said());
  }

  private String said() {
    int inside = getMessage().indexOf(INSIDE);
    return inside < 0 ? getMessage() : getMessage().substring(0, inside);
  }
}
