package org.sparkgpugraph.graphs.model;

/** A value of the graph is not of the class that its program was lifted for. */
public class ValueMismatchException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the value, where it stands, and the class that was expected
   */
  ValueMismatchException(String message) {
    super(message);
  }
}
