package org.sparkgpugraph.frame.sql;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;

/** A function that SQL calls with tables of edges and vertices, and constants by their names. */
public interface TableFunction {
  /** Parameter of the edges, which is the first one and must be given. */
  String EDGES = "edges";

  /** Parameter of the vertices, a table, too. */
  String VERTICES = "vertices";

  /** In lower case with underscores. */
  String name();

  /** What {@code DESCRIBE FUNCTION} tells. */
  ExpressionInfo info();

  /** The parameters that take constants. */
  Set<String> parameters();

  /**
   * What a call asks for.
   *
   * @param arguments by the parameter; every name is one of {@link #parameters}
   * @param withVertices whether there is a table of vertices
   * @throws IllegalArgumentException which names the argument that is missing or wrong
   */
  GraphQuery query(Map<String, Argument> arguments, boolean withVertices);
}
