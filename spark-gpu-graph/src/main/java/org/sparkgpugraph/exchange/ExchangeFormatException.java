package org.sparkgpugraph.exchange;

/**
 * A record of boundary updates is not what its reader expects: damaged on the way, or of another
 * run, superstep, sender or reader. Nothing of it was delivered.
 */
public final class ExchangeFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong and where
   */
  public ExchangeFormatException(String message) {
    super(message);
  }
}
