package org.sparkgpugraph.runtime.load;

/** A shard was sent edges that have no end there. */
final class MisroutedEdgesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MisroutedEdgesException(String message, Throwable cause) {
    super(message, cause);
  }
}
