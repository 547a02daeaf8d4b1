package org.sparkgpugraph.graphs.model;

/**
 * A vertex or edge of the input has no value: programs compute with primitives, null is refused.
 */
public final class NullValueException extends ValueMismatchException {
  private static final long serialVersionUID = 1L;

  /**
   * @param where whose value it is: {@code vertex 17}, {@code edge 3→5}
   * @param component the component of a record, or empty
   * @param className the class of the value
   */
  NullValueException(String where, String component, String className) {
    super(
        ("the value of %s is null%s; a %s is needed: replace nulls (mapVertices,"
                + " mapEdges) before the graph is loaded")
            .formatted(
                where,
                component.isEmpty() ? "" : " in its component '" + component + "'",
                className));
  }
}
