package org.sparkgpugraph.frame.pregel;

/** An expression has no place in a lifted program; the message says which and why. */
final class UnliftableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnliftableException(String reason) {
    super(reason);
  }
}
