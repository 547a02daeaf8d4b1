package org.sparkgpugraph.frame;

/** Tables that are no graph: the message names the column, a value and what to do. */
public final class FrameException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  FrameException(String message) {
    super(message);
  }
}
