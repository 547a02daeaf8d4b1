package org.sparkgpugraph.runtime.rapids;

/** A column of edges has a null. */
public final class NullInTableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NullInTableException(boolean end) {
    super(
        end
            ? "an edge has a null for an end: filter such rows out"
            : "an edge has a null for a weight: filter such rows out");
  }
}
