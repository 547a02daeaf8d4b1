package org.sparkgpugraph.frame.draw;

import java.util.List;

/**
 * A graph as it is drawn, in the driver's memory.
 *
 * @param vertexAttributes the columns of the vertices but their ids
 * @param edgeAttributes the columns of the edges but their ends
 * @param vertices ids are different texts
 * @param edges whose ends are among the vertices
 */
record DrawnGraph(
    List<Attribute> vertexAttributes,
    List<Attribute> edgeAttributes,
    List<Vertex> vertices,
    List<Edge> edges) {

  /** Types that all formats have. */
  enum Kind {
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING
  }

  /** A column. */
  record Attribute(String name, Kind kind) {}

  /**
   * A vertex.
   *
   * @param values of the attributes, as texts; null where it has none
   */
  record Vertex(String id, List<String> values) {}

  /**
   * An edge.
   *
   * @param values of the attributes, as texts; null where it has none
   */
  record Edge(String source, String destination, List<String> values) {}
}
