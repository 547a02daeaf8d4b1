package org.sparkgpugraph.files.input;

/**
 * Input that cannot be read or output that cannot be written, for a reason that the user can
 * remove. The message is one line; it names the place and says what to do. What it quotes is shown
 * by {@link Printable}.
 */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadInputException(String message) {
    super(Printable.of(message));
  }

  public BadInputException(String message, Throwable cause) {
    super(Printable.of(message), cause);
  }
}
