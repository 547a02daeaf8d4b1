package org.sparkgpugraph.graphs.model;

/**
 * A value of the graph is not of the class that its program was lifted for, or is an array that
 * cannot be a value, or of another length than the others.
 */
public class ValueMismatchException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the value, where it stands, and what was expected
   */
  public ValueMismatchException(String message) {
    super(message);
  }
}
