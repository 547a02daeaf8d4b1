package org.sparkgpugraph.examples.command;

/** A command line that makes no sense; ends the job with exit status 2 before any work. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong.
   *
   * @param message without the name of the job
   */
  public UsageException(String message) {
    super(message);
  }
}
