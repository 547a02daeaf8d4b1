package org.sparkgpugraph.runtime.stage;

/**
 * What a task was to read is not there any more, since all that are to read it have done so but
 * this one: only what was said before may be said again.
 */
final class ExchangeGoneException extends Exception {
  private static final long serialVersionUID = 1L;

  ExchangeGoneException() {
    super("what was to be read is not there any more");
  }
}
