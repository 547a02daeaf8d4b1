package org.sparkgpugraph.program.ir;

/** What a parameter of an {@link IrFunction} stands for; engines bind parameters by role. */
public enum Role {
  /** The vertex id (original, LONG). */
  ID,
  /** Column of the value before the function ran: vertex program, state and result functions. */
  VALUE,
  /** Column of the original vertex attribute: state and result functions. */
  ATTRIBUTE,
  /** Column of the (merged) message: vertex program. */
  MESSAGE,
  /** Column of the value before and after the vertex program: activity and aggregates. */
  BEFORE,
  AFTER,
  /** Columns of the two messages of the merge function. */
  LEFT,
  RIGHT,
  /** Original ids of the two ends of the edge (LONG): send function. */
  SOURCE_ID,
  DESTINATION_ID,
  /** Columns of the values of the two ends, and of the edge value: send function. */
  SOURCE,
  DESTINATION,
  EDGE,
  /** In- and out-degree of the vertex (INT): state function. */
  IN_DEGREE,
  OUT_DEGREE,
  /** Current superstep number (INT), number of vertices (LONG), aggregate i (DOUBLE). */
  SUPERSTEP,
  VERTEX_COUNT,
  AGGREGATE,
  /** Captured value i of the program. */
  CAPTURE;

  /** Whether it is the same for all vertices and edges of a superstep. */
  public boolean isOfAll() {
    return switch (this) {
      case CAPTURE, SUPERSTEP, VERTEX_COUNT, AGGREGATE -> true;
      default -> false;
    };
  }
}
