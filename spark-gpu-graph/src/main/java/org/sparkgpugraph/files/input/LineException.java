package org.sparkgpugraph.files.input;

/** A line that is not an edge; the reader adds file, line number and text. */
final class LineException extends Exception {
  private static final long serialVersionUID = 1L;

  LineException(String reason) {
    super(reason, null, false, false);
  }
}
