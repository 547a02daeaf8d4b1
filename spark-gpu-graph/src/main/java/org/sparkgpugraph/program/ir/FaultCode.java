package org.sparkgpugraph.program.ir;

/** Why a program stopped itself; the engine adds the vertex id and the source position. */
public enum FaultCode {
  DIVISION_BY_ZERO("integer division by zero"),
  ARRAY_INDEX("array index out of bounds"),
  MESSAGE_TO_STRANGER("message to a vertex that is neither the source nor the destination"),
  ARITHMETIC_OVERFLOW("integer overflow in an exact operation"),
  THROWN("the program threw an exception"),
  NULL_VALUE("a null value"),
  /** What only objects can do: GraphX runs the program then. */
  NOT_LIFTABLE("something that no engine can do");

  private final String text;

  FaultCode(String text) {
    this.text = text;
  }

  /** What a person reads. */
  public String text() {
    return text;
  }
}
