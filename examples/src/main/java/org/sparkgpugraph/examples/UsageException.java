package org.sparkgpugraph.examples;

/** A command line that makes no sense; ends the job with exit status 2 before any work. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
